"""What a played client says of itself when it opens a session, and with each request of 2026-07-28."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcptap import __version__
from mcptap.clients.recognition import PROBE_NAME
from mcptap.protocol.revisions import NEWEST_STATELESS
from mcptap.protocol.revisions.names import META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_VERSION

CLIENT_INFO = {"name": PROBE_NAME, "version": __version__}


@dataclass(frozen=True, slots=True)
class Persona:
    """What a played client says of itself: its `clientInfo`, and the capabilities that it declares."""

    info: Mapping[str, Any] = field(default_factory=lambda: CLIENT_INFO)
    capabilities: Mapping[str, Any] = field(default_factory=dict)


PROBE = Persona()


def initialize_params(revision: str, persona: Persona = PROBE) -> dict[str, Any]:
    """The params of `initialize`."""
    return {
        "protocolVersion": revision,
        "capabilities": persona.capabilities,
        "clientInfo": persona.info,
    }


def request_meta(persona: Persona = PROBE) -> dict[str, Any]:
    """The `_meta` that a request of 2026-07-28 has to carry."""
    return {
        META_VERSION: NEWEST_STATELESS,
        META_CLIENT_CAPABILITIES: persona.capabilities,
        META_CLIENT_INFO: persona.info,
    }
