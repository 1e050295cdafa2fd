"""What `check` says of a probe's recordings, without what the probe itself provoked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcptap.clients.faults import Fault
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.problems import findings_in
from mcptap.play.probe.result import ProbedSession
from mcptap.recording.format.model import Line
from mcptap.recording.reader import Reader
from mcptap.wire import CLIENT_TO_SERVER

NEVER_EXCUSED = frozenset(
    {
        Fault.NOT_JSON,
        Fault.GLUED_TEXT,
        Fault.MESSAGE_OVER_LINES,
        Fault.BYTE_ORDER_MARK,
        Fault.INVALID_UTF8,
        Fault.UTF16,
        Fault.BARE_VALUE,
        Fault.NULL_MEMBER,
        Fault.JSONRPC_VERSION,
    }
)
"""Faults of lines that no client can read: no question asks for such an answer."""


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
        provoked = session.provoked | _records_of(session.path, session.bad_lines)
        for finding in findings_in(session.path, sibling=session.sibling or None):
            key = finding.rule, finding.subject
            if key in seen or is_excused(finding, session, provoked):
                continue
            seen.add(key)
            found.append(ProbeFinding(session, finding))
    return sorted(found, key=lambda f: -f.finding.level)


def _records_of(path: str, bad_lines: set[bytes]) -> set[int]:
    """The record numbers of the client's deliberately bad lines."""
    with Reader(path) as reader:
        lines = (item for item in reader.items() if isinstance(item, Line))
        return {line.number for line in lines if line.channel == CLIENT_TO_SERVER and line.data in bad_lines}


def is_excused(finding: Finding, session: ProbedSession, provoked: set[int]) -> bool:
    """Whether a finding is the probe's own doing and not the server's."""
    if finding.side == "client":
        return True
    if finding.fault in NEVER_EXCUSED:
        return False
    if not session.counts:
        return True
    records = set(finding.records) | ({finding.line} if finding.line is not None else set())
    return bool(records) and records <= provoked
