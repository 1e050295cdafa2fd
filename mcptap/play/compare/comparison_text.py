"""A comparison as text for people."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mcptap.jsontext.diff import ADDED, REMOVED, Change
from mcptap.play.compare.comparison import LATE, LIST_CHANGED, NOISE, SAME, Comparison
from mcptap.play.compare.severity import Judged
from mcptap.play.compare.volatile import DEFAULTS, KINDS, STATE
from mcptap.text.escape import visible
from mcptap.text.units import counted

if TYPE_CHECKING:
    from mcptap.play.compare.session_diff import SessionDiff

WIDTH = 160
"""The most characters of a value that are shown, with the first difference among them."""

MAX_CHANGES = 40
MAX_LINES = 30


def lines(comparison: Comparison, *, explain: bool = False) -> Iterator[str]:
    """The lines of the text, without newlines: what differs, then a summary.

    `explain`: also what was taken as the same, and as what.
    """
    yield from _entries(comparison)
    yield from _breaking(comparison.broken)
    yield from _overlooked(comparison.overlooked, explain)
    if explain:
        yield from (f"  {line}" for line in _explained(comparison))
    yield summary(comparison)


def diff_lines(difference: SessionDiff, *, explain: bool = False) -> Iterator[str]:
    """The lines of the text for two sessions: section by section, then a summary."""
    for section in difference.sections:
        if section.changes or section.notes:
            yield f"{section.title}:"
            yield from (f"  {visible(note)}" for note in section.notes)
            yield from _changes(section.changes)
    yield "answers:"
    yield from (f"  {line}" for line in (*_entries(difference.answers), summary(difference.answers)))
    if difference.new_findings or difference.gone_findings:
        yield "findings:"
        for sign, findings in (("-", difference.gone_findings), ("+", difference.new_findings)):
            for finding in findings:
                yield f"  {sign} {finding.level.word} {finding.rule}: {visible(finding.message)}"
    yield from _breaking(difference.broken)
    yield from _overlooked(difference.overlooked, explain)
    if explain:
        for section in difference.sections:
            for judged in section.overlooked:
                yield from (f"  {line}" for line in _overlooked_change(section.title, judged))
        yield from (f"  {line}" for line in _explained(difference.answers))
    yield "different" if difference.different else "the same"


def explanation() -> Iterator[str]:
    """What is taken as the same without a pattern, as lines of text."""
    yield "Taken as the same without being asked, and counted:"
    width = max(map(len, (*DEFAULTS, STATE, LIST_CHANGED)))
    yield f"  {STATE:{width}}  cursors, requestState and ids of tasks, which only their server understands"
    for name in DEFAULTS:
        yield f"  {name:{width}}  {KINDS[name].text}"
    yield f"  {LIST_CHANGED:{width}}  how often, and whether, the server said that a list has changed"
    yield f"  {LATE}: what a server asks or tells of itself when the client has its last answer"
    others = [kind for kind in KINDS.values() if not kind.always]
    yield "Only where a line of FILE.ignore asks for it, as in `** ~ numbers`:"
    yield from (f"  {kind.name:{width}}  {kind.text}" for kind in others)


def summary(comparison: Comparison) -> str:
    """One line that says how much is the same and how much is not."""
    statuses = dict.fromkeys(entry.status for entry in comparison.entries if entry.status != NOISE)
    counts = [f"{comparison.count(status)} {status}" for status in statuses]
    verdict = "different" if comparison.different else "the same"
    return f"compared: {verdict}" + (f" ({', '.join(counts)})" if counts else "")


def _overlooked(reasons: list[str], explain: bool) -> Iterator[str]:
    """What was taken as the same: a true change may be among it, so it is never silent."""
    if reasons:
        more = ":" if explain else "; --explain shows them"
        yield f"taken as the same: {counted(len(reasons), 'difference')}: {_listed(reasons)}{more}"


def _explained(comparison: Comparison) -> Iterator[str]:
    for entry in comparison.entries:
        for judged in entry.overlooked:
            yield from _overlooked_change(entry.about, judged)
        if entry.status == NOISE:
            yield f"{visible(entry.about)} ({visible(entry.why)}): {visible(entry.note)}"


def _overlooked_change(about: str, judged: Judged) -> Iterator[str]:
    yield f"{visible(about)} ({visible(judged.why)})"
    yield from change_lines(judged.change)


def _entries(comparison: Comparison) -> Iterator[str]:
    for entry in comparison.entries:
        if entry.status not in (SAME, NOISE):
            note = f": {_short(visible(entry.note))}" if entry.note else ""
            yield f"{entry.status}: {visible(entry.about)}{note}"
            yield from _changes(entry.changes)


def _breaking(reasons: list[str]) -> Iterator[str]:
    if reasons:
        yield f"may break who used the server before: {_listed(reasons)}"


def _listed(reasons: list[str]) -> str:
    return ", ".join(f"{reason} ({count})" for reason, count in Counter(map(visible, reasons)).items())


def _changes(changes: Sequence[Judged]) -> Iterator[str]:
    if len(changes) > MAX_CHANGES:  # those that break somebody must not be cut off
        changes = sorted(changes, key=lambda judged: -judged.severity)
    for judged in changes[:MAX_CHANGES]:
        path, *values = change_lines(judged.change)
        yield path + (f" ({judged.why})" if judged.why else "")
        yield from values
    if len(changes) > MAX_CHANGES:
        yield f"  … and {len(changes) - MAX_CHANGES} more differences"


def change_lines(change: Change) -> Iterator[str]:
    """A difference: its path, then the old and the new value."""
    yield f"  {visible(change.path) or 'the whole value'}"
    if change.kind == REMOVED:
        yield f"    - {_short(spelled(change.old))}"
    elif change.kind == ADDED:
        yield f"    + {_short(spelled(change.new))}"
    elif _is_long_text(change.old) and _is_long_text(change.new):
        yield from _text_lines(change.old, change.new)
    else:
        old, new = _window(spelled(change.old), spelled(change.new))
        yield f"    - {old}"
        yield f"    + {new}"


def spelled(value: Any) -> str:
    """A value as JSON on one line, fit for a terminal."""
    return visible(json.dumps(value, ensure_ascii=False))


def _is_long_text(value: Any) -> bool:
    return isinstance(value, str) and value.count("\n") > 1


def _text_lines(old: str, new: str) -> Iterator[str]:
    """The lines of a text that differ, as `diff` would show them."""
    shown = 0
    for line in difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1):
        if line.startswith(("---", "+++", "@@")):
            continue
        if shown == MAX_LINES:
            yield "    …"
            return
        shown += 1
        yield f"    {line[:1]} {_short(visible(line[1:]))}"


def _short(text: str) -> str:
    return text if len(text) <= WIDTH else text[:WIDTH] + "…"


def _window(old: str, new: str) -> tuple[str, str]:
    """Two long values from shortly before where they begin to differ."""
    at = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, at - 40) if max(len(old), len(new)) > WIDTH else 0
    before = "…" if start else ""
    return before + _short(old[start:]), before + _short(new[start:])
