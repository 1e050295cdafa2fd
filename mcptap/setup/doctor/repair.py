"""Certain repairs: the edits of a file put together, checked in memory, and written as `wrap` writes.

Only what a finding says is changed. What comes of it is examined before anything is written: what was to be
repaired is gone, nothing above info is new, and all other entries are what they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mcptap.clients.configs.contents import contents_of
from mcptap.diagnosis.engine.finding import Level
from mcptap.errors import UserError
from mcptap.setup.doctor.examination import examine
from mcptap.setup.doctor.finding import Finding
from mcptap.setup.doctor.subject import ExaminedFile
from mcptap.setup.edits import Edit, applied
from mcptap.setup.files import Target, read_target, require_replaceable


@dataclass(frozen=True, slots=True)
class Repair:
    """What becomes of one file: the findings that are repaired, and its new bytes."""

    file: ExaminedFile
    target: Target
    findings: tuple[Finding, ...]
    new: bytes


def plan(file: ExaminedFile, findings: Sequence[Finding]) -> Repair | None:
    """The repairs of one file; None if there are none. Raises UserError if they can't be made.

    Of two that touch the same bytes the second is left for the next time.
    """
    chosen: list[Finding] = []
    edits: list[Edit] = []
    for finding in findings:
        fix = finding.fix
        if fix is None or finding.file != file.path or finding.client is not file.client:
            continue
        if not any(_touch(new, edit) for new in fix.edits for edit in edits):
            chosen.append(finding)
            edits += fix.edits
    if not chosen:
        return None
    target = read_target(str(file.path))
    require_replaceable(target)
    document = file.document
    if document is None or target.data != document.data:
        raise UserError(f"{file.path} was changed while it was looked at; nothing is changed, try again")
    new = applied(target.data, edits)
    _require_exact(file, findings, chosen, new)
    return Repair(file, target, tuple(chosen), new)


def _touch(one: Edit, other: Edit) -> bool:
    if one.start == other.start:
        return True
    first, second = (one, other) if one.start < other.start else (other, one)
    return second.start < first.end


def _require_exact(
    file: ExaminedFile, before: Sequence[Finding], chosen: Sequence[Finding], new: bytes
) -> None:
    """Raise UserError unless the new file has these findings less, and nothing else is different."""
    contents = contents_of(file.contents.found, new)
    after = examine([replace(file, contents=contents)])
    own = [one for one in before if one.file == file.path and one.client is file.client]
    gone = {(one.check, one.server) for one in chosen}
    same = {(one.check, one.server) for one in own}
    touched = {one.server for one in chosen}
    # What could not be looked into before shows now what else is wrong with it.
    others = [one for one in after if one.level > Level.INFO and one.server not in touched]
    worse = bool(file.entries) and any((one.check, one.server) not in same for one in others)
    counts = _counts(own), _counts(after)
    still = any(counts[1].get(key, 0) >= counts[0].get(key, 0) for key in gone)
    kept_before = {entry.where: entry.node.value for entry in file.entries if entry.name not in touched}
    kept_after = {entry.where: entry.node.value for entry in contents.entries if entry.name not in touched}
    moved = bool(file.entries) and kept_before != kept_after
    if contents.document is None or still or worse or moved:
        names = ", ".join(sorted({one.check for one in chosen}))
        raise UserError(
            f"{file.path}: the repair of {names} would not do what it is to do; nothing is changed "
            "(mend it by hand, and please report it)"
        )


def _counts(findings: Sequence[Finding]) -> dict[tuple[str, str], int]:
    counts: dict[tuple[str, str], int] = {}
    for one in findings:
        counts[one.check, one.server] = counts.get((one.check, one.server), 0) + 1
    return counts
