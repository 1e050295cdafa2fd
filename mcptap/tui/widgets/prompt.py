"""The line at the top in which one types: a filter, a search, a place to go to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.highlighter import Highlighter
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input

from mcptap.query import FIELDS, Completion, Fields, QueryError, complete, parse
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.painted import Painted
from mcptap.tui.widgets.text import visible

LABELS = {
    "sessions": "filter",
    "filter": "filter",
    "search": "search",
    "page": "search",
    "findings": "search",
    "jump": "go to",
}
HINTS = {
    "sessions": "server: client: state: outcome: errors: length: age: text:  and or not   tab completes",
    "filter": "method: tool: dir: kind: status: id: latency: size: text:  and or not   tab completes",
    "search": "text anywhere in the messages   enter finds, n and N go on",
    "page": "text on this page; what is folded opens   enter finds, n and N go on",
    "findings": "text in the findings, or a rule   enter finds, n and N go on",
    "jump": "a record number (120) or a time (+3.5, 1:02, 80ms)",
}
HISTORY = 100
MOST_OFFERED = 9


@dataclass(slots=True)
class Offer:
    """Completions of a text, and which of them stands in the line."""

    base: str
    found: list[Completion]
    at: int = 0
    value: str = ""
    """The line with it."""


class Marked(Highlighter):
    """Underlines what is wrong from the place where it begins."""

    def __init__(self) -> None:
        self.wrong_at: int | None = None
        self.style = "underline"

    def highlight(self, text: Text) -> None:
        """Called by the input for each drawing."""
        if self.wrong_at is not None:
            at = min(self.wrong_at, max(0, len(text) - 1))
            text.stylize(self.style, at, len(text))


class PromptInput(Input):
    """An input of one line with history and completion."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("tab", "complete", show=False),
        Binding("shift+tab", "complete(-1)", show=False),
        Binding("up", "history(-1)", show=False),
        Binding("down", "history(1)", show=False),
    ]

    def __init__(self, prompt: Prompt, highlighter: Highlighter) -> None:
        super().__init__(id="prompt-input", highlighter=highlighter)
        self.action_leave = prompt.leave
        self.action_complete = prompt.complete
        self.action_history = prompt.recall


