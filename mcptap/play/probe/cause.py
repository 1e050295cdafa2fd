"""Which of a client's conditions a server fails under: its folder, its environment, and which variable.

The server is started again under mixtures of the client's conditions and the user's own,
until the one that makes the difference is found. These starts are not kept as recordings.
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

import trio

from mcptap.errors import UserError
from mcptap.play.client.connection import ConnectionSettings, connect
from mcptap.play.client.opening import OpeningOutcome, initialize
from mcptap.play.server.launch import Launch
from mcptap.text.units import duration

LONGEST_START_S = 10.0
"""How long a start is waited for at least; a server that took longer to work gets twice its time."""


async def find_cause(settings: ConnectionSettings, own: Launch, client: Launch, waited_s: float = 0.0) -> str:
    """A sentence on what makes the difference; empty if the conditions make none.

    `waited_s` is how long the client waited for a server that stayed silent; 0 if
    the server did not start, or ended.
    """
    with tempfile.TemporaryDirectory(prefix="mcptap-probe-") as folder:
        trial = replace(settings, record=f"{folder}/")
        mine, theirs = own.environment, client.environment
        if waited_s < settings.start_s:
            outcome, took_s = await _start(trial, client)
            if outcome is OpeningOutcome.ACCEPTED:
                return _late(took_s, waited_s)
        outcome, took_s = await _start(trial, replace(client, cwd=own.cwd, env=mine))
        if outcome is OpeningOutcome.SILENT:
            return f"under your own conditions it does not answer within {settings.start_s:g} s either"
        if outcome is not OpeningOutcome.ACCEPTED:
            return "the server fails under your own conditions as well"
        brief = replace(trial, start_s=min(settings.start_s, max(LONGEST_START_S, 2 * took_s)))

        async def works(cwd: str | None, env: Mapping[str, str]) -> bool:
            outcome, _ = await _start(brief, replace(client, cwd=cwd, env=env))
            return outcome is OpeningOutcome.ACCEPTED

        if await works(own.cwd, theirs):
            return f"started in {own.cwd} it works: the working directory {client.cwd} is what it fails in"
        if not await works(client.cwd, mine):
            return "both the working directory and the environment are what it fails under"
        return await _find_variable(mine, theirs, lambda env: works(client.cwd, env))


def _late(took_s: float, waited_s: float) -> str:
    """What to say of a server that answers under the client's conditions, given time enough."""
    if took_s <= waited_s or not waited_s:
        return ""
    took = duration(round(took_s * 1e6))
    return f"it answers initialize after {took}, and the client waits {waited_s:g} s for its start"


async def _find_variable(
    mine: Mapping[str, str], theirs: Mapping[str, str], works: Callable[[Mapping[str, str]], Awaitable[bool]]
) -> str:
    """Halve what the client holds back until one variable is left."""
    held_back = sorted(name for name in mine if mine[name] != theirs.get(name))
    whole = "with your environment it works: the client's environment is what it fails under"
    suspects = held_back
    while len(suspects) > 1:
        half, rest = suspects[: len(suspects) // 2], suspects[len(suspects) // 2 :]
        if await works({**theirs, **{name: mine[name] for name in half}}):
            suspects = half
        elif await works({**theirs, **{name: mine[name] for name in rest}}):
            suspects = rest
        else:
            return f"{whole}; more than one variable of {', '.join(suspects)} is needed"
    if not suspects or not await works({**theirs, suspects[0]: mine[suspects[0]]}):
        return whole
    name = suspects[0]
    return (
        f"with the variable {name} it works, and the client is not known to pass it on; "
        "put it into the entry's env"
    )


async def _start(settings: ConnectionSettings, launch: Launch) -> tuple[OpeningOutcome, float]:
    """What became of the handshake with a fresh server, and after how many seconds."""
    begin = trio.current_time()
    try:
        async with connect(settings, "cause", launch) as connection:
            opening = await initialize(connection)
            return opening.outcome, trio.current_time() - begin
    except UserError:
        return OpeningOutcome.GONE, trio.current_time() - begin
