"""The session of a known client with a fresh server, played, and what that client would have shown.

What is known of the client is done as it does it; what is not known is done in the usual
way and named as an assumption (see `clients.facts`). What the client does about a fault is taken from
what is known of it, or else of its library, which is then said: `report.doubtful`.
"""

from __future__ import annotations

import math
import os
from dataclasses import replace

import trio

from mcptap.clients.client import Client, Opening, StartLimit, StopStep, Until
from mcptap.clients.faults import Fault
from mcptap.clients.limits import shortest
from mcptap.clients.outcomes import Outcome
from mcptap.clients.reactions import known_outcome
from mcptap.errors import UserError
from mcptap.play.client.connection import Connection, ConnectionSettings, connect
from mcptap.play.client.messages import reply
from mcptap.play.client.opening import OpeningOutcome, OpeningResult, discover, initialize
from mcptap.play.client.persona import Persona
from mcptap.play.client.server_description import describe_server
from mcptap.play.probe.client_report import ClientOutcome, ClientReport, with_source
from mcptap.play.probe.judgement import Judgement, dropped, forgiven
from mcptap.play.server.launch import Launch
from mcptap.play.server.stop import stop_sequence
from mcptap.protocol.model.message import Message
from mcptap.protocol.revisions import NEWEST_HANDSHAKE
from mcptap.text.enumeration import listed
from mcptap.text.units import duration

MEASURED = 12
"""Of a client with so many reactions of its own nothing hangs on the library that it uses."""

STDERR_WAIT_S = 1.0
"""How long the stderr of a server that ended is waited for."""


async def play_client_session(
    client: Client, settings: ConnectionSettings, launch: Launch, report: ClientReport
) -> None:
    """Play the client's session with a fresh server, and complete the report on it."""
    opening = client.opening.value
    if opening is None:
        report.assumptions.append(
            f"first messages: not known; initialize with {NEWEST_HANDSHAKE} was sent, declaring nothing"
        )
        opening = Opening(NEWEST_HANDSHAKE)
    else:
        report.conditions.append(("first messages", with_source(_messages(opening), client.opening)))
        if opening.capabilities is None:
            report.assumptions.append("capabilities: not known; none were declared")
    limit_s = _limit(client, settings, report)
    try:
        modern = (
            opening.discovers and opening.sibling and await _ask_sibling(client, settings, launch, opening)
        )
        began = trio.current_time()
        stop = _stop(client, report)
        judgement = Judgement(client, report)

        async def play(opening: Opening, limit_s: float) -> tuple[Connection, _Session]:
            async with connect(settings, f"as {client.name}", launch, dropped(client)) as connection:
                report.path = connection.recording_path
                connection.forgives = forgiven(client)
                declared, folder = _persona(client).capabilities, launch.cwd or os.getcwd()
                connection.reply = lambda request: reply(request, declared, folder)
                session = _Session(client, connection, report, limit_s, judgement)
                await session.play(opening, modern)
                await connection.stop(stop)
            return connection, session

        connection, session = await play(opening, limit_s)
        if session.starts_anew:
            report.refused = False
            left_s = max(limit_s - (trio.current_time() - began), 0)
            connection, session = await play(replace(opening, discovers=False), left_s)
        judgement.judge_lines(connection.received, session.connected_at)
    except UserError as error:
        report.outcome, report.why = ClientOutcome.FAILED, str(error)
        return
    judgement.judge_findings(session.decisive)
    _tell_unknown(client, report)


def _limit(client: Client, settings: ConnectionSettings, report: ClientReport) -> float:
    limit = client.start_limit.value
    if limit is None:
        report.assumptions.append(f"time limit for the start: not known; {settings.start_s:g} s were waited")
        return settings.start_s
    report.conditions.append(("time limit", with_source(_counted(limit), client.start_limit)))
    if limit.seconds > settings.start_s:
        report.assumptions.append(
            f"time limit: {settings.start_s:g} s were waited at most, see --start-timeout"
        )
    return min(limit.seconds, settings.start_s)


