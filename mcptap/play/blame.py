"""Which of a client's conditions a server fails under: its folder, its environment, and which variable.

The server is started again under mixtures of the client's conditions and the user's own,
until the one that makes the difference is found. These starts are not kept as recordings.
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from mcptap.errors import UserError
from mcptap.play.caller import Plan, calling
from mcptap.play.offer import Opened, initialize
from mcptap.play.process import Launch

LONGEST_START_S = 10.0
"""How long each of these starts is waited for at most."""


async def blame(plan: Plan, own: Launch, client: Launch) -> str:
    """A sentence on what makes the difference; empty if the conditions make none."""
    with tempfile.TemporaryDirectory(prefix="mcptap-probe-") as folder:
        trial = replace(plan, record=f"{folder}/", start_s=min(plan.start_s, LONGEST_START_S))

        async def works(cwd: str | None, env: Mapping[str, str]) -> bool:
            return await _shakes_hands(trial, Launch(client.argv, cwd, env))

        mine, theirs = own.environment, client.environment
        if await works(client.cwd, theirs):
            return ""
        if not await works(own.cwd, mine):
            return "the server fails under your own conditions as well"
        if await works(own.cwd, theirs):
            return f"started in {own.cwd} it works: the working directory {client.cwd} is what it fails in"
        if not await works(client.cwd, mine):
            return "both the working directory and the environment are what it fails under"
        return await _blame_variables(mine, theirs, lambda env: works(client.cwd, env))


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
    return f"with the variable {name} it works: the client does not pass it on; put it into the entry's env"


async def _shakes_hands(plan: Plan, launch: Launch) -> bool:
    try:
        async with calling(plan, launch) as caller:
            return (await initialize(caller)).opened is Opened.ACCEPTED
    except UserError:
        return False
