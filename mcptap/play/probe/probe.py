"""The probe: both openings, all lists, the hard questions, calls asked for; in fresh processes.

Sessions in which nothing odd is sent count in full for the diagnosis. In the session of the
questions a finding counts only if it is not about a request that the probe provoked.
"""

from __future__ import annotations

from collections.abc import Iterable

from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.asking import ask_questions
from mcptap.play.probe.openings import open_in_one_process, open_in_two_processes
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.probe.result import ProbeResult
from mcptap.play.probe.tool_calls import ToolCall, call_tools, read_only_calls
from mcptap.play.probe.verdict import Grade


async def probe(
    settings: ConnectionSettings, calls: Iterable[ToolCall] = (), call_read_only: bool = False
) -> ProbeResult:
    """Probe a server, one process after another. Raises UserError if it can't be started."""
    progress = ProbeProgress(settings)
    stateless = await open_in_one_process(progress)
    handshake = await open_in_two_processes(progress)
    if not handshake and not stateless:
        progress.result.add("questions", "all questions", Grade.SKIPPED, "there is no session to ask them in")
        return progress.result
    await ask_questions(progress, stateless=not handshake)
    if handshake and stateless:
        await ask_questions(progress, stateless=True)
    all_calls = [*calls, *(read_only_calls(progress) if call_read_only else ())]
    if all_calls:
        await call_tools(progress, all_calls, stateless=not handshake)
    return progress.result
