"""What a server says of itself in its opening, and what it lists."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mcptap.play.client.connection import Connection
from mcptap.play.client.opening import OpeningResult
from mcptap.protocol.model.message import Message
from mcptap.protocol.revisions import NEWEST_STATELESS
from mcptap.protocol.revisions.names import LISTS, META_SERVER_INFO

MAX_PAGES = 100


@dataclass(slots=True)
class ServerDescription:
    """What a server says of itself and what it lists."""

    revision: str = ""
    info: dict[str, Any] = field(default_factory=dict)
    """Its `serverInfo`."""
    capabilities: dict[str, Any] = field(default_factory=dict)
    lists: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Items by the member of the result that holds them (`tools`, `resourceTemplates`)."""
    pages: dict[str, int] = field(default_factory=dict)
    """How many pages each list has."""
    responses: dict[str, list[Message]] = field(default_factory=dict)
    """The answers of which each list was made."""
    errors: dict[str, str] = field(default_factory=dict)
    """Why a list is not whole, in words."""

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools listed."""
        return self.lists.get("tools", [])

    @property
    def is_stateless(self) -> bool:
        """Whether it was given in the stateless era."""
        return self.revision == NEWEST_STATELESS


async def describe_server(
    connection: Connection, opening: OpeningResult, undeclared: frozenset[str] = frozenset()
) -> ServerDescription:
    """Ask for everything that the server lists: what it declares, and the capabilities `undeclared`."""
    result = opening.result
    meta = result.get("_meta") if isinstance(result.get("_meta"), dict) else {}
    info = result.get("serverInfo") or (meta or {}).get(META_SERVER_INFO)
    capabilities = result.get("capabilities")
    description = ServerDescription(
        revision=NEWEST_STATELESS if connection.meta else str(result.get("protocolVersion")),
        info=info if isinstance(info, dict) else {},
        capabilities=capabilities if isinstance(capabilities, dict) else {},
    )
    for method, member in LISTS.items():
        capability = method.partition("/")[0]
        if (capability in description.capabilities or capability in undeclared) and not connection.ended:
            await _read_list(connection, description, method, member)
    return description


async def _read_list(
    connection: Connection, description: ServerDescription, method: str, member: str
) -> None:
    """Read one list to its last page. A cursor that comes again ends it: the list would never end."""
    items: list[dict[str, Any]] = []
    cursors: set[str] = set()
    params: dict[str, Any] | None = None
    for page in range(1, MAX_PAGES + 1):
        response = await connection.request(method, params)
        if response is None:
            description.errors[member] = "the server ended" if connection.ended else "no answer"
            break
        description.responses.setdefault(member, []).append(response)
        if not isinstance(response.result, dict):
            error = response.error if isinstance(response.error, dict) else {}
            description.errors[member] = f"error {error.get('code')}, {error.get('message')}"
            break
        found = response.result.get(member)
        items += [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
        description.pages[member] = page
        cursor = response.result.get("nextCursor")
        if not isinstance(cursor, str):
            break
        if cursor in cursors:
            description.errors[member] = "the same cursor came twice"
            break
        cursors.add(cursor)
        params = {"cursor": cursor}
    else:
        description.errors[member] = f"no end after {MAX_PAGES} pages"
    description.lists[member] = items
