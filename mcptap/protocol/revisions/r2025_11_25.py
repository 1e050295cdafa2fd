"""MCP 2025-11-25: tasks, elicitation by URL, several blocks in a message of sampling."""

from __future__ import annotations

from mcptap.protocol.revisions import r2025_06_18
from mcptap.protocol.revisions.revision import BOTH_WAYS, TO_CLIENT, notification, request

_BEFORE = r2025_06_18.REVISION
_TASK = "createdAt lastUpdatedAt status taskId ttl"

REVISION = _BEFORE.successor(
    "2025-11-25",
    request(
        "elicitation/create",
        TO_CLIENT,
        requires="client.elicitation",
        params="message",
        result="action",
        optional="content",
    ),
    request(
        "tasks/get",
        BOTH_WAYS,
        requires="server.tasks client.tasks",
        params="taskId",
        result=_TASK,
        optional="pollInterval statusMessage",
    ),
    request("tasks/result", BOTH_WAYS, requires="server.tasks client.tasks", params="taskId"),
    request(
        "tasks/list",
        BOTH_WAYS,
        requires="server.tasks.list client.tasks.list",
        result="tasks",
        optional="nextCursor",
    ),
    request(
        "tasks/cancel",
        BOTH_WAYS,
        requires="server.tasks.cancel client.tasks.cancel",
        params="taskId",
        result=_TASK,
        optional="pollInterval statusMessage",
    ),
    # requestId became optional, because a task is cancelled by its own method.
    notification("notifications/cancelled", BOTH_WAYS),
    notification(
        "notifications/elicitation/complete",
        TO_CLIENT,
        requires="client.elicitation.url",
        params="elicitationId",
    ),
    notification("notifications/tasks/status", BOTH_WAYS, requires="client.tasks server.tasks", params=_TASK),
    splits_client_capabilities=True,
)
