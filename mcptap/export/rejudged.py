"""What masking does to the findings: each has to be there before and after, by rule, level and record."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.captures.open import Source
from mcptap.diagnosis.beginning import look_ahead
from mcptap.diagnosis.diagnosis import Diagnosis

MOST_COMPARED = 60_000
"""Records: both recordings are judged in some seconds."""

Judged = set[tuple[str, int, int | None]]
"""Rule, level and record of each finding."""


def judged(source: Source) -> Judged:
    """What is found in a session."""
    partial, items = look_ahead(source.items(), source.evidence)
    diagnosis = Diagnosis(
        source.header, timed=source.evidence.times, partial=partial, evidence=source.evidence
    )
    for item in items:
        diagnosis.feed(item)
    found = diagnosis.finish(source.state(), source.unfinished())
    return {(finding.rule, int(finding.level), finding.line) for finding in found}


def hanging_on_masks(before: Judged, after: Judged) -> Iterator[dict[str, object]]:
    """The findings that only one of both has: they depend on how a value looked that is masked."""
    places = {(rule, line) for rule, _, line in before ^ after}
    for rule, line in sorted(places, key=lambda place: (place[1] or 0, place[0])):
        yield {"rule": rule, "line": line}
