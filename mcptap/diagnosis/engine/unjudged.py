"""Expectations that one session could not judge, and another one of the same check could."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mcptap.diagnosis.engine.finding import Finding
from mcptap.diagnosis.engine.registry import RULES


def unjudged(findings: Iterable[Finding]) -> frozenset[str]:
    """The expectations that could not be judged, as these findings tell."""
    return frozenset(finding.subject for finding in findings if RULES[finding.rule].tells_unjudged)


def without_judged_elsewhere(
    findings: Iterable[Finding], sessions: Sequence[frozenset[str]]
) -> list[Finding]:
    """The findings of one session, but for those on expectations that others judged.

    `sessions` has for each session of the check what could not be judged in it.
    """
    nowhere = frozenset.intersection(*sessions) if sessions else frozenset()
    return [f for f in findings if not RULES[f.rule].tells_unjudged or f.subject in nowhere]
