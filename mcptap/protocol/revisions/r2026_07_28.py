"""MCP 2026-07-28: no handshake, each request carries what it needs.

Source: its schema.ts, and the pages discover, subscriptions, mrtr and caching.
"""

from __future__ import annotations

from mcptap.protocol.revisions import r2025_11_25
from mcptap.protocol.revisions.names import (
    COMPLETE,
    INPUT_REQUIRED,
    INVALID_PARAMS,
    META_CLIENT_CAPABILITIES,
    META_VERSION,
)
from mcptap.protocol.revisions.revision import (
    BOTH_WAYS,
    IN_RESULT,
    TO_CLIENT,
    TO_SERVER,
    notification,
    request,
)

_BEFORE = r2025_11_25.REVISION

REVISION = _BEFORE.successor(
    "2026-07-28",
    request(
        "server/discover",
        TO_SERVER,
        result="capabilities supportedVersions",
        optional="instructions",
    ),
    request("subscriptions/listen", TO_SERVER, params="notifications", result="_meta"),
    request(
        "sampling/createMessage",
        IN_RESULT,
        requires="client.sampling",
        params="maxTokens messages",
        result="content model role",
        optional="stopReason",
    ),
    request("roots/list", IN_RESULT, requires="client.roots", result="roots"),
    request(
        "elicitation/create",
        IN_RESULT,
        requires="client.elicitation",
        params="message",
        result="action",
        optional="content",
    ),
    notification("notifications/cancelled", BOTH_WAYS, params="requestId"),
    notification("notifications/progress", TO_CLIENT, params="progress progressToken"),
    notification("notifications/subscriptions/acknowledged", TO_CLIENT, params="notifications"),
    without=(
        "initialize",
        "ping",
        "resources/subscribe",
        "resources/unsubscribe",
        "logging/setLevel",
        "tasks/get",
        "tasks/result",
        "tasks/list",
        "tasks/cancel",
        "notifications/initialized",
        "notifications/roots/list_changed",
        "notifications/elicitation/complete",
        "notifications/tasks/status",
    ),
    resource_not_found=INVALID_PARAMS,
    is_stateless=True,
    allows_any_structured_content=True,
    allows_ids_again=True,
    request_meta=(META_VERSION, META_CLIENT_CAPABILITIES),
    result_types=(COMPLETE, INPUT_REQUIRED),
    cacheable=(
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    ),
    may_ask_for_input=("tools/call", "prompts/get", "resources/read"),
    subscription_filters={
        "notifications/tools/list_changed": "toolsListChanged",
        "notifications/prompts/list_changed": "promptsListChanged",
        "notifications/resources/list_changed": "resourcesListChanged",
        "notifications/resources/updated": "resourceSubscriptions",
    },
)
