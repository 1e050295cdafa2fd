"""The session of a known client with a fresh server, played, and what that client would have shown.

What is known of the client is done as it does it; what is not known is done in the usual
way and named as an assumption (see `clients.facts`).
"""

from __future__ import annotations

import math

import trio

from mcptap.clients.client import Client, Opening, StartLimit, StopStep, Until
from mcptap.clients.faults import Fault
from mcptap.clients.limits import shortest
from mcptap.clients.outcomes import Outcome
from mcptap.clients.reactions import known_outcome, reactions
from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.problems import findings_in
from mcptap.errors import UserError
from mcptap.play.client.connection import ALWAYS_DROPPED, Connection, ConnectionSettings, connect
from mcptap.play.client.opening import OpeningOutcome, OpeningResult, discover, initialize
from mcptap.play.client.server_description import describe_server
from mcptap.play.probe.client_report import ClientOutcome, ClientReport, with_source
from mcptap.play.server.launch import Launch
from mcptap.play.server.stop import stop_sequence
from mcptap.protocol.model.message import BLANK, MESSAGES, Flaw, Message
from mcptap.protocol.revisions import HANDSHAKE_REVISIONS, NEWEST_HANDSHAKE
from mcptap.text.units import duration

FAULTS = {
    Flaw.EXTRA_MEMBER: Fault.EXTRA_MEMBER,
    Flaw.NULL_MEMBER: Fault.NULL_MEMBER,
    Flaw.RESULT_AND_ERROR: Fault.RESULT_AND_ERROR,
}
"""Flaws of a message for which some clients ignore it; all ignore those of `ALWAYS_DROPPED`."""

LIST_FAULTS = (Fault.NULL_FIELD, Fault.INPUT_SCHEMA, Fault.RESULT_SHAPE)
"""Faults for which some clients throw the whole list of tools away."""

READS_NO_MORE = (Outcome.ENDS_SESSION, Outcome.STOPS_READING)

STDERR_WAIT_S = 1.0
"""How long the stderr of a server that ended is waited for."""


async def play_client_session(
    client: Client, settings: ConnectionSettings, launch: Launch, report: ClientReport
) -> None:
    """Play the client's session with a fresh server, and complete the report on it."""
    opening = client.opening.value
    if opening is None:
        report.assumptions.append(f"first messages: not known; initialize with {NEWEST_HANDSHAKE} was sent")
        opening = Opening(NEWEST_HANDSHAKE)
    else:
        report.conditions.append(("first messages", with_source(_messages(opening), client.opening)))
    limit_s = _limit(client, settings, report)
    try:
        modern = (
            opening.discovers and opening.sibling and await _ask_sibling(client, settings, launch, opening)
        )
        async with connect(settings, f"as {client.name}", launch, _drops(client)) as connection:
            report.path = connection.recording_path
            session = _Session(client, connection, report, limit_s)
            await session.play(opening, modern)
            await connection.stop(_stop(client, report))
        session.judge_pollution()
    except UserError as error:
        report.outcome, report.why = ClientOutcome.FAILED, str(error)
        return
    session.judge_list()
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


def _drops(client: Client) -> frozenset[str]:
    """The flaws for which the client ignores a message."""
    known = {flaw: _value(client, fault) for flaw, fault in FAULTS.items()}
    return ALWAYS_DROPPED | {flaw for flaw, does in known.items() if does and not does.harmless}


def _messages(opening: Opening) -> str:
    where = "a process of its own" if opening.sibling else "the same process"
    before = f"server/discover, {opening.discover_wait_s:g} s, in {where}; " if opening.discovers else ""
    return f"{before}initialize with {opening.handshake}"


def _info(client: Client) -> dict[str, str]:
    """What the client says of itself."""
    return {"name": client.id, "version": client.version or "0"}


async def _ask_sibling(
    client: Client, settings: ConnectionSettings, launch: Launch, opening: Opening
) -> bool:
    async with connect(settings, f"as {client.name}: server/discover", launch) as connection:
        opened = await discover(connection, opening.discover_id, opening.discover_wait_s, _info(client))
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
    if not client.libraries.known and not client.is_library:
        report.assumptions.append("library: not known; messages were read as every known library reads them")


