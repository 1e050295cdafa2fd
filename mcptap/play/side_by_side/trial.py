"""A server as one client would start it, played, and what is different from how it is at the user's own."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mcptap.clients.client import Client
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.cause import find_cause, find_difference
from mcptap.play.probe.client_report import ClientOutcome, ClientReport
from mcptap.play.probe.client_session import play_client_session
from mcptap.play.probe.observation import Observer
from mcptap.play.probe.report.findings import ProbeFinding, findings_of
from mcptap.play.probe.result import ProbedSession
from mcptap.play.server.launch import Launch


@dataclass(slots=True)
class Trial:
    """A server and a client that is to start it, and, once it was played, what came of it."""

    server: str
    """What the server is called: the name of its entry; empty if it has none."""
    client: Client
    own: Launch
    """How the user starts it."""
    launch: Launch
    """How the client does."""
    report: ClientReport
    skipped: str = ""
    """Why it is not played; empty if it is."""
    is_unusable: bool = False
    """Whether that is itself wrong: its client could not start it either."""
    path: str = ""
    """The configuration that it stands in."""
    line: int | None = None
    """Where it stands there."""
    found: list[ProbeFinding] = field(default_factory=list)
    unrecorded: bool = False
    """Whether it was played, and could not be recorded: then nobody has judged it."""

    @property
    def ok(self) -> bool:
        """Whether the client would have had all of the server, and nothing above a note was found.

        What is not played on purpose is fine.
        """
        if self.skipped:
            return not self.is_unusable
        return self.report.works and not self.unrecorded and not any(one.counts for one in self.found)


async def play(trial: Trial, settings: ConnectionSettings, observer: Observer) -> None:
    """Play the client's session with a fresh server, look for the cause of what is wrong, and judge it."""
    report = trial.report
    await play_as_client(replace(settings, launch=trial.launch), trial.own, report, observer)
    trial.unrecorded = not report.path and report.outcome is not ClientOutcome.FAILED
    if report.path:
        trial.found = findings_of([ProbedSession(report.path, f"as {report.client.name}")])


async def play_as_client(
    settings: ConnectionSettings, own: Launch, report: ClientReport, observer: Observer
) -> None:
    """Complete the report on the client: its session, and which of its conditions makes the difference."""
    launch = settings.launch
    await play_client_session(report.client, settings, launch, report)
    if not report.runs or report.refused or report.outcome is ClientOutcome.HUNG:
        report.cause = await find_cause(settings, own, launch, report.waited_s, observer)
    elif report.connects:
        found = await find_difference(observer, own, launch)
        if found is not None:
            report.less, report.cause = found.less, found.cause
