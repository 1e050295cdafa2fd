"""Which of a client's conditions a server fails under: its folder, its environment, and which variable.

A server that works is compared as well: under the client's conditions it may list less, or its tools return
less, than under the user's own. The server is started again under mixtures of both conditions until the one
is found that makes the difference. These starts are not kept as recordings.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.client.opening import OpeningOutcome
from mcptap.play.probe.observation import Observation, Observer, what_is_less
from mcptap.play.server.launch import Launch
from mcptap.text.units import duration

LONGEST_START_S = 10.0
"""How long a start is waited for at least; a server that took longer to work gets twice its time."""

Works = Callable[[str | None, Mapping[str, str]], Awaitable[bool]]
"""Whether the server works, or gives all that it gives to the user, in this folder and environment."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What a server gives less under a client's conditions, and which of them makes it so."""

    less: str
    """In words about the server as `it`."""
    cause: str


async def find_cause(
    settings: ConnectionSettings,
    own: Launch,
    client: Launch,
    waited_s: float = 0.0,
    observer: Observer | None = None,
) -> str:
    """A sentence on what makes a server fail; empty if the conditions make no difference.

    `waited_s` is how long the client waited for a server that stayed silent; 0 if
    the server did not start, or ended. An `observer` without calls may know some conditions already.
    """
    if observer is None:
        with Observer(settings) as observer:
            return await find_cause(settings, own, client, waited_s, observer)
    if waited_s < settings.start_s:
        theirs = await observer.see(client)
        if theirs.works:
            return _late(theirs.took_s, waited_s)
    mine = await observer.see(replace(client, cwd=own.cwd, env=own.environment))
    if mine.opening is OpeningOutcome.SILENT:
        return f"under your own conditions it does not answer within {settings.start_s:g} s either"
    if not mine.works:
        return "the server fails under your own conditions as well"
    start_s = min(settings.start_s, max(LONGEST_START_S, 2 * mine.took_s))

    async def works(cwd: str | None, env: Mapping[str, str]) -> bool:
        return (await observer.see(replace(client, cwd=cwd, env=env), start_s=start_s)).works

    found = await _find_condition(own, client, works, FAILS)
    fails_again = not (await observer.see(client, start_s=start_s, again=True)).works
    works_again = (await observer.see(replace(client, cwd=own.cwd, env=own.environment), again=True)).works
    return found if fails_again and works_again else AT_TIMES


AT_TIMES = "under the same conditions it works at one time and fails at another"


async def find_difference(observer: Observer, own: Launch, client: Launch) -> Difference | None:
    """What a server that works gives less under the client's conditions; None if nothing does, or could.

    The calls of the observer are made again, up to a dozen times.
    """
    if own.cwd == client.cwd and own.environment == client.environment:
        return None

    async def given(cwd: str | None, env: Mapping[str, str], again: bool = False) -> Observation:
        return await observer.see(replace(client, cwd=cwd, env=env), again=again)

    calls = observer.calls
    mine = await given(own.cwd, own.environment)
    if not mine.works or not what_is_less(await given(client.cwd, client.environment), mine, calls):
        return None
    again = await given(own.cwd, own.environment, again=True)
    # What comes out otherwise each time, such as a time of day, says nothing about the conditions.
    mine = replace(
        mine,
        lists={member: names for member, names in mine.lists.items() if again.lists.get(member) == names},
        calls={place: result for place, result in mine.calls.items() if again.calls.get(place) == result},
    )
    less = what_is_less(await given(client.cwd, client.environment, again=True), mine, calls)
    if not less or not again.works:
        return None

    async def works(cwd: str | None, env: Mapping[str, str]) -> bool:
        return not what_is_less(await given(cwd, env), mine, calls)

    return Difference(less, await _find_condition(own, client, works, GIVES_LESS))


@dataclass(frozen=True, slots=True)
class _Wording:
    works: str
    fails: str
    """Behind the name of a condition."""
    both: str


FAILS = _Wording("it works", "is what it fails in", "are what it fails under")
GIVES_LESS = _Wording("it gives all of it", "makes the difference", "make the difference")


async def _find_condition(own: Launch, client: Launch, works: Works, wording: _Wording) -> str:
    mine, theirs = own.environment, client.environment
    if own.cwd != client.cwd and await works(own.cwd, theirs):
        where = f"the working directory {client.cwd} {wording.fails}"
        return f"started in {own.cwd} {wording.works}: {where}"
    if own.cwd != client.cwd and not await works(client.cwd, mine):
        return f"both the working directory and the environment {wording.both}"
    found = await _find_variable(mine, theirs, lambda env: works(client.cwd, env), wording)
    return found + _other_program(own, client)


def _other_program(own: Launch, client: Launch) -> str:
    """Where the command is another program, what it is in both environments."""
    mine, theirs = own.program, client.program
    if mine == theirs or mine is None:
        return ""
    name = client.shown[0]
    return f"; {name} is {mine} on your PATH, and {theirs or 'nothing'} on the one it gets from the client"


def _late(took_s: float, waited_s: float) -> str:
    """What to say of a server that answers under the client's conditions, given time enough."""
    if took_s <= waited_s or not waited_s:
        return ""
    took = duration(round(took_s * 1e6))
    return f"it answers initialize after {took}, and the client waits {waited_s:g} s for its start"


async def _find_variable(
    mine: Mapping[str, str],
    theirs: Mapping[str, str],
    works: Callable[[Mapping[str, str]], Awaitable[bool]],
    wording: _Wording,
) -> str:
    """Halve the variables in which the client's environment differs until one is left."""
    suspects = sorted(name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name))
    verb = "is what it fails under" if wording is FAILS else wording.fails
    whole = f"with your environment {wording.works}: the client's environment {verb}"

    async def suffice(names: Sequence[str]) -> bool:
        """Whether it works once these variables are as the user has them."""
        others = {name: value for name, value in theirs.items() if name not in names}
        return await works({**others, **{name: mine[name] for name in names if name in mine}})

    while len(suspects) > 1:
        half, rest = suspects[: len(suspects) // 2], suspects[len(suspects) // 2 :]
        if await suffice(half):
            suspects = half
        elif await suffice(rest):
            suspects = rest
        else:
            return f"{whole}; more than one variable of {', '.join(suspects)} is needed"
    if not suspects or not await suffice(suspects):
        return whole
    name = suspects[0]
    if name not in mine:
        return f"without the variable {name}, which you do not have, {wording.works}"
    if name in theirs:
        return f"with your value of the variable {name} {wording.works}; the entry or the client sets another"
    return (
        f"with the variable {name} {wording.works}, and the client is not known to pass it on; "
        "put it into the entry's env"
    )
