"""What the diagnosis says of a session at one moment, in a form that can be sent to the screen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.protocol.statistics.counts import Statistics
from mcptap.tui.index.offered import Offered


@dataclass(frozen=True, slots=True)
class Judgement:
    """Findings, verdict and facts. `final` if nothing more can come."""

    findings: list[Finding] = field(default_factory=list)
    verdict: str = ""
    """What became of the session, and what the recording can't tell; that it is cut comes first."""
    outcome: Outcome = Outcome.UNCLEAR
    statistics: Statistics = field(default_factory=Statistics)
    offered: Offered = field(default_factory=Offered)
    """The tools that the server lists."""
    final: bool = False
    cut: bool = False
    """Whether the recording stops before the session does."""
    waits: bool = False
    """Whether a request has no answer so far, so that what is said ages."""
    record: int | None = None
    """The number of the record that shows the cause, or that waits."""
    advice: str = ""
    """What can be done about what waits, as long as no finding says it."""
    ending: str = ""
    """How the server's process ended (`exit status 3`); empty if that was not recorded."""
    client: str = ""
    """Name and version, as far as they can be told."""
    revision: str = ""
    """The protocol revision of the session."""
    requested: str = ""
    """The revision that the client asked for."""
    client_info: dict[str, Any] = field(default_factory=dict)
    server_info: dict[str, Any] = field(default_factory=dict)
    client_capabilities: dict[str, Any] | None = None
    server_capabilities: dict[str, Any] | None = None
    unknown_why: str = ""
    """Why capabilities that are None can't be known, if that is no fault of anybody."""
    counts: dict[str, int] = field(default_factory=dict)
    """Requests of the client by method."""

    def worst(self, now: int | None = None) -> dict[int, int]:
        """The level of the worst finding of each record, by index (number less one).

        With `now` of those findings alone that were known when the record at this index had come.
        """
        levels: dict[int, int] = {}
        for finding in self.findings:
            if now is not None and (finding.known is None or finding.known > now + 1):
                continue
            numbers = finding.records or ([finding.line] if finding.line else [])
            for number in numbers:
                if now is not None and number > now + 1:
                    continue
                levels[number - 1] = max(levels.get(number - 1, 0), int(finding.level))
        return levels

    def of_record(self, number: int) -> list[Finding]:
        """The findings that point at a record."""
        return [f for f in self.findings if f.line == number or number in f.records]

    def count(self, level: Level) -> int:
        """How many findings of this level there are, those about design left out."""
        return sum(f.level == level and not f.design for f in self.findings)
