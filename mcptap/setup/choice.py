"""Which entries are changed: those that the user means, and of what is left the reason."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from mcptap.clients.configs.entry import ServerEntry
from mcptap.clients.configuration import Transport
from mcptap.errors import UserError
from mcptap.setup.opened import Opened
from mcptap.setup.reasons import why_uncertain


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """An entry in its file, and why it is left (a phrase that follows its name; empty: it need not be)."""

    opened: Opened
    entry: ServerEntry
    reason: str = ""

    @property
    def label(self) -> str:
        """Its name and where it stands: `weather (Claude Code, user)`."""
        entry = self.entry
        project = f" of {entry.project}" if entry.project else ""
        return f"{entry.name} ({entry.client.name}, {entry.scope}{project})"

    @property
    def options(self) -> str:
        """The options that name it, and no other of its name in another client, file or scope."""
        scope = self.entry.project or self.entry.scope
        return f"--client {self.entry.client.id} --config {self.opened.target.path} --scope {scope}"


@dataclass(slots=True)
class Choice:
    """What is changed, and what is not."""

    chosen: list[Candidate] = field(default_factory=list)
    left: list[Candidate] = field(default_factory=list)


def candidates(
    opened: Iterable[Opened], scope: str, reason: Callable[[Opened, ServerEntry], str]
) -> list[Candidate]:
    """All entries, of this scope or in this project if one is given; what two clients read stands once."""
    found: dict[object, Candidate] = {}
    for one in opened:
        for entry in one.contents.entries:
            if scope and scope != entry.scope and os.path.abspath(scope) != entry.project:
                continue
            # Of two with the same keys above them each has its own place.
            key = (one.target.resolved, entry.where, entry.node.start)
            why = reason(one, entry) or why_uncertain(one.document, entry)
            candidate = Candidate(one, entry, why)
            if key not in found or (_is_borrowed(found[key]) and not _is_borrowed(candidate)):
                found[key] = candidate
    return list(found.values())


def choose(every: Sequence[Candidate], names: Sequence[str], noun: str) -> Choice:
    """Those of these names, or all that can be changed if none is given.

    Raises UserError if a name says too little or too much, or if what it names has to be left as it is.
    `noun`: what those are called that are looked for.
    """
    if not names:
        return Choice([one for one in every if not one.reason], [one for one in every if one.reason])
    return Choice([_named(name, every, noun) for name in dict.fromkeys(names)])


def _named(name: str, every: Sequence[Candidate], noun: str) -> Candidate:
    called = [one for one in every if one.entry.name == name]
    if not called:
        there = sorted({one.entry.name for one in every})
        has = f"there are {', '.join(there)}" if there else "there are none"
        raise UserError(f"no {noun} is called {name!r}; {has} (mcptap clients lists them)")
    # One that is reached by a URL can't be meant, as long as there is another.
    stdio = [one for one in called if one.entry.transport is Transport.STDIO] or called
    if len({one.options for one in stdio}) > 1:
        places = (f"  {one.label}: {one.options}" for one in stdio)
        raise UserError(f"{name!r} stands in {len(stdio)} places; say which by options:", *places)
    for one in stdio:
        if one.reason:
            raise UserError(f"{one.label} {one.reason}; nothing is changed")
    if len(stdio) > 1:
        raise UserError(f"{stdio[0].label} stands there {len(stdio)} times; name them by --all, or leave one")
    return stdio[0]


def _is_borrowed(candidate: Candidate) -> bool:
    return all(file.borrowed for file in candidate.opened.contents.found.files)
