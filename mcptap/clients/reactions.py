"""What a client does about a fault: stated by its row, or following from its limits and habits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from mcptap.clients.client import Client, stop_words
from mcptap.clients.facts import Fact, Source
from mcptap.clients.faults import Fault
from mcptap.clients.outcomes import Outcome
from mcptap.clients.table import CLIENTS
from mcptap.text.enumeration import listed


@dataclass(frozen=True, slots=True)
class Reaction:
    """What a client does about a fault. `words` follow its name; `aside` is what they do not say."""

    words: str
    source: Source
    harmless: bool | None
    """None: neither, since it is how the client is with every server."""
    outcome: Outcome | None = None
    aside: str = ""

    @property
    def loses_list(self) -> bool:
        """Whether the client has no tools if their list has this fault."""
        return self.outcome is not None and self.outcome.loses_list

    @property
    def said(self) -> str:
        """The words with what stands in brackets behind them."""
        return f"{self.words} ({self.aside})" if self.aside else self.words


Described = tuple[Fact[Any], str]
"""A fact, and the words for what a client does because of it (empty: it does not say)."""


def _by_words(fact: Fact[Any]) -> Described:
    return fact, "" if fact.value is None else fact.value.words


def _cwd(client: Client) -> Described:
    fact = client.cwd
    return fact, "" if fact.value is None else fact.value.words + _aside(fact.note)


def _environment(client: Client) -> Described:
    fact = client.environment
    return fact, "" if fact.value is None else fact.value.words + _aside(fact.note)


def _aside(note: str) -> str:
    return f" ({note})" if note else ""


def _stop(client: Client) -> Described:
    return client.stop, "" if client.stop.value is None else stop_words(client.stop.value)


def _discovery(client: Client) -> Described:
    opening = client.opening.value
    if opening is None or not opening.discovers:
        return client.opening, ""
    waits = f"waits {opening.discover_wait_s:g} s at each start"
    return client.opening, waits + _aside(opening.discovers_if)


def _longest_line(client: Client) -> Described:
    limit = client.longest_line.value
    return client.longest_line, "" if limit is None else f"closes the connection at {limit >> 20} MiB"


_HABITS: Mapping[Fault, Callable[[Client], Described]] = {
    Fault.WORKING_DIRECTORY: _cwd,
    Fault.ENVIRONMENT: _environment,
    Fault.UNEXPANDED_VARIABLE: lambda client: _by_words(client.configuration.variables),
    Fault.SLOW_SHUTDOWN: _stop,
    Fault.NO_RESPONSE: lambda client: _by_words(client.request_limit),
    Fault.UNFLUSHED: lambda client: _by_words(client.request_limit),
    Fault.NO_INITIALIZE_RESPONSE: lambda client: _by_words(client.start_limit),
    Fault.NO_DISCOVER_RESPONSE: _discovery,
}
"""Faults that a client meets as it meets every server: what it does then does it no more harm than others."""

_LIMITS: Mapping[Fault, Callable[[Client], Described]] = {
    Fault.LONG_LINE: _longest_line,
    Fault.LARGE_RESULT: lambda client: _by_words(client.largest_result),
    Fault.LONG_TOOL_NAME: lambda client: _by_words(client.tool_names),
}
"""Faults that break a limit."""


@cache
def reactions(fault: Fault) -> Mapping[str, Reaction]:
    """What is known about a fault: the reaction by the client's id, libraries first."""
    rows = sorted(CLIENTS.values(), key=lambda client: not client.is_library)
    known = ((client.id, _reaction(client, fault)) for client in rows)
    return {name: reaction for name, reaction in known if reaction is not None}


def _reaction(client: Client, fault: Fault) -> Reaction | None:
    own = client.reactions.get(fault)
    if own is not None and own.value is not None:
        return Reaction(own.value.words, own.source, own.value.harmless, own.value, own.note)
    for table, harmless in ((_HABITS, None), (_LIMITS, False)):
        if fault in table:
            fact, words = table[fault](client)
            return Reaction(words, fact.source, harmless) if words else None
    return None


def known_outcome(client: Client, fault: Fault) -> Fact[Outcome] | None:
    """What a client does about a fault: its own way, or that of its libraries if they agree."""
    own = client.reactions.get(fault)
    if own is not None:
        return own
    inherited = [CLIENTS[name].reactions.get(fault) for name in client.libraries.value or ()]
    first = inherited[0] if inherited else None
    if first is None or any(fact is None or fact.value is not first.value for fact in inherited):
        return None
    return first


def told_by(client: Client, fault: Fault) -> str:
    """Who does what `known_outcome` says, as a subject: the client, or the library it may be built on."""
    if fault in client.reactions or client.is_library:
        return client.label
    names = dict.fromkeys(CLIENTS[name].name for name in client.libraries.value or ())
    return f"its library, if it is the {listed(list(names), last='or')},"


def observed(fault: Fault, of: str = "") -> str:
    """What clients are known to do, in one line: `observed: accepts it (C# SDK 2.2.0); ignores it (Codex)`.

    `of` names a variant: `observed of null: …`.
    """
    versions: dict[str, dict[str, list[str]]] = {}
    for name, does in reactions(fault).items():
        versions.setdefault(does.said, {}).setdefault(CLIENTS[name].name, []).append(does.source.version)
    told = [
        f"{said} ({', '.join(_with_versions(name, seen) for name, seen in names.items())})"
        for said, names in versions.items()
    ]
    return f"observed{f' of {of}' if of else ''}: {'; '.join(told)}"


def _with_versions(name: str, versions: list[str]) -> str:
    return f"{name} {' and '.join(filter(None, versions))}".rstrip()
