"""What is copied: a message, a value, a finding, a command; and into which clipboard."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from threading import Thread

from mcptap.diagnosis.engine.finding import Finding
from mcptap.masking.masker import Masker
from mcptap.recording.format.model import Header
from mcptap.text.units import counted, size
from mcptap.tui.index.kinds import ANSWERS
from mcptap.tui.index.loaded import load, records_of_line, size_of_line, whole_line
from mcptap.tui.session.controllers.rerun import RerunController
from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.findings_pane import FindingsPane
from mcptap.tui.session.record_list import RecordList
from mcptap.tui.widgets.choice import Choice, Option
from mcptap.tui.widgets.tap_screen import TapScreen


class CopyController:
    """Offers what can be copied of what the cursors stand on; secrets are masked unless it says otherwise."""

    def __init__(
        self,
        screen: TapScreen,
        path: str,
        records: RecordList,
        pane: DetailPane,
        findings: FindingsPane | None,
        rerun: RerunController,
        made_of: str = "",
    ) -> None:
        self._screen = screen
        self._path = path
        self._list = records
        self._pane = pane
        self._findings = findings
        self._rerun = rerun
        self._made_of = made_of
        """The capture that is shown: its lines have other numbers than the records on the screen."""

    def ask_what_to_copy(self) -> None:
        """Ask what to copy."""
        i = self._list.record
        if i is None:
            self._screen.notify("No record is chosen.")
            return
        try:
            options = self.options(i)
        except OSError as error:
            self._screen.notify(f"The recording can't be read: {error.strerror}", severity="error")
            return
        self._screen.app.push_screen(Choice("Copy, secrets masked where nothing else is said", options))

    def options(self, i: int) -> list[Option]:
        """What can be copied while the cursor is on the record at this index. Raises OSError."""
        from mcptap.recording import made_here
        from mcptap.tui.export.snippets import entry

        masker = made_here.masker()
        header = load(self._list.index, 0).record
        argv = header.argv if isinstance(header, Header) else []
        masker.learn(argv)
        run = self._list.run
        of_row = self._of_the_record(i, masker) if run is None else self._of_the_run(run, masker)
        options = [*self._under_the_cursors(i, masker), *of_row]
        if isinstance(header, Header) and argv:
            options.append(("the server as an entry of .mcp.json", self._says(entry, header, masker)))
        return options

    def _under_the_cursors(self, i: int, masker: Masker) -> list[Option]:
        """What the panes point at: a value of the page, a finding."""
        from mcptap.jsontext.tree import dumps
        from mcptap.tui.export.snippets import finding_text
        from mcptap.tui.widgets.jsontree import value_at

        options: list[Option] = []
        chosen = self._pane.value_at_cursor() if self._pane.detail.has_focus else None
        if chosen is not None:
            message, path = chosen
            where, _ = value_at(message, path)

            def text() -> str:
                # What is secret is told by all that stands around it.
                _, value = value_at(masker.value(message), path)
                return value if isinstance(value, str) else dumps(value, 2)

            options.append((f"the value {where}", self._says(text)))
            options.append((f"its path {where}", lambda: self.copy(where)))
        found: list[Finding] = self._pane.judgement.of_record(i + 1)
        listed = self._findings.list if self._findings is not None else None
        picked = listed.chosen if listed is not None and listed.has_focus else self._pane.finding
        for finding in [picked] if picked is not None else found[:1]:
            options.append((f"the finding {finding.rule}", self._says(finding_text, finding, masker)))
        return options

    def _of_the_run(self, run: range, masker: Masker) -> list[Option]:
        """All lines of stderr that the row stands for."""
        from mcptap.tui.export.export import run_text

        index = self._list.index
        records = index.folds.lines_of(run)
        many = counted(len(records), "line")

        def as_recorded() -> str:
            return _text(b"".join(index.read(i) for i in records))

        return [
            (f"the {many} of stderr", self._says(run_text, index, records, masker)),
            (f"the {many} as on the wire, secrets too", self._says(run_text, index, records)),
            (f"the {len(records):,} records, as in the file, secrets too", self._says(as_recorded)),
        ]

    def _of_the_record(self, i: int, masker: Masker) -> list[Option]:
        """The record as text and as it is, its other half, and what asks for it again."""
        from mcptap.tui.export.aside import MESSAGE, TEXT
        from mcptap.tui.export.export import plain_text
        from mcptap.tui.export.snippets import answer_text, pytest_stub, send_command

        index = self._list.index
        other = index.partner(i)
        message = partial(plain_text, index, masker=masker)
        options: list[Option] = [("the message, indented", self._masked(MESSAGE, [i], lambda: message(i)))]
        answer = i if i < index.described and index.kinds[i] in ANSWERS else other
        if answer is not None:
            text = partial(answer_text, index, answer, masker)
            options.append(("the text of the answer", self._masked(TEXT, [answer], text)))
        if other is not None:
            pair = sorted((i, other))

            def both() -> str:
                return "\n".join(map(message, pair))

            options.append(("the request and its answer", self._masked(MESSAGE, pair, both)))
        if whole_line(index, i) is not None:
            options.append(("the raw line, as on the wire, secrets too", self._says(self._wire_text, i)))
        records = records_of_line(index, i)
        many = f"the {len(records):,} records of the line" if len(records) > 1 else "the record"

        def as_recorded() -> str:
            return _text(b"".join(index.read(j) for j in records))

        options.append((f"{many}, as in the file, secrets too", self._says(as_recorded)))
        request = self._rerun.request
        if request is not None and not self._made_of:
            command = self._says(send_command, self._path, request + 1)
            options.append(("the command that sends the request again", command))
        if request is not None:
            test = self._says(pytest_stub, index, request, masker)
            options.append(("a test in Python with the request", test))
        return options

    def copy(self, text: str) -> None:
        """Copy a text: into the system's clipboard, else the terminal's, else into a private file."""
        from mcptap.export import clipboard
        from mcptap.tui.export.outside import clipboard_trouble, private_file

        if not text:
            self._screen.notify("There is no text in it: copy the message instead.")
            return
        amount = counted(len(text), "character")
        taken = clipboard.copy(text, os.environ)
        if taken:
            self._screen.notify(f"Copied {amount} to {taken}.")
            return
        trouble = clipboard_trouble(text, os.environ)
        if not trouble:
            self._screen.app.copy_to_clipboard(text.encode(errors="replace").decode())
            self._screen.notify(f"Sent {amount} to the terminal for its clipboard (OSC 52).")
            return
        try:
            path = private_file(text, ".txt")
        except OSError as error:
            words = f"Not copied: {trouble}, and no file can be written: {error.strerror}"
            self._screen.notify(words, severity="error")
            return
        self._screen.notify(f"Written to {path}, since {trouble}.", timeout=15)

    def _says(self, make: Callable[..., str], *arguments: object) -> Callable[[], None]:
        """What makes a text and copies it."""

        def do() -> None:
            try:
                text = make(*arguments)
            except (OSError, ValueError) as error:
                self._screen.notify(f"Not copied: {error}", severity="error")
                return
            self.copy(text)

        return do

    def _masked(self, kind: str, records: list[int], make: Callable[[], str]) -> Callable[[], None]:
        """What copies the lines of these records as `make` gives them, or, long ones, as a process does."""

        def do() -> None:
            from mcptap.tui.export.aside import LONG

            index = self._list.index
            sizes = [size_of_line(index, i) for i in records]
            if sum(sizes) < LONG:
                self._says(make)()
                return
            self._screen.notify(
                f"{size(sum(sizes))} are looked through for secrets, then copied.", timeout=10
            )
            Thread(target=self._aside, args=(kind, records), name="masking", daemon=True).start()

        return do

    def _aside(self, kind: str, records: list[int]) -> None:
        """Runs in a thread: let a process mask the lines, and copy what comes of it."""
        from mcptap.tui.export.aside import made_aside

        index, app = self._list.index, self._screen.app
        try:
            header = load(index, 0).record
            found = (whole_line(index, i) for i in records)
            lines = [whole[1] for whole in found if whole is not None]
            text = made_aside(kind, lines, header.argv if isinstance(header, Header) else [])
        except OSError as error:
            app.call_later(partial(self._screen.notify, f"Not copied: {error}", severity="error"))
            return
        app.call_later(self.copy, text)

    def _wire_text(self, i: int) -> str:
        whole = whole_line(self._list.index, i)
        return _text(whole[1]) if whole is not None else ""


def _text(data: bytes) -> str:
    return data.decode(errors="backslashreplace")
