"""Opening a session in either era, and learning what the server offers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mcptap import __version__
from mcptap.play.client.connection import Connection
from mcptap.protocol.model.message import Message

STATELESS = "2026-07-28"
NEWEST_HANDSHAKE = "2025-11-25"
HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
CLIENT_INFO = {"name": "mcptap-probe", "version": __version__}
META_PREFIX = "io.modelcontextprotocol/"
MAX_PAGES = 100

LISTS = (
    ("tools", "tools/list", "tools"),
    ("resources", "resources/list", "resources"),
    ("resources", "resources/templates/list", "resourceTemplates"),
    ("prompts", "prompts/list", "prompts"),
)
"""Capability, method and member of the result."""


class OpeningOutcome(Enum):
    """What became of an opening message."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    SILENT = "no answer"
    GONE = "the server ended"


@dataclass(slots=True)
class Opening:
    """What came of `server/discover` or `initialize`."""

    opened: OpeningOutcome
    answer: Message | None = None

    @property
    def result(self) -> dict[str, Any]:
        """The result; empty if there is none."""
        result = self.answer.result if self.answer is not None else None
        return result if isinstance(result, dict) else {}

    @property
    def words(self) -> str:
        """The outcome in words."""
        error = self.answer.error if self.answer is not None else None
        if isinstance(error, dict):
            return f"refused: {error.get('code')} {error.get('message')}"
        return self.opened.value


@dataclass(slots=True)
class ServerDescription:
    """What a server says of itself and what it lists. `errors` are lists that could not be had."""

    revision: str = ""
    info: dict[str, Any] = field(default_factory=dict)
    capabilities: dict[str, Any] = field(default_factory=dict)
    instructions: str = ""
    lists: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    pages: dict[str, int] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools listed."""
        return self.lists.get("tools", [])

    @property
    def stateless(self) -> bool:
        """Whether it was learnt in the stateless era."""
        return self.revision == STATELESS


def request_meta(
    version: str = STATELESS, capabilities: dict[str, Any] | None = None, info: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The `_meta` that a request of 2026-07-28 has to carry."""
    return {
        f"{META_PREFIX}protocolVersion": version,
        f"{META_PREFIX}clientCapabilities": capabilities or {},
        f"{META_PREFIX}clientInfo": info or CLIENT_INFO,
    }


async def discover(
    connection: Connection,
    key: str | int | None = None,
    limit_s: float | None = None,
    info: dict[str, Any] | None = None,
) -> Opening:
    """Ask `server/discover`; if it is answered, later requests of the connection are stateless ones."""
    connection.meta = request_meta(info=info)
    answer = await connection.ask("server/discover", {}, key=key, limit_s=limit_s)
    opening = _opening(connection, answer)
    versions = opening.result.get("supportedVersions")
    if opening.opened is OpeningOutcome.ACCEPTED and not (
        isinstance(versions, list) and STATELESS in versions
    ):
        opening.opened = OpeningOutcome.REFUSED
    if opening.opened is not OpeningOutcome.ACCEPTED:
        connection.meta = {}
    return opening


async def initialize(
    connection: Connection,
    revision: str = NEWEST_HANDSHAKE,
    info: dict[str, Any] | None = None,
    limit_s: float | None = None,
) -> Opening:
    """Shake hands: `initialize`, and `notifications/initialized` if it was answered with a result."""
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": info or CLIENT_INFO}
    answer = await connection.ask("initialize", params, limit_s=limit_s)
    opening = _opening(connection, answer)
    if opening.opened is OpeningOutcome.ACCEPTED:
        await connection.notify("notifications/initialized")
    return opening


def _opening(connection: Connection, answer: Message | None) -> Opening:
    if answer is None:
        return Opening(OpeningOutcome.GONE if connection.gone else OpeningOutcome.SILENT)
    if isinstance(answer.error, dict) or not isinstance(answer.result, dict):
        return Opening(OpeningOutcome.REFUSED, answer)
    return Opening(OpeningOutcome.ACCEPTED, answer)


async def learn(
    connection: Connection, opening: Opening, undeclared: frozenset[str] = frozenset()
) -> ServerDescription:
    """Everything that the server lists, page by page: what it declares, and what is `undeclared`."""
    result = opening.result
    meta = result.get("_meta") if isinstance(result.get("_meta"), dict) else {}
    info = result.get("serverInfo") or (meta or {}).get(f"{META_PREFIX}serverInfo")
    capabilities = result.get("capabilities")
    offer = ServerDescription(
        revision=STATELESS if connection.meta else str(result.get("protocolVersion")),
        info=info if isinstance(info, dict) else {},
        capabilities=capabilities if isinstance(capabilities, dict) else {},
        instructions=str(result.get("instructions") or ""),
    )
    for capability, method, member in LISTS:
        if (capability in offer.capabilities or capability in undeclared) and not connection.gone:
            await _walk(connection, offer, method, member)
    return offer


async def _walk(connection: Connection, offer: ServerDescription, method: str, member: str) -> None:
    """One list to its last page. A cursor that comes again ends it: the list would never end."""
    items: list[dict[str, Any]] = []
    cursors: set[str] = set()
    params: dict[str, Any] | None = None
    for page in range(1, MAX_PAGES + 1):
        answer = await connection.ask(method, params)
        if answer is None:
            offer.errors[member] = "the server ended" if connection.gone else "no answer"
            break
        if not isinstance(answer.result, dict):
            error = answer.error if isinstance(answer.error, dict) else {}
            offer.errors[member] = f"error {error.get('code')}, {error.get('message')}"
            break
        found = answer.result.get(member)
        items += [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
        offer.pages[member] = page
        cursor = answer.result.get("nextCursor")
        if not isinstance(cursor, str):
            break
        if cursor in cursors:
            offer.errors[member] = "the same cursor came twice"
            break
        cursors.add(cursor)
        params = {"cursor": cursor}
    offer.lists[member] = items
