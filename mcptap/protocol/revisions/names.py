"""Names and codes that messages of MCP carry, whatever their revision."""

from __future__ import annotations

OPENERS = ("initialize", "server/discover")
"""Methods that a session can begin with."""

OPENING = (*OPENERS, "notifications/initialized")
"""All that a client may send to open a session."""

LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
"""Methods that list, in pages, and the key of their result that holds the items."""

ASK_PERSONS = frozenset({"sampling/createMessage", "elicitation/create"})
"""Requests of the server that a person may be asked about."""

ITEM_NAMES = {
    "tools/list": "name",
    "prompts/list": "name",
    "resources/list": "uri",
    "resources/templates/list": "uriTemplate",
}
"""For each of these methods, in the order in which people care: which member names an item."""

MAY_STAY_OPEN = frozenset({"subscriptions/listen", "tasks/result"})
"""Methods whose answer may be as long in coming as the session lasts."""

LISTS_OF_CHANGE = {
    "notifications/tools/list_changed": ("tools/list",),
    "notifications/resources/list_changed": ("resources/list", "resources/templates/list"),
    "notifications/prompts/list_changed": ("prompts/list",),
}
"""Which lists a notification speaks of."""

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""RFC 5424 severities, least first."""

META = "io.modelcontextprotocol/"
META_VERSION = META + "protocolVersion"
META_CLIENT_CAPABILITIES = META + "clientCapabilities"
META_CLIENT_INFO = META + "clientInfo"
META_SERVER_INFO = META + "serverInfo"
META_LOG_LEVEL = META + "logLevel"
META_SUBSCRIPTION = META + "subscriptionId"

COMPLETE = "complete"
INPUT_REQUIRED = "input_required"
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
MISSING_CLIENT_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022
