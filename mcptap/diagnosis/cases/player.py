"""Plays cases: their sessions are judged, and what the rules say is held against what was expected."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.captures.evidence import Evidence
from mcptap.captures.formats.steps import StepError, Steps, evidence_of, header_of, lock_of
from mcptap.diagnosis.beginning import look_ahead
from mcptap.diagnosis.cases.case import OTHERS, SUFFIX, Case, CaseError
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.recording.format.model import Item


def play(case: Case, evidence: Evidence | None = None) -> list[Finding]:
    """The findings about a case; `evidence` in place of what it says is known. Raises CaseError."""
    return diagnosed(case, evidence).findings()


def diagnosed(case: Case, evidence: Evidence | None = None) -> Diagnosis:
    """The finished diagnosis of a case. Raises CaseError."""
    evidence = evidence or evidence_of(case.known)
    header = header_of(text for _, text in case.steps)
    steps = Steps()
    partial, session = look_ahead(items(case, steps), evidence)
    diagnosis = Diagnosis(
        header,
        timed=evidence.times,
        partial=partial,
        evidence=evidence,
        expectations=case.asked,
        lock=lock_of(text for _, text in case.steps),
    )
    for item in session:
        diagnosis.feed(item)
    diagnosis.finish(steps.state, steps.unfinished())
    return diagnosis


def items(case: Case, steps: Steps | None = None) -> Iterator[Item]:
    """The session of a case as a reader of recordings gives it. Raises CaseError."""
    steps = steps or Steps()
    for number, text in case.steps:
        try:
            yield from steps.feed(text)
        except StepError as error:
            raise CaseError(f"{case.file}{SUFFIX}, line {number}: {error}") from error
    yield from steps.finish()


def failures(case: Case, findings: list[Finding]) -> list[str]:
    """What is not as the case expects it, in sentences. A rule that it names says just what it expects."""
    left = list(findings)
    wrong = []
    for expected in case.speaks:
        found = next(
            (
                f
                for f in left
                if (f.rule, f.level) == (expected.rule, expected.level)
                and expected.words in f.message
                and (not expected.records or expected.records == tuple(f.records))
            ),
            None,
        )
        if found is None:
            wrong.append(f"expected, but not found: {expected}")
        else:
            left.remove(found)
    named = {expected.rule for expected in case.speaks} | set(case.quiet)
    for finding in left:
        if finding.rule in named or (OTHERS in case.quiet and finding.level > Level.INFO):
            at = " at " + " ".join(map(str, finding.records)) if finding.records else ""
            wrong.append(
                f"found, but not expected: {finding.level.word} {finding.rule}{at}: {finding.message}"
            )
    return wrong
