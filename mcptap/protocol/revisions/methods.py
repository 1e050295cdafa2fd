"""Methods and notifications of MCP for each revision, as facts.

Sources: the schema.ts of each revision and its pages lifecycle, tools, resources, prompts,
completion, logging, tasks, and, for 2026-07-28, discover, subscriptions, mrtr and caching.

What every message of 2026-07-28 has in common stands apart from the rows: `REQUEST_META`,
`RESULT_TYPES`, `CACHEABLE`, `INPUT_REQUIRED`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from mcptap.protocol.revisions.revisions import LETTERS, REVISIONS, A, B, C, D, E
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

INPUT = "input"
"""Direction of what is no request of its own but an entry of `inputRequests` (2026-07-28)."""


@dataclass(frozen=True, slots=True)
class Method:
    """One method or notification in one revision.

    `needs` are the capabilities, as `side.path`, that the receiver of a request or the sender
    of a notification has to declare. `params` and `result` are the required keys;
    `result_keys` are all the keys that the schema names.
    """

    name: str
    is_request: bool
    directions: tuple[str, ...]
    needs: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    result: tuple[str, ...] = ()
    result_keys: tuple[str, ...] = ()


_DIRECTIONS = {
    ">": (CLIENT_TO_SERVER,),
    "<": (SERVER_TO_CLIENT,),
    "=": (CLIENT_TO_SERVER, SERVER_TO_CLIENT),
    "in": (INPUT,),
}

_TASK = "createdAt lastUpdatedAt status taskId ttl"

# method, revisions, direction, needs, required params, required result, other result keys
_REQUESTS = (
    ("initialize", "ABCD", ">", "", "capabilities clientInfo protocolVersion",
     "capabilities protocolVersion serverInfo", "instructions"),
    ("ping", "ABCD", "=", "", "", "", ""),
    ("server/discover", "E", ">", "", "", "capabilities supportedVersions", "instructions"),
    ("subscriptions/listen", "E", ">", "", "notifications", "_meta", ""),
    ("tools/list", "ABCDE", ">", "server.tools", "", "tools", "nextCursor"),
    ("tools/call", "AB", ">", "server.tools", "name", "content", "isError"),
    ("tools/call", "CDE", ">", "server.tools", "name", "content", "isError structuredContent"),
    ("resources/list", "ABCDE", ">", "server.resources", "", "resources", "nextCursor"),
    ("resources/templates/list", "ABCDE", ">", "server.resources", "", "resourceTemplates", "nextCursor"),
    ("resources/read", "ABCDE", ">", "server.resources", "uri", "contents", ""),
    ("resources/subscribe", "ABCD", ">", "server.resources.subscribe", "uri", "", ""),
    ("resources/unsubscribe", "ABCD", ">", "server.resources.subscribe", "uri", "", ""),
    ("prompts/list", "ABCDE", ">", "server.prompts", "", "prompts", "nextCursor"),
    ("prompts/get", "ABCDE", ">", "server.prompts", "name", "messages", "description"),
    ("completion/complete", "A", ">", "", "argument ref", "completion", ""),
    ("completion/complete", "BCDE", ">", "server.completions", "argument ref", "completion", ""),
    ("logging/setLevel", "ABCD", ">", "server.logging", "level", "", ""),
    ("sampling/createMessage", "ABCD", "<", "client.sampling", "maxTokens messages",
     "content model role", "stopReason"),
    ("sampling/createMessage", "E", "in", "client.sampling", "maxTokens messages",
     "content model role", "stopReason"),
    ("roots/list", "ABCD", "<", "client.roots", "", "roots", ""),
    ("roots/list", "E", "in", "client.roots", "", "roots", ""),
    ("elicitation/create", "C", "<", "client.elicitation", "message requestedSchema", "action", "content"),
    ("elicitation/create", "D", "<", "client.elicitation", "message", "action", "content"),
    ("elicitation/create", "E", "in", "client.elicitation", "message", "action", "content"),
    ("tasks/get", "D", "=", "server.tasks client.tasks", "taskId", _TASK, "pollInterval statusMessage"),
    ("tasks/result", "D", "=", "server.tasks client.tasks", "taskId", "", ""),
    ("tasks/list", "D", "=", "server.tasks.list client.tasks.list", "", "tasks", "nextCursor"),
    ("tasks/cancel", "D", "=", "server.tasks.cancel client.tasks.cancel", "taskId", _TASK,
     "pollInterval statusMessage"),
)  # fmt: skip

# notification, revisions, direction, needs, required params
_NOTIFICATIONS = (
    ("notifications/initialized", "ABCD", ">", "", ""),
    # 2025-11-25 made requestId optional, because a task is cancelled by its own method.
    ("notifications/cancelled", "ABC", "=", "", "requestId"),
    ("notifications/cancelled", "D", "=", "", ""),
    ("notifications/cancelled", "E", "=", "", "requestId"),
    ("notifications/progress", "ABCD", "=", "", "progress progressToken"),
    ("notifications/progress", "E", "<", "", "progress progressToken"),
    ("notifications/message", "ABCDE", "<", "server.logging", "data level"),
    ("notifications/tools/list_changed", "ABCDE", "<", "server.tools.listChanged", ""),
    ("notifications/prompts/list_changed", "ABCDE", "<", "server.prompts.listChanged", ""),
    ("notifications/resources/list_changed", "ABCDE", "<", "server.resources.listChanged", ""),
    ("notifications/resources/updated", "ABCDE", "<", "server.resources.subscribe", "uri"),
    ("notifications/roots/list_changed", "ABCD", ">", "client.roots.listChanged", ""),
    ("notifications/elicitation/complete", "D", "<", "client.elicitation.url", "elicitationId"),
    ("notifications/tasks/status", "D", "=", "client.tasks server.tasks", _TASK),
    ("notifications/subscriptions/acknowledged", "E", "<", "", "notifications"),
)


def _tables() -> dict[str, dict[str, Method]]:
    tables: dict[str, dict[str, Method]] = {revision: {} for revision in REVISIONS}
    for name, letters, way, needs, params, result, more in _REQUESTS:
        required = tuple(result.split())
        row = Method(name, True, _DIRECTIONS[way], tuple(needs.split()), tuple(params.split()),
                     required, (*required, *more.split(), "_meta"))  # fmt: skip
        for letter in letters:
            tables[LETTERS[letter]][name] = row
    for name, letters, way, needs, params in _NOTIFICATIONS:
        row = Method(name, False, _DIRECTIONS[way], tuple(needs.split()), tuple(params.split()))
        for letter in letters:
            tables[LETTERS[letter]][name] = row
    return tables


METHODS = _tables()
"""For each revision its methods and notifications by name."""

KNOWN = frozenset(name for table in METHODS.values() for name in table)
"""All names that any revision has."""

LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
"""Methods that list, in pages, and the key of their result that holds the items."""

LISTS_OF_CHANGE = {
    "notifications/tools/list_changed": ("tools/list",),
    "notifications/resources/list_changed": ("resources/list", "resources/templates/list"),
    "notifications/prompts/list_changed": ("prompts/list",),
}
"""Which lists a notification speaks of."""

CONTENT_TYPES = {
    A: frozenset({"text", "image", "resource"}),
    B: frozenset({"text", "image", "audio", "resource"}),
    C: frozenset({"text", "image", "audio", "resource", "resource_link"}),
    D: frozenset({"text", "image", "audio", "resource", "resource_link"}),
    E: frozenset({"text", "image", "audio", "resource", "resource_link"}),
}
"""Types of content blocks in a tool result or a prompt message."""

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""RFC 5424 severities, least first."""

