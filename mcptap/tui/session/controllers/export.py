"""Records taken out of the screen: marked, exported, opened in an editor or a pager."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from threading import Thread

from textual.notifications import SeverityLevel

from mcptap.errors import UserError
from mcptap.masking.masker import Masker
from mcptap.recording.format.model import Header
from mcptap.recording.paths import clean_name
from mcptap.text.units import counted, size
from mcptap.tui.export.ask_path import AskPath
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.index.loaded import exact_bytes, load, size_of_line
from mcptap.tui.session.record_list import RecordList
from mcptap.tui.widgets.choice import Choice
from mcptap.tui.widgets.tap_screen import TapScreen
from mcptap.tui.widgets.text import visible

EXPORT_LIMIT = 20_000
"""Records that one export takes: it is for people to read."""


class ExportController:
    """Works on the records of a list; which are marked is the list's to know."""

    def __init__(self, screen: TapScreen, records: RecordList) -> None:
        self._screen = screen
        self._list = records

    def mark(self) -> None:
        """Mark the record for export, or take the mark away; go on to the next."""
        records = self._list
        i = records.record
        if i is not None:
            row = set(self._run() or [i])
            records.marked = records.marked - row if i in records.marked else records.marked | row
            records.forget([records.cursor])
            records.action_move(1)

    def ask_what_to_export(self, judgement: Judgement) -> None:
        """Ask what to export, and how; a report has verdict and findings of the judgement."""
        options: list[tuple[str, Callable[[], None]]] = []
        for words, records in self._selection():
            for kind, suffix in (("Markdown for a bug report", ".md"), ("JSON Lines", ".jsonl")):
                options.append((f"{kind}: {words}", partial(self._export, records, suffix, judgement)))
        self._screen.app.push_screen(Choice("Export, secrets masked", options))

    def open_in_editor(self) -> None:
        """Open the record in the editor."""
        self._open_in(("VISUAL", "EDITOR"), "vi")

    def open_in_pager(self) -> None:
        """Open the record in the pager."""
        self._open_in(("PAGER",), "less")

    def _run(self) -> list[int]:
        """The lines of stderr that the row under the cursor stands for, if it stands for a run."""
        run = self._list.run
        return self._list.index.folds.lines_of(run)[:EXPORT_LIMIT] if run is not None else []

    def _selection(self) -> list[tuple[str, list[int]]]:
        """What can be exported, in words, with the indices."""
        listed, index = self._list, self._list.index
        choices: list[tuple[str, list[int]]] = []
        i = listed.record
        if listed.marked:
            choices.append((counted(len(listed.marked), "marked record"), sorted(listed.marked)))
        run = self._run()
        if run:
            choices.append((f"these {counted(len(run), 'line')} of stderr", run))
        elif i is not None:
            choices.append((f"record {i + 1:,}", [i]))
            other = index.partner(i)
            if other is not None:
                choices.append(("the request and its answer", sorted((i, other))))
        return [*choices, listed.shown(EXPORT_LIMIT)]

    def _export(self, records: list[int], suffix: str, judgement: Judgement) -> None:
        """Ask where, and write it there."""
        from mcptap.tui.export.outside import export_path

        try:
            header = load(self._list.index, 0).record
            name = clean_name(header.name) if isinstance(header, Header) else "mcptap"
            proposed = export_path(name, suffix, os.getcwd())
        except OSError as error:
            self._screen.notify(f"Not exported: {error}", severity="error", timeout=15)
            return
        write = partial(self._write, records, suffix, judgement)
        self._screen.app.push_screen(AskPath("Export, secrets masked, to", proposed, write))

    def _write(self, records: list[int], suffix: str, judgement: Judgement, path: str) -> None:
        """Write the export, a large one in a thread. Raises OSError and UserError."""
        from mcptap.recording import made_here
        from mcptap.tui.export.aside import LONG, MaskerAside
        from mcptap.tui.export.outside import write_export

        index = self._list.index
        rows = {index.lines.row_of(i) for i in records}
        whole = sum(size_of_line(index, i) for i in rows)
        if whole < LONG:
            self._write_masked(records, suffix, judgement, path, made_here.masker())
            return
        write_export(path, "")  # what can't be written there is refused at once
        os.unlink(path)
        self._screen.notify(f"{size(whole)} are looked through for secrets, then written.", timeout=10)
        masker = MaskerAside(made_here.masker())
        work = (records, suffix, judgement, path, masker)
        Thread(target=self._write_aside, args=work, name="export", daemon=True).start()

    def _write_aside(
        self, records: list[int], suffix: str, judgement: Judgement, path: str, masker: Masker
    ) -> None:
        """Runs in a thread."""
        try:
            self._write_masked(records, suffix, judgement, path, masker)
        except (OSError, UserError, ValueError) as error:
            self._tell(f"Not exported: {error}", severity="error")

    def _write_masked(
        self, records: list[int], suffix: str, judgement: Judgement, path: str, masker: Masker
    ) -> None:
        """Write the export and say so. Raises OSError and UserError."""
        from mcptap.tui.export.export import as_jsonl, as_markdown
        from mcptap.tui.export.outside import write_export

        index = self._list.index
        if suffix == ".md":
            text = as_markdown(index, records, masker, judgement.verdict, judgement.findings)
        else:
            text = "".join(as_jsonl(index, records, masker))
        write_export(path, text)
        masked = masker.words()
        said = f"Masked: {masked}." if masked else "Nothing looked like a secret."
        self._tell(f"Written to {path}. {said} Look through it before you hand it on.")

    def _tell(self, words: str, *, severity: SeverityLevel = "information") -> None:
        """From whichever thread."""
        screen = self._screen
        screen.app.call_later(partial(screen.notify, words, severity=severity, timeout=15))

    def _open_in(self, variables: tuple[str, ...], default: str) -> None:
        """Open the record in the program that one of the environment variables names."""
        from mcptap.tui.export.export import plain_text, run_text
        from mcptap.tui.export.outside import open_in, private_file, program

        i, index = self._list.record, self._list.index
        if i is None:
            return
        try:
            loaded, run = load(index, i), self._list.run
            text = plain_text(index, i) if loaded.is_whole else _text(exact_bytes(index, loaded))
            if run is not None:
                text = run_text(index, index.folds.lines_of(run))
            # A pager that is told to pass control sequences on must not get any.
            safe = "\n".join(visible(line) for line in text.split("\n"))
            path = private_file(safe, ".json" if loaded.tree is not None else ".txt")
        except OSError as error:
            self._screen.notify(f"The record can't be read or written: {error}", severity="error")
            return
        command = program(variables, default, os.environ)
        trouble = self._screen.run_outside(partial(open_in, command, path))
        os.unlink(path)
        if trouble:
            self._screen.notify(trouble, severity="error")


def _text(data: bytes) -> str:
    return data.decode(errors="backslashreplace")