def _counted(limit: StartLimit) -> str:
    if limit.seconds == math.inf:
        return "none for the start"
    setting = f", unless {limit.setting} is set" if limit.setting else ""
    return f"{limit.seconds:g} s from {limit.since.value} to {limit.until.value}{setting}"


def _messages(opening: Opening) -> str:
    where = "a process of its own" if opening.sibling else "the same process"
    before = f"server/discover, {opening.discover_wait_s:g} s, in {where}; " if opening.discovers else ""
    declares = listed(list(opening.capabilities)) if opening.capabilities else "nothing"
    declared = "" if opening.capabilities is None else f", declaring {declares}"
    return f"{before}initialize with {opening.handshake}{declared}"


def _persona(client: Client) -> Persona:
    """What the client says of itself."""
    opening = client.opening.value
    declared = opening.capabilities if opening is not None else None
    return Persona({"name": client.id, "version": client.version or "0"}, declared or {})


async def _ask_sibling(
    client: Client, settings: ConnectionSettings, launch: Launch, opening: Opening
) -> bool:
    async with connect(settings, f"as {client.name}: server/discover", launch) as connection:
        opened = await discover(connection, opening.discover_id, opening.discover_wait_s, _persona(client))
        await connection.stop()
    return opened.outcome is OpeningOutcome.ACCEPTED


def _stop(client: Client, report: ClientReport) -> tuple[StopStep, ...]:
    if client.stop.value is None:
        report.assumptions.append("way of stopping: not known; end of input, 2 s, SIGTERM, 2 s, SIGKILL")
        return stop_sequence(2)
    steps = client.stop.value
    words = ", ".join(f"{s.action}, {s.wait_s:g} s" for s in steps)
    report.conditions.append(("way of stopping", with_source(f"{words}, SIGKILL", client.stop)))
    return steps


def _tell_unknown(client: Client, report: ClientReport) -> None:
    if not client.libraries.known and not client.is_library and len(client.reactions) < MEASURED:
        report.assumptions.append("library: not known; messages were read as every known library reads them")


