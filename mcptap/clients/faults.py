"""The faults of servers, each once: what rules report, what clients react to, what `mcptap mock` plays."""

from __future__ import annotations

from enum import Enum


class Fault(Enum):
    """One way in which a server, or its launch, goes wrong for a client. The value is its id."""

    # lines
    NOT_JSON = "not-json"
    """A line on stdout that is text, not JSON."""
    GLUED_TEXT = "glued-text"
    """Text in front of a message, on the same line."""
    MESSAGE_OVER_LINES = "message-over-lines"
    """A message that is spread over several lines."""
    BYTE_ORDER_MARK = "byte-order-mark"
    CRLF = "crlf"
    BLANK_LINE = "blank-line"
    INVALID_UTF8 = "invalid-utf8"
    """A few bytes of a line are not UTF-8."""
    UTF16 = "utf-16"
    """All that is written is UTF-16."""
    LONG_LINE = "long-line"
    """A line that is longer than a client reads."""

    # messages
    BATCH = "batch"
    NULL_MEMBER = "null-member"
    """`"error":null` beside a result, or the other way round."""
    EXTRA_MEMBER = "extra-member"
    """A member at the top of a message that JSON-RPC does not have."""
    JSONRPC_VERSION = "jsonrpc-version"
    """`"jsonrpc":"2.0"` is missing or says something else."""
    ID_TYPE = "id-type"
    """A response with id `"2"` to request `2`."""
    ERROR_WITHOUT_ID = "error-without-id"
    """An error with the id null."""
    UNKNOWN_ID = "unknown-id"
    """A response to a request that was never made."""
    DUPLICATE_RESPONSE = "duplicate-response"
    UNKNOWN_NOTIFICATION = "unknown-notification"
    NULL_FIELD = "null-field"
    """An optional field of a result is null instead of absent."""
    INPUT_SCHEMA = "input-schema"
    """A tool whose `inputSchema` is missing or is no schema of an object."""
    RESULT_SHAPE = "result-shape"
    """A result that is not what the revision's schema says."""

    # opening
    CAPABILITY_SHAPE = "capability-shape"
    """A capability that is no object, and not null."""
    CAPABILITY_NULL = "capability-null"
    UNDECLARED_TOOLS = "undeclared-tools"
    """Tools that are served but not declared."""
    STATELESS_HANDSHAKE = "stateless-handshake"
    """`initialize` is answered with a revision that has no handshake."""
    UNKNOWN_REVISION = "unknown-revision"
    """`initialize` is answered with a revision that the client does not know."""

    # conversation
    UNPROMISED_LIST_CHANGED = "unpromised-list-changed"
    """`list_changed` is sent, and was not declared."""
    CURSOR_LOOP = "cursor-loop"
    """A list whose pages never end."""
    NO_RESPONSE = "no-response"
    NO_INITIALIZE_RESPONSE = "no-initialize-response"
    NO_DISCOVER_RESPONSE = "no-discover-response"
    UNFLUSHED = "unflushed"
    """A response that stays in the server's output buffer."""
    SLOW_RESPONSE = "slow-response"
    LARGE_RESULT = "large-result"
    TOOL_NAME = "tool-name"
    """A tool's name with characters that are not allowed."""
    LONG_TOOL_NAME = "long-tool-name"
    """A tool's name that hosts shorten or refuse."""

    # process
    SERVER_EXIT = "server-exit"
    """The server ends while the client needs it."""
    SLOW_SHUTDOWN = "slow-shutdown"
    """The server does not end when it is told to."""
    UNEXPANDED_VARIABLE = "unexpanded-variable"
    """`${NAME}` reaches the server as it stands in the configuration."""
    WORKING_DIRECTORY = "working-directory"
    """The server is started in a folder that it does not expect."""
    ENVIRONMENT = "environment"
    """Variables that the server needs are not handed over."""
