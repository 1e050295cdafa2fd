"""MCP 2024-11-05, the first revision. Source: its schema.ts, and the pages on lifecycle and features."""

from __future__ import annotations

from mcptap.protocol.revisions.revision import (
    BOTH_WAYS,
    TO_CLIENT,
    TO_SERVER,
    Revision,
    notification,
    request,
)

REVISION = Revision(
    "2024-11-05",
    (
        request(
            "initialize",
            TO_SERVER,
            params="capabilities clientInfo protocolVersion",
            result="capabilities protocolVersion serverInfo",
            optional="instructions",
        ),
        request("ping", BOTH_WAYS),
        request("tools/list", TO_SERVER, requires="server.tools", result="tools", optional="nextCursor"),
        request(
            "tools/call",
            TO_SERVER,
            requires="server.tools",
            params="name",
            result="content",
            optional="isError",
        ),
        request(
            "resources/list",
            TO_SERVER,
            requires="server.resources",
            result="resources",
            optional="nextCursor",
        ),
        request(
            "resources/templates/list",
            TO_SERVER,
            requires="server.resources",
            result="resourceTemplates",
            optional="nextCursor",
        ),
        request("resources/read", TO_SERVER, requires="server.resources", params="uri", result="contents"),
        request("resources/subscribe", TO_SERVER, requires="server.resources.subscribe", params="uri"),
        request("resources/unsubscribe", TO_SERVER, requires="server.resources.subscribe", params="uri"),
        request(
            "prompts/list", TO_SERVER, requires="server.prompts", result="prompts", optional="nextCursor"
        ),
        request(
            "prompts/get",
            TO_SERVER,
            requires="server.prompts",
            params="name",
            result="messages",
            optional="description",
        ),
        request("completion/complete", TO_SERVER, params="argument ref", result="completion"),
        request("logging/setLevel", TO_SERVER, requires="server.logging", params="level"),
        request(
            "sampling/createMessage",
            TO_CLIENT,
            requires="client.sampling",
            params="maxTokens messages",
            result="content model role",
            optional="stopReason",
        ),
        request("roots/list", TO_CLIENT, requires="client.roots", result="roots"),
        notification("notifications/initialized", TO_SERVER),
        notification("notifications/cancelled", BOTH_WAYS, params="requestId"),
        notification("notifications/progress", BOTH_WAYS, params="progress progressToken"),
        notification("notifications/message", TO_CLIENT, requires="server.logging", params="data level"),
        notification("notifications/tools/list_changed", TO_CLIENT, requires="server.tools.listChanged"),
        notification("notifications/prompts/list_changed", TO_CLIENT, requires="server.prompts.listChanged"),
        notification(
            "notifications/resources/list_changed", TO_CLIENT, requires="server.resources.listChanged"
        ),
        notification(
            "notifications/resources/updated",
            TO_CLIENT,
            requires="server.resources.subscribe",
            params="uri",
        ),
        notification("notifications/roots/list_changed", TO_SERVER, requires="client.roots.listChanged"),
    ),
    content_types=("text", "image", "resource"),
)