class Prompt(Painted):
    """Label, input, a remark at the right, and below a line of help or of what is wrong."""

    DEFAULT_CSS = """
    Prompt { width: 1fr; height: auto; display: none; layout: vertical; background: $raised; }
    Prompt #prompt-line { height: 1; }
    Prompt #prompt-label { width: 9; }
    Prompt #prompt-note { width: 28; }
    Prompt #prompt-input { width: 1fr; }
    """

    class Changed(Message):
        """The text is another one."""

        def __init__(self, mode: str, text: str) -> None:
            super().__init__()
            self.mode = mode
            self.text = text

    class Entered(Changed):
        """Enter was pressed."""

    class Left(Changed):
        """Escape was pressed: the text no longer counts."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.mode = "filter"
        self._label = Bar(id="prompt-label", raised=True)
        self._marked = Marked()
        self.input = PromptInput(self, self._marked)
        self._note = Bar(id="prompt-note", raised=True)
        self._hint = Bar(id="prompt-hint", raised=True)
        self._history: dict[str, list[str]] = {mode: [] for mode in LABELS}
        self._at = 0
        self._offer: Offer | None = None
        self._understood = ""
        """What of the text applies: the rows are those that it lets through."""
        self.seen: Mapping[str, Iterable[str]] = {}
        """Values that occur in the recording, for completion."""
        self.fields: dict[str, Fields] = {"filter": FIELDS}
        """The fields of the filter language, for each purpose that has one."""

    def compose(self) -> ComposeResult:
        """Two lines."""
        with Horizontal(id="prompt-line"):
            yield self._label
            yield self.input
            yield self._note
        yield self._hint

    def repaint(self) -> None:
        """Take the colours of the present theme."""
        super().repaint()
        self._marked.style = f"underline {self.paint.palette.problem}"

    def ask(self, mode: str, text: str = "") -> None:
        """Let the user type."""
        self._set(mode, text)
        self._understood = ""
        # By `display`, not by a class: what is typed next must find the input focused, and a
        # style sheet takes effect a moment later.
        self.display = self._hint.display = True
        self._at = len(self._history[mode])
        self.screen.set_focus(self.input)
        self._help(text)

    def show(self, mode: str, text: str) -> None:
        """Stand there as a reminder, without the focus."""
        self._set(mode, text)
        self.display = True
        self._hint.display = False

    def _set(self, mode: str, text: str) -> None:
        self.mode = mode
        self.repaint()
        self._label.show(([(" " + LABELS[mode], self._label.paint.client)], []))
        self.note("")
        with self.prevent(Input.Changed):
            self.input.value = text
        self.input.cursor_position = len(text)

    def close(self) -> None:
        """Go away."""
        self.display = False

    def note(self, text: str, *, bad: bool = False) -> None:
        """Say something at the right, such as how many matched."""
        paint = self._note.paint
        self._note.show(([], [(text + " ", paint.problem if bad else paint.dim)]))

    def leave(self) -> None:
        """Say that Escape was pressed."""
        self.post_message(self.Left(self.mode, self.input.value))

    def complete(self, step: int = 1) -> None:
        """Put in the first completion, if there is one; of values, the next one each time."""
        fields = self.fields.get(self.mode)
        if fields is None:
            return
        value = self.input.value
        if self._offer is not None and self._offer.value == value:
            offer = self._offer
            offer.at = (offer.at + step) % len(offer.found)
        else:
            found = complete(value, self.input.cursor_position, self.seen, fields)
            if not found:
                return
            offer = Offer(value, found)
        each = offer.found[offer.at]
        offer.value = offer.base[: each.start] + each.text + offer.base[each.end :]
        # Behind the name of a field its values come next, not the next field.
        self._offer = None if each.text.endswith(":") else offer
        self.input.value = offer.value
        self.input.cursor_position = each.start + len(each.text)

    def recall(self, step: int) -> None:
        """Show an earlier or later entry of the history."""
        history = self._history[self.mode]
        self._at = max(0, min(self._at + step, len(history)))
        self.input.value = history[self._at] if self._at < len(history) else ""
        self.input.cursor_position = len(self.input.value)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._help(event.value)
        self.post_message(self.Changed(self.mode, self._applied(event.value)))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        history = self._history[self.mode]
        if event.value and history[-1:] != [event.value]:
            history.append(event.value)
            del history[:-HISTORY]
        self.post_message(self.Entered(self.mode, event.value))

    def _applied(self, text: str) -> str:
        """What of a filter that is being typed applies: without its last word while that is half a term.

        If that can't be understood either, the last that could.
        """
        fields = self.fields.get(self.mode)
        if fields is None:
            return text
        for known in (text, text.rpartition(" ")[0]):
            if _error(known, fields) is None:
                return known
        return self._understood

    def _help(self, text: str) -> None:
        """The line below: what is wrong and where, or what could come next."""
        paint = self._hint.paint
        self._marked.wrong_at = None
        lead = " " * 10
        fields = self.fields.get(self.mode)
        if fields is not None and text:
            found = complete(text, self.input.cursor_position, self.seen, fields)
            error = _error(text, fields)
            kept: Cells = []
            self._understood = self._applied(text)
            if error is not None:
                rows = f"those of {visible(self._understood)}" if self._understood else "all"
                kept = [(f"rows: {rows} ", paint.faint)]
            if error is not None and not (found and error.position >= found[0].start):
                self._marked.wrong_at = error.position
                caret = " " * error.position + "▲ "
                words = [(lead + caret, paint.problem), (visible(error.message), paint.problem)]
                self._hint.show((words, kept))
                self.input.refresh()
                return
            self.input.refresh()
            if found:
                cells: Cells = [(lead, paint.dim)]
                for each in found[:MOST_OFFERED]:
                    cells += [(visible(each.text), paint.bright), ("  ", paint.dim)]
                if len(found) > MOST_OFFERED:
                    cells.append((f"… {len(found) - MOST_OFFERED:,} more  ", paint.dim))
                cells.append((f" {visible(found[0].help)}", paint.faint))
                self._hint.show((cells, kept))
                return
        self._hint.show(([(lead + HINTS[self.mode], paint.faint)], []))


def _error(text: str, fields: Fields) -> QueryError | None:
    """What is wrong with a filter, if anything is."""
    try:
        parse(text, fields)
    except QueryError as error:
        return error
    return None