class _Session:
    """The conversation, and the judgement on it."""

    def __init__(self, client: Client, connection: Connection, report: ClientReport, limit_s: float) -> None:
        self._client = client
        self._connection = connection
        self._report = report
        self._limit_s = limit_s
        start = client.start_limit.value
        self._own_limit_s = None if start is None else start.seconds
        self._asked = "initialize"
        self._connected_at: int | None = None  # place of the answer to the opening
        self._list: Message | None = None

    async def play(self, opening: Opening, modern: bool) -> None:
        """Opening and tools/list, each within the client's time limit for it."""
        report, connection = self._report, self._connection
        began = trio.current_time()
        with trio.move_on_after(self._limit_s) as scope:
            opened = await self._open(opening, modern)
            if opened.outcome is not OpeningOutcome.ACCEPTED:
                await self._tell_refusal(opened)
                return
            assert opened.response is not None
            self._connected_at = connection.received.index(opened.response)
            self._tell_slowness(trio.current_time() - began)
            version = opened.result.get("protocolVersion")
            if not connection.meta and version not in HANDSHAKE_REVISIONS:
                report.outcome = ClientOutcome.DISCONNECTED
                report.why = (
                    f"the server answers initialize with revision {version}, which no client knows there"
                )
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
        info = _info(self._client)
        if opening.discovers and (modern or not opening.sibling):
            opened = await discover(connection, opening.discover_id, opening.discover_wait_s, info)
            if opened.outcome in (OpeningOutcome.ACCEPTED, OpeningOutcome.GONE):
                return opened
        return await initialize(connection, opening.handshake, info, self._limit_s + 1)

    async def _ask_for_tools(self, opened: OpeningResult) -> None:
        report, connection = self._report, self._connection
        declared = opened.result.get("capabilities")
        declares_tools = isinstance(declared, dict) and "tools" in declared
        if not declares_tools and _value(self._client, Fault.UNDECLARED_TOOLS) is Outcome.NEVER_ASKS:
            report.outcome = ClientOutcome.NO_TOOLS
            report.why = f"the server does not declare tools, and {self._client.label} does not ask then"
            return
        begin = len(connection.received)
        server = await describe_server(connection, opened, undeclared=frozenset({"tools"}))
        answers = (
            m for m in connection.received[begin:] if isinstance(m.result, dict) and "tools" in m.result
        )
        self._list = next(answers, None)
        if connection.ended:
            report.outcome, report.why = (
                ClientOutcome.DISCONNECTED,
                "the server ended while it was asked what it offers",
            )
            return
        report.tools = [str(tool.get("name")) for tool in server.tools]
        if report.tools:
            report.outcome = ClientOutcome.LISTED
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
            report.outcome, report.why = ClientOutcome.DISCONNECTED, f"initialize is {opened.description}"

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

    # --- judging -----------------------------------------------------------------------------

    def judge_pollution(self) -> None:
        """What the lines that are no messages do to this client."""
        report, client = self._report, self._client
        for place, message in enumerate(self._connection.received):
            if message.kind in MESSAGES or message.kind == BLANK:
                self._judge_size(message)
                continue
            shown = message.line.data[:60].decode(errors="backslashreplace")
            line = f'record {message.number} on stdout is not JSON ("{shown}")'
            if not _is_utf8(message) and _value(client, Fault.INVALID_UTF8) in READS_NO_MORE:
                self._disconnect(f"record {message.number} on stdout is not UTF-8, which ends its reading")
                continue
            does = known_outcome(client, Fault.NOT_JSON)
            if does is None or does.value is None:
                report.remarks.append(f"{line}; what {client.name} does about that is not known")
                continue
            told = f"{line}; {client.name} {with_source(does.value.words, does)}"
            if does.value.harmless or not self._is_harmed_by(does.value, place):
                report.remarks.append(told)
            else:
                self._disconnect(told)

    def _is_harmed_by(self, does: Outcome, place: int) -> bool:
        """Whether the line at this place does harm: to some clients only after the handshake."""
        connected_at = self._connected_at
        later = does is Outcome.DISCONNECTS_ONCE_CONNECTED
        return not later or (connected_at is not None and place > connected_at)

    def _judge_size(self, message: Message) -> None:
        limit = self._client.longest_line.value
        if limit is not None and len(message.line.data) > limit:
            size = len(message.line.data)
            self._disconnect(
                f"record {message.number} on stdout has {size:,} bytes, and {limit:,} are its limit"
            )

    def _disconnect(self, why: str) -> None:
        if self._report.outcome is not ClientOutcome.DISCONNECTED:
            self._report.outcome, self._report.why = ClientOutcome.DISCONNECTED, why

    def judge_list(self) -> None:
        """Whether the client would have taken the list of tools."""
        report, client = self._report, self._client
        if report.outcome is not ClientOutcome.LISTED or self._list is None or not report.path:
            return
        for finding in findings_in(report.path):
            fault = finding.fault
            if fault not in LIST_FAULTS or self._list.number not in finding.records:
                continue
            does = _value(client, fault)
            if does is not None and does.loses_list:
                report.outcome, report.tools = ClientOutcome.NO_TOOLS, []
                report.why = f"{client.label} rejects the whole list: {finding.message}"
                return
            losing = next((name for name, each in reactions(fault).items() if each.loses_list), None)
            if does is None and losing and not client.libraries.known and not client.is_library:
                strict = f"a client as strict as the {CLIENTS[losing].name}"
                report.remarks.append(f"{strict} would reject the list: {finding.message}")


def _value(client: Client, fault: Fault) -> Outcome | None:
    known = known_outcome(client, fault)
    return None if known is None else known.value


def _is_utf8(message: Message) -> bool:
    try:
        message.line.data.decode()
    except UnicodeDecodeError:
        return False
    return True
