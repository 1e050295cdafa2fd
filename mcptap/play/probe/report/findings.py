"""What `check` says of a probe's recordings, all of them together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.unjudged import unjudged, without_judged_elsewhere
from mcptap.diagnosis.problems import findings_in
from mcptap.play.probe.result import ProbedSession
from mcptap.protocol.contract.lock import Lock
from mcptap.protocol.expectations.expectation import Expectation


@dataclass(frozen=True, slots=True)
class ProbeFinding:
    """A finding and the session it is from."""

    session: ProbedSession
    finding: Finding

    @property
    def counts(self) -> bool:
        """Whether it fails the probe."""
        return self.finding.level > Level.INFO and not self.finding.design


def findings_of(
    sessions: Iterable[ProbedSession],
    expectations: Sequence[Expectation] = (),
    lock: Lock | None = None,
) -> list[ProbeFinding]:
    """The findings about the server in all sessions, each rule and subject once, worst first.

    What is expected has to be so in each session that can tell. `lock` is what was approved of it.
    """
    each = [
        (session, findings_in(session.path, session.sibling or None, expectations, lock))
        for session in sessions
        if session.path
    ]
    not_judged = [unjudged(findings) for _, findings in each]
    seen: set[tuple[str, str]] = set()
    found: list[ProbeFinding] = []
    for session, findings in each:
        for finding in without_judged_elsewhere(findings, not_judged):
            key = finding.rule, finding.subject
            if key in seen or RULES[finding.rule].about_questions:  # these have a verdict
                continue
            seen.add(key)
            found.append(ProbeFinding(session, finding))
    return sorted(found, key=lambda f: -f.finding.level)
