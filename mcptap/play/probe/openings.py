"""The openings of both eras, in one process and in two; all lists, ping, a cancelled list.

Nothing here acts: no resource is read, no prompt got, no tool called.
"""

from __future__ import annotations

from mcptap.play.client.connection import Connection, connect
from mcptap.play.client.messages import notification_line
from mcptap.play.client.opening import OpeningOutcome, OpeningResult, discover, initialize
from mcptap.play.client.server_description import describe_server
from mcptap.play.probe.progress import ProbeProgress
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
            progress.note_description(await describe_server(connection, opening), section)
            await progress.end_input(connection, section)
            return True
        grade, words = Grade.DIFFERS, opening.description
        if opening.outcome is OpeningOutcome.REFUSED:
            grade, words = Grade.FINE, f"{words}; a server of the handshake"
        result.add(section, "server/discover", grade, words)
        progress.discover_is_silent = opening.outcome is OpeningOutcome.SILENT
        if opening.outcome is OpeningOutcome.GONE:
            await progress.note_silence(connection)
            return False
        opening = await initialize(connection)
        _judge_handshake(progress, opening, "initialize behind it", section)
        if opening.outcome is OpeningOutcome.ACCEPTED:
            progress.note_description(await describe_server(connection, opening), section)
        await progress.end_input(connection, section)
        await progress.note_silence(connection)
    return False


async def open_in_two_processes(progress: ProbeProgress) -> bool:
    """`server/discover` in a process of its own, then a fresh one; True if the handshake works."""
    section, result = "two processes", progress.result
    alone = await _discover_alone(progress, section)
    async with connect(progress.settings, "initialize") as connection:
        progress.note_session(connection)
        opening = await initialize(connection)
        if opening.outcome is OpeningOutcome.REFUSED and alone is OpeningOutcome.ACCEPTED:
            # Its end is that of a session which no client of the other era would have begun.
            connection.note_question("how a session ends that the server refused")
            words = f"{opening.description}; only clients of 2026-07-28 can use it"
            result.add(section, "initialize", Grade.DIFFERS, words)
            result.add(
                section, "a list, cancelled", Grade.SKIPPED, "tried in sessions of the handshake alone"
            )
            return False
        _judge_handshake(progress, opening, "initialize", section)
        if opening.outcome is not OpeningOutcome.ACCEPTED:
            await progress.end_input(connection, section)
            await progress.note_silence(connection)
            return False
        description = progress.note_description(await describe_server(connection, opening), section)
        _judge_ping(progress, await connection.request("ping"), section)
        if "tools" in description.capabilities:
            await _cancel_a_list(progress, connection, section)
        await progress.end_input(connection, section)
    return True


async def _discover_alone(progress: ProbeProgress, section: str) -> OpeningOutcome:
    """`server/discover` in a process that is asked nothing else, as by clients that try it first."""
    question = "server/discover alone"
    if progress.discover_is_silent:  # and would be so here, for as long
        progress.result.add(section, question, Grade.SKIPPED, "it was not answered before")
        return OpeningOutcome.SILENT
    async with connect(progress.settings, question) as connection:
        progress.note_session(connection).sibling = True
        alone = await discover(connection, limit_s=progress.settings.timeout_s)
        await connection.stop()
    answered = alone.outcome in (OpeningOutcome.ACCEPTED, OpeningOutcome.REFUSED)
    progress.result.add(section, question, Grade.FINE if answered else Grade.DIFFERS, alone.description)
    return alone.outcome


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


async def _cancel_a_list(progress: ProbeProgress, connection: Connection, section: str) -> None:
    """Cancel what takes no time: the response may be on its way, but the server must go on."""
    key = connection.new_id()
    question = "a list, cancelled"
    # The race is the probe's doing: a response that overtakes the cancellation is nobody's fault.
    connection.note_question(question)
    asked = connection.request_line("tools/list", None, key)
    cancelled = notification_line("notifications/cancelled", {"requestId": key, "reason": REASON})
    await connection.send(asked + cancelled)
    behind = await progress.request_something_ordinary(connection)
    grade, words = Grade.FINE, "the request behind it is answered"
    if behind is None:
        grade, words = Grade.BAD, "the request behind it is not answered"
    else:
        connection.note_question()
    progress.result.add(section, question, grade, words)
