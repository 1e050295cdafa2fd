"""What two sessions differ in, as rows of two columns: what `mcptap diff` says, old beside new."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from mcptap.jsontext.diff import ABSENT, ADDED, CHANGED, REMOVED
from mcptap.play.compare.comparison import NOISE, SAME, Entry
from mcptap.play.compare.comparison_text import summary
from mcptap.play.compare.session_diff import SessionDiff
from mcptap.play.compare.severity import Judged
from mcptap.text.units import counted
from mcptap.tui.widgets.sidebyside import Row, rows
from mcptap.tui.widgets.text import visible

MOST_CHANGES = 500
"""Changes of one section that are set out: more are for `mcptap diff --format json`."""


_BEFORE_AND_NOW = re.compile(r"(.*?) before[,;] (.*) now", re.DOTALL)


def difference_rows(difference: SessionDiff) -> list[Row]:
    """All that differs, section by section, without what was taken as the same."""
    made: list[Row] = []
    for section in difference.sections:
        if section.changes or section.notes:
            made += _heading(section.title, made)
            made += map(_note, section.notes)
            made += _changes(section.title, section.changes)
    made += _heading("answers", made)
    made.append(Row(f"  {visible(summary(difference.answers))}", ""))
    for number, entry in enumerate(difference.answers.entries):
        if entry.status not in (SAME, NOISE):
            made += _entry(number, entry)
    if difference.gone_findings or difference.new_findings:
        made += _heading("findings", made)
        for findings, kind in ((difference.gone_findings, REMOVED), (difference.new_findings, ADDED)):
            for finding in findings:
                words = f"{finding.level.word} {finding.rule}: {visible(finding.message)}"
                old, new = (words, None) if kind == REMOVED else (None, words)
                made.append(Row(old, new, kind, f"{finding.rule} {finding.subject}"))
    return made


def verdict_words(difference: SessionDiff) -> str:
    """What it comes to, in a sentence or two."""
    if not difference.different:
        words = "The same"
    elif difference.broken:
        words = f"Different, and may break who used the server before: {_listed(difference.broken)}"
    else:
        words = "Different"
    overlooked = difference.overlooked
    if overlooked:
        words += f". Taken as the same: {counted(len(overlooked), 'difference')} ({_listed(overlooked)})"
    return f"{words}."


def _listed(reasons: list[str]) -> str:
    return ", ".join(f"{reason} ({count})" for reason, count in Counter(map(visible, reasons)).items())


def _heading(title: str, made: list[Row]) -> Iterator[Row]:
    if made:
        yield Row("", "")
    yield Row(f"── {title} ──", "")


def _note(note: str) -> Row:
    """A remark; what was before stands at the left, what is now at the right."""
    both = _BEFORE_AND_NOW.fullmatch(note)
    left, right = both.groups() if both is not None else (note, "")
    return Row(f"  {visible(left)}", f"  {visible(right)}".rstrip())


def _entry(number: int, entry: Entry) -> Iterator[Row]:
    words = f"{entry.status}: {visible(entry.about)}"
    kind = "" if entry.changes else CHANGED
    yield Row(words, visible(entry.note), kind, f"{number} {entry.about}")
    yield from _changes(f"{number} {entry.about}", entry.changes)


def _changes(where: str, changes: Sequence[Judged]) -> Iterator[Row]:
    """Those that break somebody come first."""
    for judged in sorted(changes, key=lambda judged: -judged.severity)[:MOST_CHANGES]:
        change = judged.change
        path = visible(change.path) or "the whole value"
        yield Row(f"  {path}", visible(judged.why))
        old = ABSENT if change.kind == ADDED else change.old
        new = ABSENT if change.kind == REMOVED else change.new
        for row in rows(old, new):
            left, right = (None if side is None else f"    {side}" for side in (row.left, row.right))
            # One difference, however many values of it differ.
            yield Row(left, right, row.kind, f"{where} {change.path}")
    if len(changes) > MOST_CHANGES:
        yield Row(f"  … and {counted(len(changes) - MOST_CHANGES, 'more difference')}", "")