META = "io.modelcontextprotocol/"
META_VERSION = META + "protocolVersion"
META_CLIENT_CAPABILITIES = META + "clientCapabilities"
META_CLIENT_INFO = META + "clientInfo"
META_SERVER_INFO = META + "serverInfo"
META_LOG_LEVEL = META + "logLevel"
META_SUBSCRIPTION = META + "subscriptionId"

REQUEST_META = (META_VERSION, META_CLIENT_CAPABILITIES)
"""What every request of 2026-07-28 must carry in `params._meta`."""

COMPLETE = "complete"
INPUT_REQUIRED = "input_required"
RESULT_TYPES = frozenset({COMPLETE, INPUT_REQUIRED})
"""Values of `resultType`, which every result of 2026-07-28 must carry."""

CACHEABLE = frozenset(
    {
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    }
)
"""Methods whose complete result must carry `ttlMs` and `cacheScope` (2026-07-28)."""

MAY_ASK_FOR_INPUT = frozenset({"tools/call", "prompts/get", "resources/read"})
"""Methods that may be answered `input_required` (2026-07-28)."""

INPUT_METHODS = frozenset({"sampling/createMessage", "elicitation/create", "roots/list"})
"""What an entry of `inputRequests` may ask for (2026-07-28)."""

SUBSCRIPTION_FILTERS = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
    "notifications/resources/updated": "resourceSubscriptions",
}
"""Notifications that belong to a subscription, and the key of the filter that asks for each (2026-07-28)."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
MISSING_CLIENT_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022


@lru_cache(maxsize=1024)
def lookup(revision: str, name: str) -> Method | None:
    """The method in that revision, or None. For an unknown revision: None."""
    table = METHODS.get(revision)
    return None if table is None else table.get(name)
