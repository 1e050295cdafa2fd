"""Command lines that can't bring a server up in time, or at all: by what they are."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.clients.client import Client, StartLimit
from mcptap.clients.configs.entry import Obstacle
from mcptap.clients.configs.nodes import Kind, Member
from mcptap.diagnosis.explain.launchers import fetches, no_server, stem, terminal_hint, unwrapped
from mcptap.setup.doctor.check import WARNING, About, Said, check
from mcptap.setup.doctor.finding import Effect, Fix
from mcptap.setup.doctor.subject import ExaminedEntry
from mcptap.setup.edits import Edit

SHORT_S = 10.0
"""A package that has to be fetched first may take longer than such a limit allows."""
_YES = frozenset({"-y", "--yes", "--no-install", "--no", "--offline"})


@check("npx-asks", WARNING, About.SERVER, "npx without -y")
def npx(one: ExaminedEntry) -> Iterator[Said]:
    words = one.words()
    argv = [word for _, word in words]
    inner = unwrapped(argv)
    before = len(argv) - len(inner)
    if not inner or argv[before:] != inner or stem(inner[0]) != "npx":
        return
    for word in inner[1:]:
        if word in _YES:
            return
        if not word.startswith("-"):
            break
    else:
        return
    yield Said(
        "npx has no -y, so npm may ask before it fetches a package",
        Effect(
            "on a terminal it does, and nobody is there to answer; where its input is a pipe, as with most "
            "clients, npm 11.19 fetches without asking"
        ),
        "Write -y before the name of the package",
        at=words[before][0],
        fix=_yes(one, before + 1),
    )


def _yes(one: ExaminedEntry, index: int) -> Fix | None:
    """`-y` in front of what stands behind npx."""
    document, words = one.file.document, one.words()
    if document is None or not document.syntax.is_json or index >= len(words):
        return None
    node = words[index][0]
    if node is None or node.start < 0 or node.kind is not Kind.STRING:
        return None
    return Fix("writes -y behind npx", (Edit(node.start, node.start, b'"-y", '),))


@check("no-server", WARNING, About.SERVER, "a command line that does not connect the client with a server")
def cut_off(one: ExaminedEntry) -> Iterator[Said]:
    if one.entry.obstacle is Obstacle.ARGUMENTS:
        return  # what the arguments are is not known
    why = no_server(one.argv) or terminal_hint(one.argv)
    if why:
        yield Said(why, at=one.words()[0][0])


@check("slow-start", WARNING, About.SERVER, "a package has to be fetched within a short time limit")
def slow(one: ExaminedEntry) -> Iterator[Said]:
    runner = fetches(one.argv)
    if not runner:
        return
    own = _own_limit(one)
    if own is not None and (own > SHORT_S or own < 1):
        return  # below a second timeout-short says it
    limits = [(client, client.start_limit) for client in (one.client, *one.file.readers)]
    short = [(client, fact) for client, fact in limits if fact.value and fact.value.seconds <= SHORT_S]
    if own is None and not short:
        return
    if own is not None:
        seconds, whose, fact = own, "the entry", None
    else:
        client, fact = min(short, key=lambda found: _seconds(found[1].value))
        seconds, whose = _seconds(fact.value), _called(client)
    wrapped = ", and mcptap's own start counts as well" if one.entry.wrapped else ""
    yield Said(
        f"{runner} fetches the package at its first start, and {whose} gives the server {seconds:g} s",
        Effect(f"a start that takes longer fails{wrapped}", fact),
        _longer(one) or "Install the package, and start what it installs",
    )


def _seconds(limit: StartLimit | None) -> float:
    assert limit is not None
    return limit.seconds


def _called(client: Client) -> str:
    return client.name


def _longer(one: ExaminedEntry) -> str:
    keys = [key.key for key in one.client.habits.timeouts.value or () if key.starts]
    return (
        f"Give the entry a longer {keys[0]}, or install the package and start what it installs"
        if keys
        else ""
    )


def _own_limit(one: ExaminedEntry) -> float | None:
    """The start limit that the entry itself sets, in seconds; None if it sets none."""
    for key in one.client.habits.timeouts.value or ():
        found = one.member(key.key) if key.starts else None
        value = _number(found)
        if value is not None and value >= key.least:
            return value * key.unit_s
    return None


def _number(found: Member | None) -> float | None:
    """The value of a member, if it is a number."""
    if found is None or found.value.kind is not Kind.NUMBER:
        return None
    try:
        return float(found.value.value)
    except OverflowError:
        return None


@check("timeout-short", WARNING, About.ENTRY, "a time limit of less than a second")
def timeouts(one: ExaminedEntry) -> Iterator[Said]:
    fact = one.client.habits.timeouts
    for key in fact.value or ():
        found = one.member(key.key)
        value = _number(found)
        if value is None or not 0 <= value * key.unit_s < 1:
            continue
        unit = {1: "s", 0.001: "ms"}.get(key.unit_s, "")
        ignored = value < key.least
        yield Said(
            f"{key.key} is {value:g} {unit}, less than a second",
            Effect(f"{one.client.name} does not take less than {key.least:g} {unit}", fact)
            if ignored
            else Effect(f"{one.client.name} counts {key.key} in {unit}", fact),
            "Give it in the unit of this client" + (f": 30 s are {30 / key.unit_s:g}" if unit else ""),
            at=found,
        )
