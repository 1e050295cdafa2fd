"""Opening a session in either era, and learning what the server offers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mcptap import __version__
from mcptap.play.client.caller import Caller
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


class Opened(Enum):
    """What became of an opening message."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    SILENT = "no answer"
    GONE = "the server ended"


@dataclass(slots=True)
class Opening:
    """What came of `server/discover` or `initialize`."""

    opened: Opened
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
class Offer:
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
    caller: Caller,
    key: str | int | None = None,
    limit_s: float | None = None,
    info: dict[str, Any] | None = None,
) -> Opening:
    """Ask `server/discover`; if it is answered, later requests of the caller are stateless ones."""
    caller.meta = request_meta(info=info)
    answer = await caller.ask("server/discover", {}, key=key, limit_s=limit_s)
    opening = _opening(caller, answer)
    versions = opening.result.get("supportedVersions")
    if opening.opened is Opened.ACCEPTED and not (isinstance(versions, list) and STATELESS in versions):
        opening.opened = Opened.REFUSED
    if opening.opened is not Opened.ACCEPTED:
        caller.meta = {}
    return opening


async def initialize(
    caller: Caller,
    revision: str = NEWEST_HANDSHAKE,
    info: dict[str, Any] | None = None,
    limit_s: float | None = None,
) -> Opening:
    """Shake hands: `initialize`, and `notifications/initialized` if it was answered with a result."""
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": info or CLIENT_INFO}
    answer = await caller.ask("initialize", params, limit_s=limit_s)
    opening = _opening(caller, answer)
    if opening.opened is Opened.ACCEPTED:
        await caller.notify("notifications/initialized")
    return opening


def _opening(caller: Caller, answer: Message | None) -> Opening:
    if answer is None:
        return Opening(Opened.GONE if caller.gone else Opened.SILENT)
    if isinstance(answer.error, dict) or not isinstance(answer.result, dict):
        return Opening(Opened.REFUSED, answer)
    return Opening(Opened.ACCEPTED, answer)


async def learn(caller: Caller, opening: Opening, undeclared: frozenset[str] = frozenset()) -> Offer:
    """Everything that the server lists, page by page: what it declares, and what is `undeclared`."""
    result = opening.result
    meta = result.get("_meta") if isinstance(result.get("_meta"), dict) else {}
    info = result.get("serverInfo") or (meta or {}).get(f"{META_PREFIX}serverInfo")
    capabilities = result.get("capabilities")
    offer = Offer(
        revision=STATELESS if caller.meta else str(result.get("protocolVersion")),
        info=info if isinstance(info, dict) else {},
        capabilities=capabilities if isinstance(capabilities, dict) else {},
        instructions=str(result.get("instructions") or ""),
    )
    for capability, method, member in LISTS:
        if (capability in offer.capabilities or capability in undeclared) and not caller.gone:
            await _walk(caller, offer, method, member)
    return offer


async def _walk(caller: Caller, offer: Offer, method: str, member: str) -> None:
    """One list to its last page. A cursor that comes again ends it: the list would never end."""
    items: list[dict[str, Any]] = []
    cursors: set[str] = set()
    params: dict[str, Any] | None = None
    for page in range(1, MAX_PAGES + 1):
        answer = await caller.ask(method, params)
        if answer is None:
            offer.errors[member] = "the server ended" if caller.gone else "no answer"
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
