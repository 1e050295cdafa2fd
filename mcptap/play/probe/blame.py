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
from mcptap.play.client.caller import Plan, calling
from mcptap.play.client.offer import Opened, initialize
from mcptap.play.server.process import Launch

LONGEST_START_S = 10.0
"""How long a start is waited for at least; a server that took longer to work gets twice its time."""


async def blame(plan: Plan, own: Launch, client: Launch, waited_s: float = 0.0) -> str:
    """A sentence on what makes the difference; empty if the conditions make none.

    `waited_s` is how long the client waited in vain for a server that stayed silent; 0 if
    the server did not start, or ended.
    """
    with tempfile.TemporaryDirectory(prefix="mcptap-probe-") as folder:
        trial = replace(plan, record=f"{folder}/")
        mine, theirs = own.environment, client.environment
        if waited_s < plan.start_s:
            opened, took_s = await _start(trial, client)
            if opened is Opened.ACCEPTED:
                return _late(took_s, waited_s)
        opened, took_s = await _start(trial, Launch(client.argv, own.cwd, mine))
        if opened is Opened.SILENT:
            return f"under your own conditions it does not answer within {plan.start_s:g} s either"
        if opened is not Opened.ACCEPTED:
            return "the server fails under your own conditions as well"
        brief = replace(trial, start_s=min(plan.start_s, max(LONGEST_START_S, 2 * took_s)))

        async def works(cwd: str | None, env: Mapping[str, str]) -> bool:
            opened, _ = await _start(brief, Launch(client.argv, cwd, env))
            return opened is Opened.ACCEPTED

        if await works(own.cwd, theirs):
            return f"started in {own.cwd} it works: the working directory {client.cwd} is what it fails in"
        if not await works(client.cwd, mine):
            return "both the working directory and the environment are what it fails under"
        return await _blame_variables(mine, theirs, lambda env: works(client.cwd, env))


def _late(took_s: float, waited_s: float) -> str:
    """What to say of a server that answers under the client's conditions, given time enough."""
    if took_s <= waited_s or not waited_s:
        return ""
    return f"it answers initialize after {took_s:.1f} s, and the client waits {waited_s:g} s for its start"


async def _blame_variables(
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


async def _start(plan: Plan, launch: Launch) -> tuple[Opened, float]:
    """What became of the handshake with a fresh server, and after how many seconds."""
    begin = trio.current_time()
    try:
        async with calling(plan, launch) as caller:
            opening = await initialize(caller)
            return opening.opened, trio.current_time() - begin
    except UserError:
        return Opened.GONE, trio.current_time() - begin
