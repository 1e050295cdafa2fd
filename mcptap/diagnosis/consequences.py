"""What a fault does to the client at hand, and which others suffer from it."""

from __future__ import annotations

from mcptap.diagnosis.finding import Finding
from mcptap.diagnosis.recognition import Client, recognise
from mcptap.diagnosis.seen import NEUTRAL, SEEN, SEEN_IN, SURVIVES
from mcptap.diagnosis.wording import capital, quote
from mcptap.protocol.session import Session

__all__ = ["Client", "describe", "recognise"]

QUESTIONER = "mcptap-probe"
"""What `mcptap probe` calls itself. It stands for no client, so nothing is said of what it does."""

SDKS = ("ts1", "ts2", "py1", "py2", "csharp", "rust")


def describe(finding: Finding, client: Client, _session: Session) -> str:
    """What this client does about the fault and which others suffer; empty if nothing was ever seen."""
    fault = finding.rule
    if fault == "capability-shape" and " is null " in finding.message:
        fault = "capability-shape null"
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


def _own(rows: dict[str, str], client: Client) -> tuple[str, set[str]]:
    """What this client does, and the families that this speaks of."""
    name = quote(client.name, 40) or "this client"
    first = quote(client.name, 40) or "This client"
    if client.family in rows:
        return f"{first} {rows[client.family]} ({SEEN_IN[client.family]}).", {client.family}
    known = [family for family in client.built_on if family in rows]
    if client.name == QUESTIONER:
        return "", set()
    if not known:
        return f"What {name} does about it is not known.", set()
    sdk = SEEN_IN[known[0]].split(" SDK")[0]
    if client.runs_on:
        subject = f"{first} runs on {client.runs_on}; if it uses the {sdk} SDK, it"
    else:
        subject = (
            f"{capital(name)} uses the {sdk} SDK, which"
            if client.name != f"the {sdk} SDK"
            else f"The {sdk} SDK"
        )
    words = list(dict.fromkeys(rows[family] for family in known))
    if len(words) == 1:
        return f"{subject} {words[0]} ({_names(known)}).", set(known)
    each = ", or ".join(f"{rows[family]} ({SEEN_IN[family]})" for family in known)
    return f"{subject} {each}.", set(known)


def _others(rows: dict[str, str], spoken_of: set[str]) -> str:
    """Which other clients suffer, and which do not, as far as that was seen."""
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
    said = [f"{does} ({_names(families)})" for does, families in suffering.items()]
    sentences = ["Others: " + "; ".join(said) + "."] if said else []
    if fine:
        sentences.append(f"No harm seen in {_names(fine)}.")
    return " ".join(sentences)


def _names(families: list[str]) -> str:
    """Names with their versions; two versions of one SDK share its name."""
    names: list[str] = []
    for family in families:
        name = SEEN_IN[family]
        kind, _, version = name.rpartition(" ")
        if names and kind.endswith("SDK") and names[-1].startswith(kind + " "):
            names[-1] += f" and {version}"
        else:
            names.append(name)
    return ", ".join(names)
