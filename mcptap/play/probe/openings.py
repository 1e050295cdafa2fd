"""The openings of both eras, in one process and in two; all lists, ping, a cancelled list."""

from __future__ import annotations

from mcptap.play.client.connection import Connection, connect
from mcptap.play.client.messages import notification_line
from mcptap.play.client.opening import OpeningOutcome, OpeningResult, discover, initialize
from mcptap.play.client.server_description import ServerDescription, describe_server
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.probe.result import ProbedSession
from mcptap.play.probe.verdict import Grade
from mcptap.protocol.model.message import Message

REASON = "a question of mcptap probe"


async def open_in_one_process(progress: ProbeProgress) -> bool:
    """`server/discover`, and `initialize` in the same process if that is refused; True if it was accepted."""
    section, result = "start", progress.result
    async with connect(progress.settings, "server/discover first") as connection:
        progress.note_session(connection)
        opening = await discover(connection, limit_s=progress.settings.timeout_s)
        if opening.outcome is OpeningOutcome.ACCEPTED:
            result.add(section, "server/discover", Grade.FINE, "accepted: speaks 2026-07-28")
            description = progress.note_description(await describe_server(connection, opening))
            await _read_a_resource(connection, description)
            await progress.end_input(connection, section)
            return True
        words = f"{opening.description}; a server of the handshake"
        grade = Grade.FINE if opening.outcome is OpeningOutcome.REFUSED else Grade.DIFFERS
        result.add(section, "server/discover", grade, words)
        if opening.outcome is OpeningOutcome.GONE:
            return False
        opening = await initialize(connection)
        _judge_handshake(progress, opening, "initialize behind it", section)
        if opening.outcome is OpeningOutcome.ACCEPTED:
            progress.note_description(await describe_server(connection, opening))
        await progress.end_input(connection, section)
    return False


async def open_in_two_processes(progress: ProbeProgress) -> bool:
    """`server/discover` in a process of its own, then a fresh one; True if the handshake works."""
    section, result = "two processes", progress.result
    async with connect(progress.settings, "server/discover alone") as connection:
        progress.note_session(connection).sibling = True
        alone = await discover(connection, limit_s=progress.settings.timeout_s)
        await connection.stop()
    result.add(section, "server/discover alone", Grade.FINE, alone.description)
    async with connect(progress.settings, "initialize") as connection:
        session = progress.note_session(connection)
        opening = await initialize(connection)
        if opening.outcome is OpeningOutcome.REFUSED and alone.outcome is OpeningOutcome.ACCEPTED:
            session.counts = False
            words = f"{opening.description}; only clients of 2026-07-28 can use it"
            result.add(section, "initialize", Grade.DIFFERS, words)
            return False
        _judge_handshake(progress, opening, "initialize", section)
        if opening.outcome is not OpeningOutcome.ACCEPTED:
            await progress.end_input(connection, section)
            return False
        description = progress.note_description(await describe_server(connection, opening))
        await _read_a_resource(connection, description)
        _judge_ping(progress, await connection.request("ping"), section)
        if "tools" in description.capabilities:
            await _cancel_a_list(progress, connection, section, session)
        await progress.end_input(connection, section)
    return True


def _judge_handshake(progress: ProbeProgress, opening: OpeningResult, question: str, section: str) -> None:
    if opening.outcome is OpeningOutcome.ACCEPTED:
        words = f"accepted: {opening.result.get('protocolVersion')}"
        progress.result.add(section, question, Grade.FINE, words)
    else:
        progress.result.add(section, question, Grade.BAD, opening.description)


def _judge_ping(progress: ProbeProgress, response: Message | None, section: str) -> None:
    grade, words = Grade.FINE, "answered"
    if response is None:
        progress.answers_ping = False
        grade, words = Grade.BAD, "not answered"
    elif isinstance(response.error, dict):
        grade, words = Grade.BAD, f"error {response.error.get('code')}, though a ping has to be answered"
    progress.result.add(section, "ping", grade, words)


async def _read_a_resource(connection: Connection, description: ServerDescription) -> None:
    """Read the first resource that is listed: reading is what a list is for, and has no effects."""
    resources = description.lists.get("resources") or []
    uri = resources[0].get("uri") if resources else None
    if isinstance(uri, str):
        await connection.request("resources/read", {"uri": uri})


async def _cancel_a_list(
    progress: ProbeProgress, connection: Connection, section: str, session: ProbedSession
) -> None:
    """Cancel what takes no time: the response may be on its way, but the server must go on."""
    key = connection.new_id()
    asked = connection.request_line("tools/list", None, key)
    cancelled = notification_line("notifications/cancelled", {"requestId": key, "reason": REASON})
    # The race is the probe's doing: a response that overtakes the cancellation is nobody's fault.
    session.bad_lines.update({asked[:-1], cancelled[:-1]})
    begin = len(connection.received)
    await connection.send(asked + cancelled)
    behind = await progress.request_something_ordinary(connection)
    session.provoked.update(m.number for m in connection.received[begin:] if m is not behind)
    grade, words = Grade.FINE, "the request behind it is answered"
    if behind is None:
        grade, words = Grade.BAD, "the request behind it is not answered"
    progress.result.add(section, "a list, cancelled", grade, words)
