"""What two sessions differ in, as JSON for programs. Members are added, never renamed."""

from __future__ import annotations

from typing import Any

from mcptap.diagnosis.engine.finding import Finding
from mcptap.jsontext.diff import ADDED, REMOVED, Change
from mcptap.play.compare.comparison import SAME, Comparison, Entry
from mcptap.play.compare.session_diff import SessionDiff


def as_json(difference: SessionDiff) -> dict[str, Any]:
    """The whole difference; everything in it can be written as JSON."""
    return {
        "different": difference.different,
        "sections": [
            {
                "title": section.title,
                "counts": section.counts,
                "changes": [_change(change) for change in section.changes],
                "notes": section.notes,
            }
            for section in difference.sections
        ],
        "answers": [_entry(entry) for entry in difference.answers.entries],
        "findings": {
            "came": [_finding(finding) for finding in difference.new_findings],
            "went": [_finding(finding) for finding in difference.gone_findings],
        },
    }


def answers_as_json(comparison: Comparison) -> dict[str, Any]:
    """Answers beside recorded ones, as `send --compare` has them."""
    return {
        "different": comparison.different,
        "answers": [_entry(entry) for entry in comparison.entries],
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "status": entry.status,
        "about": entry.about,
        "note": entry.note,
        "counts": entry.counts and entry.status != SAME,
        "changes": [_change(change) for change in entry.changes],
    }


def _change(change: Change) -> dict[str, Any]:
    told: dict[str, Any] = {"path": change.path, "kind": change.kind}
    if change.kind != ADDED:
        told["old"] = change.old
    if change.kind != REMOVED:
        told["new"] = change.new
    return told


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "level": finding.level.word,
        "line": finding.line,
        "subject": finding.subject,
        "message": finding.message,
    }
