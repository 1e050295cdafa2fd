"""What `check` says of a probe's recordings, all of them together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.problems import findings_in
from mcptap.play.probe.result import ProbedSession


@dataclass(frozen=True, slots=True)
class ProbeFinding:
    """A finding and the session it is from."""

    session: ProbedSession
    finding: Finding

    @property
    def counts(self) -> bool:
        """Whether it fails the probe."""
        return self.finding.level > Level.INFO and not self.finding.design


def findings_of(sessions: Iterable[ProbedSession]) -> list[ProbeFinding]:
    """The findings about the server in all sessions, each rule and subject once, worst first."""
    seen: set[tuple[str, str]] = set()
    found: list[ProbeFinding] = []
    for session in sessions:
        if not session.path:
            continue
        for finding in findings_in(session.path, sibling=session.sibling or None):
            key = finding.rule, finding.subject
            if key in seen or RULES[finding.rule].about_questions:  # these have a verdict
                continue
            seen.add(key)
            found.append(ProbeFinding(session, finding))
    return sorted(found, key=lambda f: -f.finding.level)
