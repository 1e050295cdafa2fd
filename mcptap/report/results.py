"""What a check came to: the common input of all report forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from mcptap.captures.evidence import COMPLETE, Evidence
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.unjudged import without_judged_elsewhere
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.protocol.statistics.counts import Statistics
from mcptap.recording.format.model import Header


@dataclass(slots=True)
class CheckedFile:
    """One file, judged. `findings` are those to be shown, root causes first."""

    path: str
    header: Header
    evidence: Evidence = COMPLETE
    state: str = ""
    """`live`, `finished`, `crashed` or `unknown`."""
    verdict: str = ""
    """What became of the session and why, in a sentence or two."""
    outcome: Outcome = Outcome.UNCLEAR
    """The same in a word."""
    limits: str = ""
    """What the recording can't tell, in sentences."""
    open_requests: int = 0
    """How many requests wait for their answer, or did when the session ended."""
    findings: list[Finding] = field(default_factory=list)
    ignored: Counter[str] = field(default_factory=Counter)
    """How many findings of each rule the user chose to leave out."""
    messages: int = 0
    """Lines of the two channels."""
    last_us: int = 0
    """Time of the last record, in microseconds of the session."""
    statistics: Statistics | None = None
    """The numbers, if they were asked for."""
    client: str = ""
    """Name and version of the client as it gave them; empty if it gave none."""
    server: str = ""
    """Name and version of the server as it gave them."""
    recognised: str = ""
    """What the client was recognised as, by its name or its process; empty if it was not."""
    revision: str = ""
    """The protocol revision that the session settled on; empty if none."""
    damaged: int = 0
    """How many records are missing, or could not be read."""
    unjudged: frozenset[str] = frozenset()
    """Which of the user's expectations could not be judged in it."""

    def count(self, level: Level, design: bool = False) -> int:
        """How many findings there are at this level, in the group asked for."""
        return sum(1 for f in self.findings if f.level == level and f.design == design)


@dataclass(slots=True)
class UnusableFile:
    """A file that could not be judged, and why, in a sentence that names it."""

    path: str
    why: str


class Judged(Protocol):
    """What the forms for CI read: a check, or what else was judged (`report.suites`)."""

    @property
    def findings(self) -> Iterator[tuple[Finding, str]]:
        """Each finding with the path of its file; empty if it is in none."""

    @property
    def unusable(self) -> Sequence[UnusableFile]:
        """What could not be judged."""

    def ci_level(self, finding: Finding) -> Level:
        """The level that a finding has for CI."""


@dataclass(slots=True)
class Results:
    """A whole check. `design_counts`: findings about tool design can fail it."""

    files: list[CheckedFile] = field(default_factory=list)
    unusable: list[UnusableFile] = field(default_factory=list)
    design_counts: bool = False
    fail_on: Level | None = Level.WARNING
    """The lowest level that fails the check; None: none does."""

    def drop_judged_elsewhere(self) -> None:
        """Take away what is said of expectations that another file could judge."""
        sessions = [file.unjudged for file in self.files]
        for file in self.files:
            file.findings = without_judged_elsewhere(file.findings, sessions)

    @property
    def findings(self) -> Iterator[tuple[Finding, str]]:
        """Each finding with the path of its file."""
        return ((finding, file.path) for file in self.files for finding in file.findings)

    def ci_level(self, finding: Finding) -> Level:
        """The level that a finding has for CI: tool design is a note unless it counts."""
        return Level.INFO if finding.design and not self.design_counts else finding.level

    def worst(self) -> Level | None:
        """The highest level found; tool design is left out unless it counts. None if nothing was found."""
        levels = (finding.level for finding, _ in self.findings if self.design_counts or not finding.design)
        return max(levels, default=None)
