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
    sibling: bool = False
    """Whether it is one of two processes that a client starts for one session."""


@dataclass(slots=True)
class ProbeResult:
    """What a probe came to."""

    verdicts: dict[str, list[Verdict]] = field(default_factory=dict)
    """By section, in order."""
    server: ServerDescription | None = None
    sessions: list[ProbedSession] = field(default_factory=list)
    calls: int = 0
    """How many times a tool that the server lists was called, be it with wrong arguments."""
    no_server: str = ""
    """Why it looks as if the command is no MCP server, as a sentence without its end; empty if it is one."""

    def add(self, section: str, question: str, grade: Grade, words: str) -> None:
        """Add a verdict."""
        self.verdicts.setdefault(section, []).append(Verdict(question, grade, words))

    @property
    def unrecorded(self) -> bool:
        """Whether a session could not be recorded: then nobody has judged it."""
        return any(not session.path for session in self.sessions)

    @property
    def differing(self) -> list[Verdict]:
        """The verdicts on answers that are not to the letter."""
        return [v for section in self.verdicts.values() for v in section if v.grade is Grade.DIFFERS]

    @property
    def bad(self) -> list[Verdict]:
        """The verdicts that count as findings."""
        return [v for section in self.verdicts.values() for v in section if v.grade is Grade.BAD]
