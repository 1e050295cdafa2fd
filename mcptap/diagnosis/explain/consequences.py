"""What a fault does to the client at hand, and which others it harms, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcptap.clients.facts import known_from
from mcptap.clients.faults import Fault
from mcptap.clients.reactions import Reaction, reactions
from mcptap.clients.recognition import PROBE_NAME, Recognised
from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.explain.wording import capital, quote
from mcptap.text.enumeration import listed

MANY = 2
"""More different kinds of harm than this are not told one by one."""


def describe(finding: Finding, client: Recognised) -> str:
    """What this client does about the fault and which others it harms; empty if no reaction is known."""
    known = {} if finding.fault is None else reactions(finding.fault)
    if not known or (finding.level is Level.INFO and all(does.harmless for does in known.values())):
        return ""
    own, mentioned = _own(known, client)
    return " ".join(filter(None, (own, _others(known, mentioned))))


def harms(fault: Fault | None, client: Recognised) -> bool:
    """Whether a fault is known to harm this client."""
    if fault is None or client.client is None:
        return False
    reaction = reactions(fault).get(client.client.id)
    return reaction is not None and reaction.harmless is False


def _own(known: Mapping[str, Reaction], recognised: Recognised) -> tuple[str, tuple[str, ...]]:
    """What this client does, and the clients and libraries that this speaks of."""
    name = quote(recognised.name, 40) or "this client"
    first = quote(recognised.name, 40) or "This client"
    own = known.get(recognised.client.id) if recognised.client is not None else None
    if own is not None and recognised.client is not None:
        return f"{first} {own.said} ({known_from([own.source])}).", (recognised.client.id,)
    libraries = [library for library in recognised.libraries if library.id in known]
    if not libraries or recognised.name == PROBE_NAME:  # that one stands for no client
        return "", ()
    library = libraries[0].name
    if recognised.interpreter:
        subject = f"{first} runs on {recognised.interpreter}; if it uses the {library}, it"
    else:
        subject = (
            f"{capital(name)} uses the {library}, which"
            if recognised.name != f"the {library}"
            else f"The {library}"
        )
    said: dict[str, list[Reaction]] = {}
    for each in libraries:
        said.setdefault(known[each.id].said, []).append(known[each.id])
    each_way = [f"{words} ({known_from(one.source for one in same)})" for words, same in said.items()]
    return f"{subject} {', or '.join(each_way)}.", tuple(each.id for each in libraries)


def _others(known: Mapping[str, Reaction], mentioned: tuple[str, ...]) -> str:
    """Which other clients are known to be harmed, and which libraries are known not to be."""
    own = {known[each].words for each in mentioned}
    others = {each: does for each, does in known.items() if each not in mentioned}
    harmed = {each: does for each, does in others.items() if does.harmless is False}
    same = [each for each, does in harmed.items() if does.words in own]
    different = [each for each in harmed if each not in same]
    unharmed = [each for each, does in others.items() if does.harmless and CLIENTS[each].is_library]
    ways = {harmed[each].words: harmed[each].said for each in reversed(different)}
    sentences = [f"The same in {_names(same)}."] if same else []
    if len(ways) > MANY:
        sentences.append(f"Harmful in {_names(different)}.")
    elif ways:
        said = [
            (_names(each for each in different if harmed[each].words == words), said)
            for words, said in reversed(ways.items())
        ]
        if mentioned:
            sentences.append("Others: " + "; ".join(f"{does} ({who})" for who, does in said) + ".")
        else:
            sentences.append("; ".join(f"{who}: {does}" for who, does in said) + ".")
    if unharmed:
        sentences.append(f"No harm seen in {_names(unharmed)}.")
    return " ".join(sentences)


def _names(clients: Iterable[str]) -> str:
    """Names without what is needless: a version only where another one behaves differently."""
    versions: dict[str, list[str]] = {}
    for each in clients:
        versions.setdefault(CLIENTS[each].name, []).append(CLIENTS[each].version)
    every = [client.name for client in CLIENTS.values()]
    return listed(
        [
            name if len(told) == every.count(name) else f"{name} {' and '.join(told)}"
            for name, told in versions.items()
        ],
        limit=12,
    )
