"""What a probe comes to: verdicts, the server's description, and the recorded sessions."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.verdict import Grade, Verdict


@dataclass(slots=True)
class ProbedSession:
    """One recorded session of the probe."""

    path: str
    """The recording; empty if it could not be written."""
    what: str
    provoked: set[int] = field(default_factory=set)
    """Records of the server that came of deliberately bad input."""
    bad_lines: set[bytes] = field(default_factory=set)
    """The client's lines that were deliberately bad, without their LF."""
    counts: bool = True
    """False if the probe brought the session to its end: a verdict says what that was about."""
    sibling: bool = False
    """Whether it is one of two processes that a client starts for one session."""


@dataclass(slots=True)
class ProbeResult:
    """What a probe came to."""

    verdicts: dict[str, list[Verdict]] = field(default_factory=dict)
    """By section, in order."""
    server: ServerDescription | None = None
    sessions: list[ProbedSession] = field(default_factory=list)

    def add(self, section: str, question: str, grade: Grade, words: str) -> None:
        """Add a verdict."""
        self.verdicts.setdefault(section, []).append(Verdict(question, grade, words))

    @property
    def unrecorded(self) -> bool:
        """Whether a session could not be recorded: then nobody has judged it."""
        return any(not session.path for session in self.sessions)

    @property
    def bad(self) -> list[Verdict]:
        """The verdicts that count as findings."""
        return [v for section in self.verdicts.values() for v in section if v.grade is Grade.BAD]
