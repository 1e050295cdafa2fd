"""Which client is at the other end: from its `clientInfo`, and from the process that started the tap."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from mcptap.clients.client import Client
from mcptap.clients.table import CLIENTS
from mcptap.protocol.model.parts.process import STOPPING
from mcptap.protocol.model.session import Session

PROBE_NAME = "mcptap-probe"
"""What `mcptap probe` calls itself in `clientInfo`."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """The client of a session, as far as it can be told. `name` and `version` are for people."""

    name: str = ""
    version: str = ""
    client: Client | None = None
    """What is known of it; None if it is no client or library that is known."""
    libraries: tuple[Client, ...] = ()
    """The libraries that its kind of client may be built on; empty if that is not known."""
    interpreter: str = ""
    """What it runs on, if `libraries` is concluded from nothing else."""


def recognise(session: Session) -> Recognised:
    """The client of a session. A name that is not known stays as the client gave it."""
    info = session.client.info
    name, version = _text(info.get("name")), _text(info.get("version"))
    parent = session.header.parent if session.header is not None else {}
    process = re.split(r"[\\/]", _text(parent.get("name")))[-1]
    called = _called(name, version)
    if called and called[0].is_library:
        return _library(called, session.stateless.discover is not None)
    if called:
        return _known(called[0], version)
    started = [] if name else _called(process, None)
    if started:
        return _known(started[0], "")
    interpreters = [(row, row.interpreter) for row in CLIENTS.values() if row.interpreter is not None]
    usual = [(row, runs.name) for row, runs in interpreters if re.search(runs.processes, process, re.I)]
    return Recognised(name, version, None, tuple(row for row, _ in usual), usual[0][1] if usual else "")


def may_have_stopped(client: Client | None, session: Session) -> bool:
    """Whether the client may have ended the server by a signal past the tap, which knows of none then."""
    return (
        client is not None
        and bool(client.stops_descendants.value)
        and session.process.exit_signal in STOPPING
    )


def _called(name: str, version: str | None) -> list[Client]:
    """The rows that a name fits. `version` None: it is the name of a process, which no library has."""
    return [
        client
        for client in CLIENTS.values()
        if name
        and client.names
        and re.search(client.names, name, re.I)
        and not (client.is_library and version is None)
        and re.search(client.names_version, version or "")
    ]


def _known(client: Client, version: str) -> Recognised:
    return Recognised(
        client.name, version, client, tuple(CLIENTS[row] for row in client.libraries.value or ())
    )


def _library(versions: list[Client], discovers: bool) -> Recognised:
    """A program that left its library's name in `clientInfo`: the version shows in its opening."""
    probing = [v for v in versions if v.opening.value is not None and v.opening.value.discovers]
    certain = probing[0] if discovers and len(probing) == 1 else None
    return Recognised(f"the {versions[0].name}", "", certain, tuple(versions))


def _text(value: Any) -> str:
    return value[:80] if isinstance(value, str) else ""
