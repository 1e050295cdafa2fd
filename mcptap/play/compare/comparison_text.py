"""A comparison as text for people."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mcptap.jsontext.diff import ADDED, REMOVED, Change
from mcptap.play.compare.comparison import SAME, Comparison, Entry
from mcptap.text.escape import visible

if TYPE_CHECKING:
    from mcptap.play.compare.session_diff import SessionDiff

WIDTH = 160
"""The most characters of a value that are shown, with the first difference among them."""

MAX_CHANGES = 40
MAX_LINES = 30


def lines(comparison: Comparison) -> Iterator[str]:
    """The lines of the text, without newlines: what differs, then a summary."""
    for entry in comparison.entries:
        if entry.status != SAME:
            yield from _entry(entry)
    yield summary(comparison)


def diff_lines(difference: SessionDiff) -> Iterator[str]:
    """The lines of the text for two sessions: section by section, then a summary."""
    for section in difference.sections:
        if section.changes or section.notes:
            yield f"{section.title}:"
            yield from (f"  {visible(note)}" for note in section.notes)
            for change in section.changes[:MAX_CHANGES]:
                yield from change_lines(change)
            if len(section.changes) > MAX_CHANGES:
                yield f"  … and {len(section.changes) - MAX_CHANGES} more differences"
    yield "answers:"
    yield from (f"  {line}" for line in lines(difference.answers))
    if difference.new_findings or difference.gone_findings:
        yield "findings:"
        for sign, findings in (("-", difference.gone_findings), ("+", difference.new_findings)):
            for finding in findings:
                yield f"  {sign} {finding.level.word} {finding.rule}: {visible(finding.message)}"
    yield "different" if difference.different else "the same"


def summary(comparison: Comparison) -> str:
    """One line that says how much is the same and how much is not."""
    statuses = dict.fromkeys(entry.status for entry in comparison.entries)
    counts = [f"{comparison.count(status)} {status}" for status in statuses]
    verdict = "different" if comparison.different else "the same"
    return f"compared: {verdict}" + (f" ({', '.join(counts)})" if counts else "")


def _entry(entry: Entry) -> Iterator[str]:
    note = f": {_short(visible(entry.note))}" if entry.note else ""
    yield f"{entry.status}: {visible(entry.about)}{note}"
    for change in entry.changes[:MAX_CHANGES]:
        yield from change_lines(change)
    if len(entry.changes) > MAX_CHANGES:
        yield f"  … and {len(entry.changes) - MAX_CHANGES} more differences"


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
