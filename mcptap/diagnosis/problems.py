"""A whole recording judged: its findings, how many problems it has, and what it came to."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace

from mcptap.captures.open import open_source
from mcptap.captures.summary import Summary
from mcptap.diagnosis.beginning import look_ahead
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.explain.verdict import Verdict
from mcptap.protocol.contract.lock import Lock
from mcptap.protocol.expectations.expectation import Expectation
from mcptap.recording.reader import Reader


def findings_in(
    path: str,
    sibling: bool | None = None,
    expectations: Iterable[Expectation] = (),
    lock: Lock | None = None,
) -> list[Finding]:
    """The findings about a recording.

    `sibling` tells whether the client started the server once more right after, so that this
    session was a probe. `expectations` are judged besides, and what differs from the `lock`. Raises
    RecordingError if the file is no recording.
    """
    return _diagnosed(path, sibling, expectations, lock).findings()


def judged(summary: Summary, *, is_probe: bool, large: bool = False) -> Summary:
    """The summary with what the recording came to, and how many problems it has but for those of design.

    A big file stays unjudged unless `large` ones are wanted: it takes too long for a list. Raises
    RecordingError if it is no recording.
    """
    if not (summary.is_exact or large):
        return summary
    if summary.origin:
        diagnosis, verdict = _of_capture(summary.path)
    else:
        diagnosis = _diagnosed(summary.path, True if is_probe else None)
        verdict = diagnosis.verdict()
    findings = diagnosis.findings()
    first = next((finding for finding in findings if not finding.design), None)
    return replace(
        summary,
        problems=_counted(findings),
        outcome=verdict.outcome.value,
        verdict=verdict.said,
        remedy=first.remedy if first is not None and first.level > Level.INFO else "",
        open=verdict.open,
        messages=summary.messages if summary.is_exact else diagnosis.session.traffic.messages,
        is_exact=True,
    )


def _diagnosed(
    path: str,
    sibling: bool | None,
    expectations: Iterable[Expectation] = (),
    lock: Lock | None = None,
) -> Diagnosis:
    with Reader(path) as reader:
        diagnosis = Diagnosis(reader.header, sibling=sibling, expectations=expectations, lock=lock)
        for item in reader.items():
            diagnosis.feed(item)
        diagnosis.finish(reader.state(), reader.unfinished(), time.time_ns() // 1000)
        return diagnosis


def _of_capture(path: str) -> tuple[Diagnosis, Verdict]:
    """What another tool captured, judged by what it can prove."""
    with closing(open_source(path)) as source:
        evidence = source.evidence
        partial, items = look_ahead(source.items(), evidence)
        diagnosis = Diagnosis(source.header, timed=evidence.times, partial=partial, evidence=evidence)
        for item in items:
            diagnosis.feed(item)
        diagnosis.finish(source.state(), source.unfinished())
        return diagnosis, diagnosis.verdict(source.lines, source.passed_over)


def _counted(findings: Iterable[Finding]) -> dict[str, int]:
    counts = {level.word: 0 for level in sorted(Level, reverse=True)}
    for finding in findings:
        if not finding.design:
            counts[finding.level.word] += 1
    return counts
