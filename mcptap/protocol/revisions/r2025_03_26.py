"""MCP 2025-03-26: audio, and a capability for completion."""

from __future__ import annotations

from mcptap.protocol.revisions import r2024_11_05
from mcptap.protocol.revisions.revision import TO_SERVER, request

_BEFORE = r2024_11_05.REVISION

REVISION = _BEFORE.successor(
    "2025-03-26",
    request(
        "completion/complete",
        TO_SERVER,
        requires="server.completions",
        params="argument ref",
        result="completion",
    ),
    content_types=_BEFORE.content_types | {"audio"},
)