class _Session:
    """The conversation, and the judgement on it."""

    def __init__(
        self,
        client: Client,
        connection: Connection,
        report: ClientReport,
        limit_s: float,
        judgement: Judgement,
    ) -> None:
        self._client = client
        self._connection = connection
        self._report = report
        self._limit_s = limit_s
        self._judgement = judgement
        start = client.start_limit.value
        self._own_limit_s = None if start is None else start.seconds
        self._asked = "initialize"
        self.connected_at: int | None = None
        """The place of the answer to the opening among what was received."""
        self._lists: list[Message] = []
        self.starts_anew = False
        """Whether the client now sends `initialize` alone to a process that is started anew."""

    @property
    def decisive(self) -> set[int]:
        """The records without which the client has no tools: the answers to its opening and to tools/list."""
        at = self.connected_at
        opened = {self._connection.received[at].number} if at is not None else set()
        return opened | {message.number for message in self._lists}

    async def play(self, opening: Opening, modern: bool) -> None:
        """Opening and tools/list, each within the client's time limit for it."""
        connection = self._connection
        began = trio.current_time()
        with trio.move_on_after(self._limit_s) as scope:
            opened = await self._open(opening, modern)
            if opened.outcome is not OpeningOutcome.ACCEPTED:
                await self._tell_refusal(opened)
                return
            assert opened.response is not None
            self.connected_at = connection.received.index(opened.response)
            self._tell_slowness(trio.current_time() - began)
            version = opened.result.get("protocolVersion")
            if not connection.meta and not self._judgement.takes_revision(opening, version):
                return
            self._limit_for_list(scope)
            await self._ask_for_tools(opened)
            return
        if scope.cancelled_caught:
            self._tell_silence(self._asked)

    def _limit_for_list(self, scope: trio.CancelScope) -> None:
        """The start limit goes on to the tool list, or the limit of a request begins."""
        self._asked = "tools/list"
        start, request = self._client.start_limit.value, self._client.request_limit.value
        if start is not None and start.until is Until.LISTED:
            return
        start_s = self._connection.settings.start_s
        self._own_limit_s = None if request is None else request.seconds
        self._limit_s = start_s if request is None else min(request.seconds, start_s)
        scope.deadline = trio.current_time() + self._limit_s

    async def _open(self, opening: Opening, modern: bool) -> OpeningResult:
        connection = self._connection
        persona = _persona(self._client)
        if opening.discovers and (modern or not opening.sibling):
            opened = await discover(connection, opening.discover_id, opening.discover_wait_s, persona)
            if opened.outcome in (OpeningOutcome.ACCEPTED, OpeningOutcome.GONE):
                return opened
            was_silent = opened.outcome is OpeningOutcome.SILENT
        else:
            was_silent = False
        opened = await initialize(connection, opening.handshake, persona, self._limit_s + 1)
        if opened.outcome is OpeningOutcome.REFUSED and was_silent and opening.asks_again:
            again = await discover(connection, None, opening.discover_wait_s, persona)
            if again.outcome is OpeningOutcome.ACCEPTED:
                return again
            self.starts_anew = True
        return opened

    async def _ask_for_tools(self, opened: OpeningResult) -> None:
        report, connection = self._report, self._connection
        declared = opened.result.get("capabilities")
        declares_tools = isinstance(declared, dict) and "tools" in declared
        does = known_outcome(self._client, Fault.UNDECLARED_TOOLS)
        if not declares_tools and does is not None and does.value is Outcome.NEVER_ASKS:
            report.outcome = ClientOutcome.NO_TOOLS
            report.why = (
                f"the server does not declare tools; {self._judgement.told(Fault.UNDECLARED_TOOLS, does)}"
            )
            return
        server = await describe_server(connection, opened, undeclared=frozenset({"tools"}))
        self._lists = server.responses.get("tools", [])
        if connection.ended:
            report.outcome, report.why = (
                ClientOutcome.DISCONNECTED,
                "the server ended while it was asked what it offers",
            )
            return
        report.tools = [str(tool.get("name")) for tool in server.tools]
        if report.tools:
            report.outcome = ClientOutcome.LISTED
            if "tools" in server.errors and not isinstance(self._lists[-1].result, dict):
                self._judgement.judge_page_error(server.errors["tools"])
        elif "tools" in server.errors:
            report.outcome, report.why = ClientOutcome.NO_TOOLS, f"tools/list: {server.errors['tools']}"
        else:
            report.outcome, report.why = ClientOutcome.NO_TOOLS, "the server lists none"

    async def _tell_refusal(self, opened: OpeningResult) -> None:
        report = self._report
        if opened.outcome is OpeningOutcome.GONE:
            with trio.move_on_after(STDERR_WAIT_S):
                await self._connection.server.exited.wait()
            last = (
                self._connection.stderr[-1].data.decode(errors="replace") if self._connection.stderr else ""
            )
            report.outcome, report.ended_early = ClientOutcome.DISCONNECTED, True
            report.why = "the server ended before it answered" + (
                f"; its last words: {last}" if last.strip() else ""
            )
        elif opened.outcome is OpeningOutcome.SILENT:
            self._tell_silence("initialize")
        else:
            report.outcome, report.refused = ClientOutcome.DISCONNECTED, True
            report.why = f"initialize is {opened.description}"

    def _tell_slowness(self, took_s: float) -> None:
        """Say so where a start is slow, and nobody knows whether the client waits that long."""
        if not self._client.start_limit.known and took_s > shortest().seconds:
            self._report.remarks.append(
                f"it was ready after {duration(round(took_s * 1e6))}; how long {self._client.name} waits "
                f"is not known, and some clients wait {shortest().seconds:g} s"
            )

    def _tell_silence(self, request: str) -> None:
        report = self._report
        report.outcome, report.waited_s = ClientOutcome.HUNG, self._limit_s
        report.why = f"no answer to {request} that it can read within {self._limit_s:g} s"
        own_s = self._own_limit_s
        if own_s is not None and own_s > self._limit_s:
            report.why += f", and it would wait {'for ever' if own_s == math.inf else f'{own_s:g} s'}"
