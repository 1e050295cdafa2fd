"""The screen on which a recorded request is sent again, with old and new answer side by side."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal

from mcptap.jsontext.diff import ABSENT
from mcptap.recording.format.model import RecordingError
from mcptap.recording.paths import clean_name, make_private_folder, recording_paths
from mcptap.text.units import counted, duration
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.loaded import exact_bytes, load
from mcptap.tui.run.answers_view import AnswersList
from mcptap.tui.run.launch_form import Start
from mcptap.tui.run.resent import Resent, lines_to_send, old_answer, read_resent
from mcptap.tui.run.screen import RunScreen
from mcptap.tui.widgets.keys import ANSWERS, bindings
from mcptap.tui.widgets.scrollbar import Scrollbar
from mcptap.tui.widgets.sidebyside import Row, changes, rows
from mcptap.tui.widgets.tap_screen import OpenRecording
from mcptap.tui.widgets.text import visible

TIMEOUT_S = 600
"""The answer is waited for so long: the user sees the clock, and can stop it."""

CUT = 500
"""Characters of a value in the transcript."""


@dataclass(frozen=True, slots=True)
class Original:
    """A recorded request: the recording, its server's name, and the place in its index."""

    path: str
    name: str
    subject: str
    """Method and tool."""
    index: RecordIndex
    i: int


