"""What can be done with records of the session screen: mark, copy, export, open elsewhere, send again."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from mcptap.errors import UserError
from mcptap.recording.format.model import Header, Line
from mcptap.tui.index.index import ANSWERS, Kind, Way
from mcptap.tui.index.loaded import exact_bytes, load
from mcptap.tui.session.base import SessionBase
from mcptap.tui.widgets.choice import Choice
from mcptap.tui.widgets.text import count

EXPORT_LIMIT = 20_000
"""Records that one export takes: it is for people to read."""


class SessionActions(SessionBase):
    """Marking, copying, exporting, and opening a record elsewhere."""

    def can_do(self, name: str) -> bool:
        """Whether an action makes sense at this moment, for the palette."""
        return self._request() is not None if name == "resend" else super().can_do(name)

    def _request(self) -> int | None:
        """The client's request under the cursor, or the one that is answered there."""
        i, index = self.timeline.record, self.index
        if i is not None and i < index.described and index.kinds[i] in ANSWERS:
            i = index.partner(i)
        if i is None or i >= index.described:
            return None
        return i if index.kinds[i] == Kind.REQUEST and index.ways[i] == Way.C2S else None

    def action_mark(self) -> None:
        """Mark the record for export, or take the mark away."""
        timeline = self.timeline
        i = timeline.record
        if i is not None:
            timeline.marked ^= {i}
            timeline.forget([timeline.cursor])
            timeline.action_move(1)

    def _selection(self) -> list[tuple[str, list[int]]]:
        """What can be exported, in words, with the indices."""
        timeline, index = self.timeline, self.index
        choices: list[tuple[str, list[int]]] = []
        i = timeline.record
        if timeline.marked:
            choices.append((count(len(timeline.marked), "marked record"), sorted(timeline.marked)))
        if i is not None:
            choices.append((f"record {i + 1:,}", [i]))
            other = index.partner(i)
            if other is not None:
                choices.append(("the request and its answer", sorted((i, other))))
        if timeline.picked is not None:
            picked = list(timeline.picked[:EXPORT_LIMIT])
            choices.append((f"what the filter shows ({count(len(picked), 'record')})", picked))
        else:
            whole = list(range(min(len(index), EXPORT_LIMIT)))
            first = "all" if len(whole) == len(index) else "the first"
            choices.append((f"{first} {count(len(whole), 'record')}", whole))
        return choices

    def action_copy(self) -> None:
        """Ask what to copy to the clipboard."""
        i = self.timeline.record
        if i is None:
            self.notify("No record is chosen.")
            return
        from mcptap.tui.export.export import plain_text

        other = self.index.partner(i)
        options: list[tuple[str, Callable[[], None]]] = [
            ("the message, indented", lambda: self._copy(plain_text(self.index, i))),
            ("the raw line, as on the wire", lambda: self._copy(self._wire_text(i))),
            ("the record, as in the file", lambda: self._copy(_text(self.index.read(i)))),
        ]
        if other is not None:
            first, second = sorted((i, other))
            options.insert(
                1,
                (
                    "the request and its answer",
                    lambda: self._copy(f"{plain_text(self.index, first)}\n{plain_text(self.index, second)}"),
                ),
            )
        self.app.push_screen(Choice("Copy", options))

    def _wire_text(self, i: int) -> str:
        loaded = load(self.index, i)
        data = exact_bytes(self.index, loaded)
        return _text(
            data[: -len(loaded.record.eol)] if isinstance(loaded.record, Line) and loaded.record.eol else data
        )

    def _copy(self, text: str) -> None:
        from mcptap.tui.export.outside import clipboard_trouble, private_file

        trouble = clipboard_trouble(text, os.environ)
        if not trouble:
            self.app.copy_to_clipboard(text.encode(errors="replace").decode())
            self.notify(f"Copied {count(len(text), 'character')} to the terminal's clipboard.")
            return
        try:
            path = private_file(text, ".txt")
        except OSError as error:
            self.notify(
                f"Not copied: {trouble}, and no file can be written: {error.strerror}", severity="error"
            )
            return
        self.notify(f"Written to {path}, since {trouble}.", timeout=15)

    def action_export(self) -> None:
        """Ask what to export, and how."""
        options: list[tuple[str, Callable[[], None]]] = []
        for words, records in self._selection():
            options.append((f"Markdown for a bug report: {words}", partial(self._export, records, ".md")))
            options.append((f"JSON Lines: {words}", partial(self._export, records, ".jsonl")))
        self.app.push_screen(Choice("Export, secrets masked", options))

    def _export(self, records: list[int], suffix: str) -> None:
        from mcptap.tui.export.export import as_jsonl, as_markdown
        from mcptap.tui.export.masking import Masker
        from mcptap.tui.export.outside import export_path, write_export

        masker = Masker()
        judgement = self.pane.judgement
        try:
            if suffix == ".md":
                text = as_markdown(self.index, records, masker, judgement.verdict, judgement.findings)
            else:
                text = "".join(as_jsonl(self.index, records, masker))
            path = export_path("mcptap", suffix, os.getcwd())
            try:
                write_export(path, text)
            except UserError:
                path = export_path("mcptap", suffix, os.path.expanduser("~"))
                write_export(path, text)
        except (OSError, UserError) as error:
            self.notify(f"Not exported: {error}", severity="error", timeout=15)
            return
        masked = masker.words()
        said = f"Masked: {masked}." if masked else "Nothing looked like a secret."
        self.notify(f"Written to {path}. {said} Look through it before you hand it on.", timeout=15)

    def action_editor(self) -> None:
        """Open the record in the editor."""
        from mcptap.tui.export.outside import program

        self._open_in(program(("VISUAL", "EDITOR"), "vi", os.environ))

    def action_pager(self) -> None:
        """Open the record in the pager."""
        from mcptap.tui.export.outside import program

        self._open_in(program(("PAGER",), "less", os.environ))

    def _open_in(self, command: list[str]) -> None:
        from mcptap.tui.export.export import plain_text
        from mcptap.tui.export.outside import open_in, private_file

        i = self.timeline.record
        if i is None:
            return
        try:
            loaded = load(self.index, i)
            text = plain_text(self.index, i) if loaded.is_whole else _text(exact_bytes(self.index, loaded))
            # A pager that is told to pass control sequences on must not get any.
            from mcptap.tui.widgets.text import visible

            safe = "\n".join(visible(line) for line in text.split("\n"))
            path = private_file(safe, ".json" if loaded.tree is not None else ".txt")
        except OSError as error:
            self.notify(f"The record can't be read or written: {error}", severity="error")
            return
        try:
            with self.app.suspend():
                trouble = open_in(command, path)
        except Exception as error:
            trouble = f"the terminal can't be handed over: {error}"
        finally:
            os.unlink(path)
        if trouble:
            self.notify(trouble, severity="error")
        self.app.refresh()

    def action_resend(self) -> None:
        """Offer to send the request under the cursor to a fresh server; nothing starts yet."""
        i = self._request()
        if i is None:
            self.notify("Only a request of the client can be sent again: put the cursor on one (→).")
            return
        header = self._header()
        if header is not None:
            from mcptap.tui.run.resend import ResendForm

            self.app.push_screen(ResendForm(self.feed.path, header, self.index, i))

    def action_probe(self) -> None:
        """Offer to probe a server that is started as the recorded one was; nothing starts yet."""
        header = self._header()
        if header is not None:
            from mcptap.tui.run.probing import ProbeForm

            self.app.push_screen(ProbeForm(self.feed.path, header))

    def _header(self) -> Header | None:
        """How the server was started; None, and the user told, if that can't be read."""
        try:
            record = load(self.index, 0).record
        except OSError as error:
            self.notify(f"The recording can't be read: {error.strerror}", severity="error")
            return None
        if isinstance(record, Header):
            return record
        self.notify("The recording's header can't be read: how to start its server is not known.")
        return None


def _text(data: bytes) -> str:
    return data.decode(errors="backslashreplace")
