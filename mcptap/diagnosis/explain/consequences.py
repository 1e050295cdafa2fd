"""What a fault does to the client at hand, and which others suffer from it."""

from __future__ import annotations

import re

from mcptap.clients.faults import Fault
from mcptap.clients.seen import NEUTRAL, SEEN, SEEN_IN, SURVIVES
from mcptap.diagnosis.engine.finding import Finding
from mcptap.diagnosis.explain.recognition import Client, recognise
from mcptap.diagnosis.explain.wording import capital, listed, quote
from mcptap.protocol.model.session import Session

__all__ = ["Client", "describe", "recognise"]

QUESTIONER = "mcptap-probe"
"""What `mcptap probe` calls itself. It stands for no client, so nothing is said of what it does."""

SDKS = ("ts1", "ts2", "py1", "py2", "csharp", "rust")
MANY = 2
"""More ways to suffer than this are not told one by one."""

_FORM = re.compile(r"(.*?)(?: (\d[\d.]*))?(?: \(([^)]*)\))?")
_SPLIT = {family: match.groups("") for family, text in SEEN_IN.items() if (match := _FORM.fullmatch(text))}
"""Name, version and origin of what is known of each family."""


def describe(finding: Finding, client: Client, _session: Session) -> str:
    """What this client does about the fault and which others suffer; empty if nothing was ever seen."""
    fault = finding.rule
    if finding.fault is Fault.CAPABILITY_NULL:
        fault = "capability-shape null"
    if finding.fault is Fault.UTF16:
        return ""  # what was seen is about a few broken letters
    rows = SEEN.get(fault)
    if rows is None:
        return ""
    own, about = _own(rows, client)
    others = _others(rows, about) if fault not in NEUTRAL else ""
    return " ".join(filter(None, (own, others)))


def harms(fault: str, client: Client) -> bool:
    """Whether this client is known to suffer from a fault."""
    does = SEEN.get(fault, {}).get(client.family)
    return does is not None and does not in SURVIVES


def _own(rows: dict[str, str], client: Client) -> tuple[str, tuple[str, ...]]:
    """What this client does, and the families that this speaks of."""
    name = quote(client.name, 40) or "this client"
    first = quote(client.name, 40) or "This client"
    if client.family in rows:
        return f"{first} {rows[client.family]} ({_seen_in(client.family)}).", (client.family,)
    known = tuple(family for family in client.built_on if family in rows)
    if client.name == QUESTIONER:
        return "", ()
    if not known:
        return f"What {name} does about it is not known.", ()
    sdk = _SPLIT[known[0]][0]
    if client.runs_on:
        subject = f"{first} runs on {client.runs_on}; if it uses the {sdk}, it"
    else:
        subject = f"{capital(name)} uses the {sdk}, which" if client.name != f"the {sdk}" else f"The {sdk}"
    words = list(dict.fromkeys(rows[family] for family in known))
    if len(words) == 1:
        return f"{subject} {words[0]} ({_seen_in(*known)}).", known
    each = ", or ".join(f"{rows[family]} ({_seen_in(family)})" for family in known)
    return f"{subject} {each}.", known


def _others(rows: dict[str, str], spoken_of: tuple[str, ...]) -> str:
    """Which other clients suffer, and which do not, as far as that was seen: in few words."""
    own = {rows[family] for family in spoken_of}
    suffering: dict[str, list[str]] = {}
    fine: list[str] = []
    for family, does in rows.items():
        if family in spoken_of:
            continue
        if does in SURVIVES:
            if family in SDKS:
                fine.append(family)
        else:
            suffering.setdefault(does, []).append(family)
    sentences = [f"The same in {_names(families)}." for does, families in suffering.items() if does in own]
    different = {does: families for does, families in suffering.items() if does not in own}
    if len(different) > MANY:
        sentences.append(f"Harmful in {_names([f for families in different.values() for f in families])}.")
    elif different:
        said = [f"{does} ({_names(families)})" for does, families in different.items()]
        sentences.append("Others: " + "; ".join(said) + ".")
    if fine:
        sentences.append(f"No harm seen in {_names(fine)}.")
    return " ".join(sentences)


def _seen_in(*families: str) -> str:
    """In which versions something was seen, or from where it is known."""
    versions = [_SPLIT[family][1] for family in families if _SPLIT[family][1]]
    origin = _SPLIT[families[0]][2]
    if not origin:
        return f"seen in {' and '.join(versions)}"
    how = {"source": "read in its source", "documentation": "by its documentation"}.get(origin, origin)
    return f"{versions[0]}, {how}" if versions else how


def _names(families: list[str]) -> str:
    """Names without what is needless: a version only where another one behaves differently."""
    names: dict[str, list[str]] = {}
    for family in families:
        names.setdefault(_SPLIT[family][0], []).append(_SPLIT[family][1])
    all_of = [name for name, _, _ in _SPLIT.values()]
    return listed(
        [
            name if len(versions) == all_of.count(name) else f"{name} {' and '.join(versions)}"
            for name, versions in names.items()
        ],
        limit=12,
    )