class ResendScreen(RunScreen):
    """Sends it, then shows both answers."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ANSWERS)
    CSS = """
    #run-body { height: 1fr; }
    #answers-body { display: none; height: 1fr; width: 1fr; }
    #transcript { height: 1fr; width: 1fr; layout: horizontal; }
    """

    def __init__(self, original: Original, start: Start, edited: bytes | None) -> None:
        self._index, self._i = original.index, original.i
        self._edited = edited
        """The line to send, if it is not the recorded one."""
        self.new_path = new_recording(original.name)
        self._lines_file = ""
        number = self._i + 1
        if edited is None:
            lines = [original.path, "--only", str(number)]
        else:
            # The file is made before the child starts: see `_run`.
            descriptor, self._lines_file = tempfile.mkstemp(prefix="mcptap-resend-", suffix=".jsonl")
            os.close(descriptor)
            lines = [self._lines_file]
        options = [
            "--run-recorded",  # the page before this one asked
            "--like",
            original.path,
            "--record",
            self.new_path,
            "--timeout",
            str(TIMEOUT_S),
            "--cut",
            str(CUT),
        ]
        name = ["--name", clean_name(original.name)]
        arguments = ["send", *lines, *options, *name, *start.options(), *start.command()]
        edit = " (edited)" if edited is not None else ""
        super().__init__(f"Resend {original.subject}{edit}", arguments, start.variables())
        self.answers = AnswersList(id="answers")
        self.answers_bar = Scrollbar(self.answers)
        self.resent: Resent | None = None
        self.rows: list[Row] = []
        self._showing_answers = False

    def body(self) -> ComposeResult:
        """The transcript, and the answers that take its place."""
        with Container(id="transcript"):
            yield self.page
            yield self.page_bar
        with Horizontal(id="answers-body"):
            yield self.answers
            yield self.answers_bar

    @property
    def places(self) -> tuple[str, ...]:
        """Whose keys make sense now."""
        return super().places if self.running else (ANSWERS, *super().places)

    async def _run(self) -> None:
        if self._edited is not None:
            await asyncio.to_thread(self._write_lines, self._edited)
        await super()._run()

    def _write_lines(self, edited: bytes) -> None:
        with open(self._lines_file, "wb") as file:
            file.writelines(lines_to_send(self._index, self._i, edited))

    async def finish(self) -> None:
        """Read the new recording, and set both answers side by side."""
        if self._lines_file:
            os.unlink(self._lines_file)
        await asyncio.to_thread(self._read)

    def _read(self) -> None:
        index, i = self._index, self._i
        try:
            sent = self._edited if self._edited is not None else exact_bytes(index, load(index, i))
            self.resent = read_resent(self.new_path, sent)
            old = old_answer(index, i)
        except (OSError, RecordingError):
            return  # the child said why there is no recording
        new = self.resent.answer
        self.answers.old = answer_words("recorded", old.answer, old.latency_us, "no answer was recorded")
        self.answers.new = answer_words("now", new, self.resent.latency_us, "no answer came")
        if old.answer is not ABSENT or new is not ABSENT:
            self.rows = rows(old.answer, new)

    def ended(self, status: int) -> None:  # noqa: ARG002 - the answers say more
        """Show the answers; if nothing could be sent, the child's words stay."""
        if self.resent is not None and self.resent.sent:
            self.answers.show(self.rows)
            self._show_answers(True)
            found = changes(self.rows)
            if found:
                self.answers.go_to_row(found[0])

    def end_words(self) -> str:
        """What came of it."""
        resent = self.resent
        if resent is None or not resent.sent:
            return "✗ the request was not sent; why stands above"
        number = len(changes(self.rows))
        if resent.answer is ABSENT:
            words = f"✗ no answer came; {resent.end}"
        elif self.answers.lacks_old:
            words = "an answer came; the recording has none"
        else:
            words = f"✗ {counted(number, 'difference')}" if number else "the same answer"
        return words + self._stray_words()

    def stopped_words(self) -> str:
        """Whether an answer had come."""
        if self.resent is None or not self.resent.sent:
            return " · the request was not sent"
        came = "no answer came" if self.resent.answer is ABSENT else "the answer had come"
        return f" · {came}{self._stray_words()}"

    def _stray_words(self) -> str:
        number = self.resent.pollution if self.resent is not None else 0
        are = "is" if number == 1 else "are"
        return f" · {counted(number, 'stdout line')} that {are} no message" if number else ""

    def remark(self) -> str:
        """Where the new recording lies."""
        return f"{visible(self.new_path)} " if not self.running and self.resent is not None else ""

    def _show_answers(self, on: bool) -> None:
        self._showing_answers = on
        self.query_one("#transcript").display = not on
        self.query_one("#answers-body").display = on
        self.set_focus(self.answers if on else self.page)
        self.call_after_refresh(self.redraw)

    # -- what can be done --

    def action_transcript(self) -> None:
        """From the answers to the transcript, and back."""
        if self.resent is not None and self.resent.sent:
            self._show_answers(not self._showing_answers)

    def action_change(self, step: int) -> None:
        """To the next difference, or the one before."""
        if not self._showing_answers:
            return
        here = self.answers.row
        found = changes(self.rows)
        further = [i for i in found if (i > here if step > 0 else i < here)]
        if further:
            self.answers.go_to_row(further[0] if step > 0 else further[-1])
        else:
            self.notify("No further difference." if found else "Both answers are the same.")

    def action_open(self) -> None:
        """Open the new recording."""
        if not self.running:
            self.post_message(OpenRecording(self.new_path))


def answer_words(when: str, answer: Any, latency_us: int | None, none: str) -> str:
    """The heading of one answer."""
    if answer is ABSENT:
        return none
    kind = "error" if answer.get("error") is not None else "result"
    result = answer.get("result")
    if isinstance(result, dict) and result.get("isError") is True:
        kind = "result with isError"
    return f"{when}: {kind}" + (f" after {duration(latency_us)}" if latency_us is not None else "")


def new_recording(name: str) -> str:
    """Where the run is recorded: among the other recordings of the server, else in a temporary folder."""
    paths = recording_paths(None, clean_name(name), time.time_ns())
    for path in paths:
        try:
            make_private_folder(os.path.dirname(path))
        except OSError:
            continue
        if os.access(os.path.dirname(path), os.W_OK):
            return path
    return os.path.join(tempfile.mkdtemp(prefix="mcptap-resend-"), os.path.basename(paths[0]))
