"""Changes of files, worked out and checked before anything is written, and then made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mcptap.clients.configs.entry import ServerEntry
from mcptap.clients.configs.nodes import Document
from mcptap.clients.configs.wrapping import server_of
from mcptap.errors import UserError
from mcptap.recording.paths import clean_name
from mcptap.setup.choice import Candidate
from mcptap.setup.edits import Edit, NotEditableError, applied, taking_back, unwrapping, wrapping
from mcptap.setup.files import Target, replace, require_replaceable
from mcptap.setup.opened import entry_after
from mcptap.setup.records import FileRecord, Wrapped, keep, record_of
from mcptap.setup.verified import is_exact


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What becomes of one entry."""

    candidate: Candidate
    argv: list[str] | None
    """Its command line when it is done; None: that of the bytes on record."""
    edits: list[Edit]
    record: Wrapped | None
    """What goes on record, or off it; None: nothing."""
    note: str = ""
    """What the user should know of it, as a sentence; empty: nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class FileChange:
    """What becomes of one file."""

    target: Target
    new: bytes
    changes: list[Change]
    document: Document
    """The new file as it will be read."""
    after: list[ServerEntry]
    """Each entry as it will be read."""
    record_meanwhile: FileRecord
    record_after: FileRecord

    def make(self) -> str:
        """Write the file, with the lock held; return the path of the backup. Raises UserError."""
        before = record_of(self.target.resolved)
        # Before the file: one that is killed in between leaves a record too many, not an entry without one.
        if self.record_meanwhile != before:
            keep(self.record_meanwhile)
        try:
            backup = replace(self.target, self.new)
        except BaseException:
            keep(before)
            raise
        if self.record_after != self.record_meanwhile:
            keep(self.record_after)
        return backup


def wrap_change(candidate: Candidate, own: Sequence[str], options: Sequence[str]) -> Change:
    """mcptap put in front of a server. Raises UserError if that can't be done for certain."""
    entry = candidate.entry
    words = [*own, "run", "--name", clean_name(entry.name), *options, "--"]
    try:
        edits, record = wrapping(candidate.opened.document, entry, words)
    except NotEditableError as error:
        raise _uncertain(candidate, error) from error
    return Change(candidate, [*words, *entry.argv], edits, record)


def is_as_written(candidate: Candidate) -> bool:
    """Whether an entry has the very bytes that are on record, which can be taken back whatever they mean."""
    record = _record(candidate)
    opened, entry = candidate.opened, candidate.entry
    return record is not None and taking_back(opened.document, entry, record) is not None


def unwrap_change(candidate: Candidate) -> Change:
    """mcptap taken out again. Raises UserError if that can't be done for certain."""
    opened, entry, record = candidate.opened, candidate.entry, _record(candidate)
    if record is not None and entry.layers < 2:
        edits = taking_back(opened.document, entry, record)
        if edits is not None:
            return Change(candidate, None, edits, record)
    note = "was changed since, so it is rebuilt as it stands now" if record is not None else ""
    if entry.layers > 1:
        note = f"had mcptap in front {entry.layers} times"
    try:
        edits = unwrapping(opened.document, entry, record is None or record.args_before is not None)
    except NotEditableError as error:
        raise _uncertain(candidate, error) from error
    return Change(candidate, server_of(entry.argv), edits, record, note)


def _record(candidate: Candidate) -> Wrapped | None:
    return record_of(candidate.opened.target.resolved).of(candidate.entry.where, candidate.entry.name)


def _uncertain(candidate: Candidate, error: NotEditableError) -> UserError:
    return UserError(f"{candidate.label} is left as it is, since it can't be changed for certain: {error}")


def planned(
    chosen: Iterable[Candidate],
    change_of: Callable[[Candidate], Change],
    *,
    wraps: bool,
    refused: Callable[[UserError], None],
) -> list[FileChange]:
    """The changes by file, each checked as a whole.

    `refused` is told of each entry and each file that can't be changed for certain. It may raise that.
    """
    by_file: dict[str, list[Change]] = {}
    for candidate in chosen:
        try:
            change = change_of(candidate)
        except UserError as error:
            refused(error)
        else:
            by_file.setdefault(candidate.opened.target.resolved, []).append(change)
    files = []
    for resolved, changes in by_file.items():
        try:
            files.append(_file_change(resolved, changes, wraps))
        except UserError as error:
            refused(error)
    return files


def _file_change(resolved: str, changes: list[Change], wraps: bool) -> FileChange:
    opened = changes[0].candidate.opened
    target = opened.target
    require_replaceable(target)
    new = applied(target.data, (edit for change in changes for edit in change.edits))
    entries = [change.candidate.entry for change in changes]
    document = opened.read_again(new)
    after = [found for entry in entries if document and (found := entry_after(document, entry)) is not None]
    as_meant = len(after) == len(changes) and all(
        change.argv in (None, found.argv) and found.layers == (entry.layers + 1 if wraps else 0)
        for change, entry, found in zip(changes, entries, after, strict=True)
    )
    changed = [(entry, found.argv) for entry, found in zip(entries, after, strict=False)]
    if document is None or not as_meant or not is_exact(target.data, new, document.syntax, changed):
        names = ", ".join(change.candidate.label for change in changes)
        raise UserError(
            f"{target.path}: the change of {names} would touch more than the command; nothing is changed in "
            "it (edit it by hand, and please report it)"
        )
    record = record_of(resolved)
    of_them = [change.record for change in changes if change.record is not None]
    if wraps:
        later = record
        for one in of_them:
            later = later.with_(one)
        return FileChange(target, new, changes, document, after, later, later)
    return FileChange(target, new, changes, document, after, record, record.without(of_them))
