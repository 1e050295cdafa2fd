"""The probe: both openings, all lists, the hard questions, calls asked for; in fresh processes.

It is safe on a server that people use: nothing in it can act but what is `Allowed`. Sessions in which
nothing odd is sent count in full for the diagnosis. In the session of the questions a finding counts only
if it is not about what the probe provoked, as the recording itself says (`Questions`).
"""

from __future__ import annotations

from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.allowed import Allowed
from mcptap.play.probe.asking import ask_questions
from mcptap.play.probe.not_tried import note_not_tried
from mcptap.play.probe.openings import open_in_one_process, open_in_two_processes
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.probe.result import ProbeResult
from mcptap.play.probe.tool_calls import call_tools, read_only_calls
from mcptap.play.probe.verdict import Grade

NOTHING = Allowed()


async def probe(settings: ConnectionSettings, allowed: Allowed = NOTHING) -> ProbeResult:
    """Probe a server, one process after another. Raises UserError if it can't be started."""
    progress = ProbeProgress(settings)
    stateless = await open_in_one_process(progress)
    handshake = await open_in_two_processes(progress)
    if not handshake and not stateless:
        progress.result.add("questions", "all questions", Grade.SKIPPED, "there is no session to ask them in")
        if progress.silence is not None:
            progress.result.no_server = progress.silence.words(settings.start_s)
        return progress.result
    await ask_questions(progress, not handshake, allowed.wrong_arguments)
    if handshake and stateless:
        await ask_questions(progress, stateless=True)
    calls = [*allowed.calls, *(read_only_calls(progress) if allowed.read_only else ())]
    if calls:
        await call_tools(progress, calls, stateless=not handshake)
    note_not_tried(progress, allowed)
    return progress.result
