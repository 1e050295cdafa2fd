"""The tool calls that the user asked for, in one process."""

from __future__ import annotations

from collections.abc import Iterable

from mcptap.play.client.arguments import is_read_only, right_arguments
from mcptap.play.client.connection import Connection, connect
from mcptap.play.probe.allowed import ToolCall
from mcptap.play.probe.openings import REASON
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.probe.verdict import Grade, text_of

SECTION = "calls"
LATE_S = 1.2
"""How long a response to a cancelled request is watched for: a second may be on its way."""

CANCEL_AFTER_S = 0.3


def read_only_calls(progress: ProbeProgress) -> list[ToolCall]:
    """Calls of the tools that say they only read; a verdict for each whose arguments can't be known."""
    calls = []
    for tool in filter(is_read_only, progress.tools):
        name = str(tool.get("name"))
        arguments, why_not = right_arguments(tool)
        if arguments is None:
            progress.result.add(SECTION, name, Grade.SKIPPED, why_not)
        else:
            calls.append(ToolCall(name, arguments))
    return calls


async def call_tools(progress: ProbeProgress, calls: Iterable[ToolCall], stateless: bool) -> None:
    """Make the calls one after another, and add the verdicts to the result."""
    async with connect(progress.settings, SECTION) as connection:
        progress.note_session(connection)
        if await progress.open(connection, stateless, SECTION, "all calls") is None:
            return
        for call in calls:
            if connection.ended:
                progress.result.add(SECTION, call.name, Grade.SKIPPED, "the server had ended")
                continue
            progress.result.calls += 1
            if call.cancel:
                await _call_and_cancel(progress, connection, call)
            else:
                await _call(progress, connection, call)
        await progress.end_input(connection, SECTION)


async def _call(progress: ProbeProgress, connection: Connection, call: ToolCall) -> None:
    params = {"name": call.name, "arguments": call.arguments}
    response = await connection.request("tools/call", params, limit_s=progress.settings.call_s)
    grade, words = Grade.FINE, "a result"
    if response is not None:
        words += text_of(response.result)
    if response is None:
        grade, words = Grade.BAD, "the server ended" if connection.ended else "no answer"
    elif isinstance(response.error, dict):
        grade, words = Grade.BAD, f"error {response.error.get('code')}, {response.error.get('message')}"
    elif isinstance(response.result, dict) and response.result.get("isError") is True:
        grade, words = Grade.DIFFERS, f"a result with isError{text_of(response.result)}"
    progress.result.add(SECTION, call.name, grade, words)


async def _call_and_cancel(progress: ProbeProgress, connection: Connection, call: ToolCall) -> None:
    """The contract of cancellation: no response to the call, and one to the request behind it."""
    grade, words = await _judge_cancelled(progress, connection, call)
    progress.result.add(SECTION, f"{call.name}, cancelled", grade, words)


async def _judge_cancelled(
    progress: ProbeProgress, connection: Connection, call: ToolCall
) -> tuple[Grade, str]:
    key = connection.new_id()
    begin = len(connection.received)
    params = {"name": call.name, "arguments": call.arguments}
    await connection.send(connection.request_line("tools/call", params, key))
    if await connection.response_to(key, begin, CANCEL_AFTER_S) is not None:
        return Grade.SKIPPED, "the call was over before it could be cancelled"
    await connection.notify("notifications/cancelled", {"requestId": key, "reason": REASON})
    behind = await progress.request_something_ordinary(connection)
    late = await connection.response_to(key, begin, LATE_S)
    if behind is None:
        return Grade.BAD, "the request behind it is not answered"
    if late is None:
        return Grade.FINE, "no answer to the call; the request behind it is answered"
    if isinstance(late.result, dict):
        return Grade.BAD, "the call was answered all the same"
    return Grade.DIFFERS, "the call was answered, with an error"
