"""A probe with all that was found, judged as a whole: the common input of all forms of its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mcptap.diagnosis.engine.finding import Level
from mcptap.play.probe.client_report import ClientReport
from mcptap.play.probe.report.findings import ProbeFinding, findings_of
from mcptap.play.probe.result import ProbeResult
from mcptap.protocol.contract.lock import Lock
from mcptap.protocol.expectations.expectation import Expectation
from mcptap.text.units import counted

UNRECORDED = "sessions that could not be recorded were not judged"


@dataclass(slots=True)
class JudgedProbe:
    """What a probe came to: its result, the client that was played if one was, the findings."""

    result: ProbeResult
    as_client: ClientReport | None = None
    findings: list[ProbeFinding] = field(default_factory=list)
    is_kept: bool = True
    """Whether the recordings stay, so that records of them can be looked at."""

    @property
    def counting(self) -> list[ProbeFinding]:
        """The findings that fail the probe."""
        return [found for found in self.findings if found.counts]

    @property
    def problems(self) -> list[str]:
        """What fails the probe, in words."""
        result, client = self.result, self.as_client
        parts = []
        if client is not None and not client.connects:
            parts.append(f"{client.claim_of(client.client.name)}: {client.outcome.value}")
        elif client is not None and client.less:
            parts.append(f"under {client.client.name} it gives less than under your own conditions")
        if result.no_server:
            return [*parts, result.no_server]
        if result.bad:
            parts.append(counted(len(result.bad), "bad answer"))
        if self.counting:
            parts.append(counted(len(self.counting), "finding"))
        if result.unrecorded:
            parts.append(UNRECORDED)
        return parts

    @property
    def remarks(self) -> list[str]:
        """What is listed and fails nothing, in words."""
        differing = len(self.result.differing)
        design = sum(1 for found in self.findings if found.finding.design)
        notes = sum(1 for f in self.findings if f.finding.level is Level.INFO and not f.finding.design)
        return [
            words
            for count, words in (
                (differing, f"{counted(differing, 'answer')} not to the letter"),
                (design, f"{counted(design, 'remark')} on tool design"),
                (notes, counted(notes, "note")),
            )
            if count
        ]

    @property
    def ok(self) -> bool:
        """Whether nothing above info was found."""
        return not self.problems

    @property
    def summary(self) -> str:
        """The whole in one sentence: what is wrong, what else is listed, and what was not asked."""
        parts = self.problems or ["nothing is wrong with what was asked"]
        parts = [*parts, *(() if self.result.no_server else self.remarks)]
        calls, server = self.result.calls, self.result.server
        if server is not None and server.tools:
            parts.append(
                f"{counted(calls, 'tool call was', 'tool calls were')} made"
                if calls
                else "no tool was called"
            )
        return f"{'; '.join(parts)}."


def judge_probe(
    result: ProbeResult,
    as_client: ClientReport | None = None,
    *,
    is_kept: bool = True,
    expectations: Sequence[Expectation] = (),
    lock: Lock | None = None,
) -> JudgedProbe:
    """Judge the recordings of a probe, which have to be there. `is_kept`: they stay there. `lock` is what was
    approved of the server.
    """
    return JudgedProbe(result, as_client, findings_of(result.sessions, expectations, lock), is_kept)
