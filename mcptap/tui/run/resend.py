"""Sending a recorded request again (`mcptap send`), as it was or edited: what its page says and checks."""

from __future__ import annotations

import json

from textual.widgets import TextArea

from mcptap.jsontext.tree import Object, dumps, parse
from mcptap.recording.format.model import Header
from mcptap.text.escape import visible_json
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.loaded import exact_bytes, load
from mcptap.tui.run.launch_form import Purpose, Start
from mcptap.tui.run.resend_screen import Original, ResendScreen
from mcptap.tui.widgets.tap_screen import TapScreen
from mcptap.tui.widgets.text import visible

EDITABLE = 1 << 20
"""A request of more bytes is sent as it is: a page of text is no place to edit it."""


class Resend(Purpose):
    """The request at index `i` of the recording at this path, for editing."""

    def __init__(self, path: str, header: Header, index: RecordIndex, i: int) -> None:
        subject = f"{index.name(index.methods[i])} {index.name(index.tools[i])}".strip()
        self._original = Original(path, header.name, subject, index, i)
        self.title = f"Resend {visible(subject)}, record {i + 1:,}"
        self.verb = f"send {visible(subject)}"
        self._recorded = ""
        self._why_fixed = ""
        try:
            loaded = load(index, i)
            if loaded.total > EDITABLE:
                self._why_fixed = "too long to be edited here; it is sent as it was recorded"
            else:
                self._recorded = pretty(exact_bytes(index, loaded))
        except (OSError, ValueError) as error:
            self._why_fixed = f"it can't be shown for editing ({error}); it is sent as it was recorded"
        self.editor = (
            None
            if self._why_fixed
            else TextArea(self._recorded, id="request", theme="css", show_line_numbers=True)
        )

    def explanation(self) -> list[str]:
        """What is sent."""
        if self._why_fixed:
            return ["The server gets the recorded client's opening, then the request:", self._why_fixed]
        return ["The server gets the recorded client's opening, then this; edit it as you like:"]

    @property
    def _edited(self) -> str | None:
        """The text if it is not the recorded one any more."""
        return self.editor.text if self.editor is not None and self.editor.text != self._recorded else None

    def objection(self) -> str:
        """Why the text is no JSON object; the cursor goes where it breaks off."""
        if self.editor is None or self._edited is None:
            return ""
        try:
            value = parse(self._edited.encode(errors="surrogatepass"))
        except json.JSONDecodeError as error:
            self.editor.move_cursor((error.lineno - 1, error.colno - 1))
            return f"line {error.lineno}, column {error.colno}: {error.msg}"
        except ValueError as error:
            return f"no JSON: {error}"
        return "" if isinstance(value, Object) else "a request is a JSON object: { … }"

    def restore(self) -> None:
        """The request as it was recorded."""
        if self.editor is not None:
            self.editor.text = self._recorded

    def screen(self, start: Start, command: str) -> TapScreen:  # noqa: ARG002 - its title names the request
        """The screen that sends it."""
        edited = self._edited
        line = None if edited is None else parse(edited.encode(errors="surrogatepass"))
        return ResendScreen(
            self._original, start, None if edited is None else visible_json(dumps(line)).encode()
        )


def pretty(data: bytes) -> str:
    """A request's JSON for editing: indented, exact, and nothing in it hidden. Raises ValueError."""
    return visible_json(dumps(parse(data), 2))
