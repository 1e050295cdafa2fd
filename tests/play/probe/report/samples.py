"""Parts of a probe's report that its tests share."""

from dataclasses import replace

from mcptap.clients.client import Client
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.play.probe.client_report import ClientOutcome, ClientReport
from mcptap.play.probe.report.findings import ProbeFinding
from mcptap.play.probe.result import ProbedSession, ProbeResult
from mcptap.play.probe.verdict import Grade, Verdict

SESSION = ProbedSession("/records/a.jsonl", "initialize")
GOOD = ProbeResult({"start": [Verdict("ping", Grade.FINE, "answered")]}, sessions=[SESSION])
BAD = replace(GOOD, verdicts={"start": [Verdict("ping", Grade.BAD, "not answered")]})
ERROR = ProbeFinding(SESSION, Finding("stdout-not-json", Level.ERROR, 3, "It prints.", "Lost.", "Stop."))
HINT = ProbeFinding(SESSION, Finding("crlf", Level.INFO, None, "CR LF."))
DESIGN = ProbeFinding(SESSION, Finding("tool-name", Level.WARNING, None, "Odd.", design=True))
HUNG = ClientReport(Client("codex", "Codex", "1.0"), ClientOutcome.HUNG, "no answer")
LISTED = ClientReport(Client("codex", "Codex", "1.0"), ClientOutcome.LISTED, tools=["a"])
