"""MCP 2025-06-18: structured results, links to resources, elicitation."""

from __future__ import annotations

from mcptap.protocol.revisions import r2025_03_26
from mcptap.protocol.revisions.revision import TO_CLIENT, TO_SERVER, request

_BEFORE = r2025_03_26.REVISION

REVISION = _BEFORE.successor(
    "2025-06-18",
    request(
        "tools/call",
        TO_SERVER,
        requires="server.tools",
        params="name",
        result="content",
        optional="isError structuredContent",
    ),
    request(
        "elicitation/create",
        TO_CLIENT,
        requires="client.elicitation",
        params="message requestedSchema",
        result="action",
        optional="content",
    ),
    content_types=_BEFORE.content_types | {"resource_link"},
)
