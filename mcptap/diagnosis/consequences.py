"""What a fault does to the client at hand, and to others."""

from __future__ import annotations

from dataclasses import dataclass

from mcptap.diagnosis.finding import Finding
from mcptap.protocol.session import Session


@dataclass(frozen=True, slots=True)
class Client:
    """The client of a session: its name as people know it, version, and SDK family, where known."""

    name: str = ""
    version: str = ""
    family: str = ""


def recognise(session: Session) -> Client:
    """The client, from its `clientInfo` and the process that started the tap."""
    info = session.client_info
    name, version = info.get("name"), info.get("version")
    return Client(name if isinstance(name, str) else "", version if isinstance(version, str) else "")


def describe(finding: Finding, client: Client, session: Session) -> str:  # noqa: ARG001
    """What this client does about the fault, and which others suffer from it."""
    return ""
