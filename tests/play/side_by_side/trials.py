"""Trials that were played, without playing."""

from __future__ import annotations

from typing import Any

from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.play.probe.client_report import ClientOutcome, ClientReport
from mcptap.play.probe.report.findings import ProbeFinding
from mcptap.play.probe.result import ProbedSession
from mcptap.play.server.launch import Launch
from mcptap.play.side_by_side.trial import Trial

SECRET = "sk-ant-api03-0123456789abcdefghij"  # noqa: S105 - it is nobody's


def trial(
    server: str = "",
    client: str = "claude-code",
    *,
    skipped: str = "",
    level: Level | None = None,
    **told: Any,
) -> Trial:
    """A trial whose report has these fields, with a finding of this level."""
    launch = Launch(["server"], "/work", {})
    facts = {"outcome": ClientOutcome.LISTED, "tools": ["a", "b"], "path": "/r/x.jsonl", **told}
    report = ClientReport(CLIENTS[client], **facts)
    one = Trial(server, CLIENTS[client], launch, launch, report, skipped)
    if level is not None:
        finding = Finding("stdout-not-json", level, 7, f"A print of {SECRET}.", remedy="Leave it.")
        one.found.append(ProbeFinding(ProbedSession("/r/x.jsonl", "x"), finding))
    return one
