"""What a fault does to the client at hand, and which others it harms, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcptap.clients.facts import known_from
from mcptap.clients.reactions import Reaction, reactions
from mcptap.clients.recognition import PROBE_NAME, Recognised
from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.explain.wording import quote
from mcptap.protocol.model.session import Session
from mcptap.text.enumeration import listed
from mcptap.text.sentences import capital

MANY = 2
"""More different kinds of harm than this are not told one by one."""


def describe(finding: Finding, client: Recognised, session: Session) -> str:
    """What this client does about the fault and which others it harms; empty if no reaction is known."""
    known = {} if finding.fault is None else _unrefuted(finding, client, session)
    if not known or (finding.level is Level.INFO and all(does.harmless for does in known.values())):
        return ""
    own, mentioned = _own(known, client)
    if not own and client.client is None and (not client.libraries or client.name == PROBE_NAME):
        own, mentioned = _on_a_library(known, client)
    return " ".join(filter(None, (own, _others(known, mentioned))))


def harms(finding: Finding, client: Recognised, session: Session) -> bool:
    """Whether a fault is known to harm this client, and this session does not show that it did not."""
    if finding.fault is None or client.client is None:
        return False
    reaction = _unrefuted(finding, client, session).get(client.client.id)
    return reaction is not None and reaction.harmless is False


def _unrefuted(finding: Finding, client: Recognised, session: Session) -> Mapping[str, Reaction]:
    """What is known of the fault, without what this client, or its library, evidently did not do."""
    known = reactions(finding.fault) if finding.fault is not None else {}
    number = finding.line or 0
    ready, traffic = session.handshake.initialized, session.traffic
    went_on = traffic.last_request > number or (ready is not None and ready.number > number)
    here = {row.id for row in client.libraries or CLIENTS.values() if row.is_library}
    here |= {client.client.id} if client.client is not None else set()
    return {
        name: does
        for name, does in known.items()
        if name not in here
        or does.outcome is None
        or not (
            (does.outcome.ends_session and went_on)
            or (does.outcome.loses_list and traffic.last_call > number)
        )
    }


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


def _on_a_library(known: Mapping[str, Reaction], recognised: Recognised) -> tuple[str, tuple[str, ...]]:
    """What an unknown client does if it uses a library that is harmed, and those libraries."""
    name = "" if recognised.name == PROBE_NAME else quote(recognised.name, 40)
    harmed = [each for each, does in known.items() if CLIENTS[each].is_library and does.harmless is False]
    ways = _ways(known, harmed)
    subject = name or "a client"
    if len(ways) > MANY:
        return f"Harmful if {subject} uses the {_names(harmed, last='or')}.", tuple(harmed)
    sentences = []
    for said, libraries in ways.items():
        sentences.append(f"If {subject} uses the {_names(libraries, last='or')}, it {said}.")
        subject = "it" if name else subject
    return " ".join(sentences), tuple(harmed)


def _others(known: Mapping[str, Reaction], mentioned: tuple[str, ...]) -> str:
    """Which other clients are known to be harmed, and which libraries are known not to be."""
    own = {known[each].said for each in mentioned}
    others = {each: does for each, does in known.items() if each not in mentioned}
    harmed = [each for each, does in others.items() if does.harmless is False]
    same = [each for each in harmed if known[each].said in own]
    different = [each for each in harmed if each not in same]
    unharmed = [each for each, does in others.items() if does.harmless and CLIENTS[each].is_library]
    ways = _ways(known, different)
    who = "Others" if mentioned else "Other clients"
    sentences = [f"The same in {_names(same)}."] if same else []
    if len(ways) > MANY:
        sentences.append(f"{who}: harmful in {_names(different)}.")
    elif ways:
        told = "; ".join(_does(known, same) for same in ways.values())
        sentences.append(f"{who}: {told}.")
    if unharmed:
        sentences.append(f"No harm seen in {_names(unharmed)}.")
    return " ".join(sentences)


def _ways(known: Mapping[str, Reaction], clients: Iterable[str]) -> dict[str, list[str]]:
    """Clients by what is said of them."""
    ways: dict[str, list[str]] = {}
    for each in clients:
        ways.setdefault(known[each].said, []).append(each)
    return ways


def _does(known: Mapping[str, Reaction], clients: list[str]) -> str:
    """Clients that do the same, and what each of them does."""
    each = "each of " if len({CLIENTS[client].name for client in clients}) > 1 else ""
    return f"{each}{_names(clients)} {known[clients[0]].said}"


def _names(clients: Iterable[str], last: str = "and") -> str:
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
        last=last,
    )
