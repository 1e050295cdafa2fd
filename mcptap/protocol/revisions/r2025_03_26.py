"""MCP 2025-03-26: audio, and a capability for completion."""

from __future__ import annotations

from mcptap.protocol.revisions import r2024_11_05
from mcptap.protocol.revisions.revision import TO_SERVER, Revision, request

_BEFORE = r2024_11_05.REVISION

REVISION = Revision(
    "2025-03-26",
    (
        *_BEFORE.without("completion/complete"),
        request(
            "completion/complete",
            TO_SERVER,
            requires="server.completions",
            params="argument ref",
            result="completion",
        ),
    ),
    content_types=_BEFORE.content_types | {"audio"},
)
