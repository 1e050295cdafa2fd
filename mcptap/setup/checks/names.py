"""Names of servers: those that a client does not take, that stand twice, or make tool names too long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mcptap.clients.client import Client
from mcptap.clients.configs.contents import Trouble
from mcptap.clients.configs.nodes import Kind
from mcptap.setup.doctor.check import ERROR, INFO, WARNING, About, Said, check
from mcptap.setup.doctor.finding import Effect, does
from mcptap.setup.doctor.subject import ExaminedEntry, ExaminedFile

_SAFE = re.compile(r"[A-Za-z0-9_-]+")
TOOL_LISTS = ("includeTools", "enabled_tools", "tools", "available_tools", "alwaysAllow", "autoApprove")
"""Keys of entries that hold names of tools."""


@check(
    "server-name", WARNING, About.ENTRY, "a name of a server that the client does not take, or that does harm"
)
def server_name(one: ExaminedEntry) -> Iterator[Said]:
    fact, name = one.client.habits.names, one.entry.name
    if fact.value is not None and re.fullmatch(fact.value.pattern, name) is None:
        why = f": {fact.note}" if fact.note else ""
        yield Said(
            f"The name {name!r} is none of those that {one.client.name} asks for",
            Effect(f"{one.client.name} asks for names {fact.value.words}{why}", fact),
            f"Give the server a name {fact.value.words}",
        )
    elif fact.value is None and _SAFE.fullmatch(name) is None:
        yield Said(
            f"The name {name!r} has signs other than letters, digits, - and _",
            Effect(f"some clients refuse such names; what {one.client.name} does is not known"),
            level=INFO,
        )


@check("name-twice", ERROR, About.FILE, "the same name twice in the same place", if_disabled=True)
def twice(file: ExaminedFile) -> Iterator[Said | tuple[ExaminedEntry, Said]]:
    for problem in file.contents.problems:
        if problem.trouble is Trouble.KEY_TWICE:
            yield Said(
                f"{problem.sentence[:1].upper()}{problem.sentence[1:]}",
                does(file.client, file.client.habits.duplicate, "the two"),
                "Put all that stands in them into one",
                line=problem.line,
                column=problem.column,
            )
    seen: dict[tuple[object, ...], ExaminedEntry] = {}
    for entry in file.entries:
        one = ExaminedEntry(file, entry)
        key = (*entry.where[:-1], entry.name)
        if not entry.repeated or key not in seen:
            seen[key] = one
            continue
        first = seen[key]
        listed_here = isinstance(entry.where[-1], int)
        yield (
            first,
            Said(
                f"The name {entry.name} stands twice in the same place, and again at "
                f"{file.place(one.offset)}",
                does(file.client, file.client.habits.duplicate, "the two"),
                "Leave one of them, or give one another name",
                level=WARNING if listed_here else None,
                places=(file.place(one.offset),),
            ),
        )


@check(
    "tool-names-long",
    WARNING,
    About.SERVER,
    "names of tools that are longer with the server's name than the client takes",
)
def long_names(one: ExaminedEntry) -> Iterator[Said]:
    for key in TOOL_LISTS:
        found = one.member(key)
        if found is None or found.value.kind is not Kind.ARRAY:
            continue
        tools = [str(item.value) for item in found.value.items if item.kind is Kind.STRING]
        said = too_long(one.client, one.entry.name, tools)
        if said is not None:
            yield Said(said.message, said.effect, said.remedy, at=found)


def too_long(client: Client, server: str, tools: Iterable[str]) -> Said | None:
    """What is to be said of tools whose names are too long for the client with the server's name."""
    limit, prefix = client.tool_names, client.habits.tool_prefix
    if limit.value is None or prefix.value is None:
        return None
    front = prefix.value.replace("{server}", server)
    long = [name for name in tools if len(front + name) > limit.value.characters]
    if not long:
        return None
    worst = max(long, key=len)
    return Said(
        f"The tool {worst} is called {front}{worst} by {client.name}: {len(front + worst)} characters",
        Effect(f"{client.name} {limit.value.words}", limit),
        "Give the server a shorter name",
    )
