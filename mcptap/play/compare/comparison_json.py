"""What two sessions differ in, as JSON for programs. Members are added, never renamed."""

from __future__ import annotations

from typing import Any

from mcptap.jsontext.diff import ADDED, REMOVED
from mcptap.play.compare.comparison import NOISE, SAME, Comparison, Entry
from mcptap.play.compare.session_diff import SessionDiff
from mcptap.play.compare.severity import Judged


def as_json(difference: SessionDiff) -> dict[str, Any]:
    """The whole difference; everything in it can be written as JSON."""
    return {
        "different": difference.different,
        "severity": difference.severity.word,
        "sections": [
            {
                "title": section.title,
                "counts": section.counts,
                "changes": [_change(change) for change in section.changes],
                "notes": section.notes,
                "severity": section.severity.word,
                "taken_as_same": [_change(change) for change in section.overlooked],
            }
            for section in difference.sections
        ],
        "answers": [_entry(entry) for entry in difference.answers.entries],
        "findings": {
            "came": [finding.as_object() for finding in difference.new_findings],
            "went": [finding.as_object() for finding in difference.gone_findings],
        },
    }


def answers_as_json(comparison: Comparison) -> dict[str, Any]:
    """Answers beside recorded ones, as `send --compare` has them."""
    return {
        "different": comparison.different,
        "severity": comparison.severity.word,
        "answers": [_entry(entry) for entry in comparison.entries],
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "status": entry.status,
        "about": entry.about,
        "note": entry.note,
        "counts": entry.counts and entry.status not in (SAME, NOISE),
        "changes": [_change(change) for change in entry.changes],
        "severity": entry.severity.word,
        "why": entry.why,
        "taken_as_same": [_change(change) for change in entry.overlooked],
    }


def _change(judged: Judged) -> dict[str, Any]:
    change = judged.change
    told: dict[str, Any] = {"path": change.path, "kind": change.kind}
    if change.kind != ADDED:
        told["old"] = change.old
    if change.kind != REMOVED:
        told["new"] = change.new
    return {**told, "severity": judged.severity.word, "why": judged.why}
