"""The TypeScript SDK, 1.x and 2.x."""

from __future__ import annotations

from mcptap.clients.client import (
    CLOSE,
    Client,
    Environment,
    Folder,
    Interpreter,
    Opening,
    RequestLimit,
    Since,
    StartLimit,
    StopStep,
    WorkingDirectory,
    outcomes,
)
from mcptap.clients.facts import Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.outcomes import Outcome

TYPESCRIPT_1, TYPESCRIPT_2 = "typescript-sdk-1", "typescript-sdk-2"

SOURCE_1 = Source(
    Origin.SOURCE_TEXT,
    "TypeScript SDK 1.32.2: shared/stdio.js, client/stdio.js, shared/protocol.js",
    "1.32.2",
)
LEFT_TO_SDK = Source(Origin.SOURCE_TEXT, f"left to the SDK; {SOURCE_1.place}", f"the SDK {SOURCE_1.version}")
_RUN_1 = Source(Origin.RUN, "run of 1.32.2", "1.32.2")
_RUN_2 = Source(Origin.RUN, "run of 2.4.0", "2.4.0")

SHORT_ENVIRONMENT = Environment(("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"))
"""What this SDK and the Python SDK hand over on POSIX systems."""

STOP = (StopStep(CLOSE, 2), StopStep("SIGTERM", 2))
START_LIMIT = StartLimit(60, Since.REQUEST)
_LONGEST_LINE = 10 << 20

_NODE = Interpreter("Node", r"^(?:node|bun|deno|npx)(?:\.exe)?$")

_TAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")

_OF_BOTH = {
    Fault.GLUED_TEXT: Outcome.WAITS,
    Fault.MESSAGE_OVER_LINES: Outcome.WAITS,
    Fault.BYTE_ORDER_MARK: Outcome.WAITS,
    Fault.CRLF: Outcome.UNHARMED,
    Fault.BATCH: Outcome.WAITS,
    Fault.NULL_MEMBER: Outcome.WAITS,
    Fault.EXTRA_MEMBER: Outcome.WAITS,
    Fault.JSONRPC_VERSION: Outcome.WAITS,
    Fault.ID_TYPE: Outcome.MATCHES,
    Fault.ERROR_WITHOUT_ID: Outcome.REPORTS,
    Fault.UNKNOWN_ID: Outcome.REPORTS,
    Fault.UNKNOWN_NOTIFICATION: Outcome.IGNORES,
    Fault.INVALID_UTF8: Outcome.BROKEN_LETTERS,
    Fault.NULL_FIELD: Outcome.THROWS_AWAY,
    Fault.NO_INPUT_SCHEMA: Outcome.REJECTS_LIST,
    Fault.INPUT_SCHEMA: Outcome.REJECTS_LIST,
    Fault.RESULT_SHAPE: Outcome.THROWS_AWAY,
    Fault.TOOLS_SHAPE: Outcome.THROWS_AWAY,
    Fault.OPENING_SHAPE: Outcome.FAILS_TO_INITIALIZE,
    Fault.CAPABILITY_SHAPE: Outcome.FAILS_TO_INITIALIZE,
    Fault.CAPABILITY_NULL: Outcome.FAILS_TO_INITIALIZE,
    Fault.RESULT_AND_ERROR: Outcome.WAITS,
    Fault.NOT_A_NUMBER: Outcome.WAITS,
    Fault.UTF16: Outcome.WAITS,
    Fault.DUPLICATE_RESPONSE: Outcome.UNHARMED,
    Fault.UNPROMISED_LIST_CHANGED: Outcome.DELIVERS,
}

LIBRARIES = (
    Client(
        TYPESCRIPT_1,
        "TypeScript SDK",
        "1.32.2",
        is_library=True,
        interpreter=_NODE,
        cwd=Fact(WorkingDirectory(Folder.START), _RUN_1),
        environment=Fact(SHORT_ENVIRONMENT, _RUN_1),
        opening=Fact(Opening("2025-11-25", capabilities={}, takes=_TAKES), _RUN_1),
        start_limit=Fact(START_LIMIT, _RUN_1, "initialize is a request like others; it is cancelled then"),
        request_limit=Fact(RequestLimit(60), _RUN_1),
        stop=Fact(STOP, _RUN_1),
        longest_line=Fact(_LONGEST_LINE, _RUN_1),
        reactions=outcomes(
            _RUN_1,
            {
                **_OF_BOTH,
                Fault.NOT_JSON: Outcome.REPORTS,
                Fault.BLANK_LINE: Outcome.REPORTS,
                Fault.BARE_VALUE: Outcome.REPORTS,
                Fault.STATELESS_HANDSHAKE: Outcome.THROWS_AND_CLOSES,
                Fault.UNKNOWN_REVISION: Outcome.THROWS_AND_CLOSES,
                Fault.UNDECLARED_TOOLS: Outcome.ASKS_ALL_THE_SAME,
            },
        ),
    ),
    Client(
        TYPESCRIPT_2,
        "TypeScript SDK",
        "2.4.0",
        is_library=True,
        interpreter=_NODE,
        cwd=Fact(WorkingDirectory(Folder.START), _RUN_2),
        environment=Fact(SHORT_ENVIRONMENT, _RUN_2),
        opening=Fact(
            Opening(
                "2025-11-25",
                discovers=True,
                discovers_if="if versionNegotiation is auto",
                discover_wait_s=60,
                discover_id="server-discover-probe-1",
                sibling=True,
                capabilities={},
                takes=_TAKES,
            ),
            _RUN_2,
            "otherwise it sends initialize alone",
        ),
        start_limit=Fact(START_LIMIT, _RUN_2, "initialize is a request like others"),
        request_limit=Fact(RequestLimit(60), _RUN_2),
        stop=Fact(STOP, _RUN_2, "1 s instead of 2 for the process that is only asked server/discover"),
        longest_line=Fact(_LONGEST_LINE, _RUN_2),
        reactions=outcomes(
            _RUN_2,
            {
                **_OF_BOTH,
                Fault.NOT_JSON: Outcome.SKIPS,
                Fault.BLANK_LINE: Outcome.SKIPS,
                Fault.STATELESS_HANDSHAKE: Outcome.THROWS,
                Fault.UNDECLARED_TOOLS: Outcome.NEVER_ASKS,
                Fault.UNKNOWN_REVISION: Outcome.THROWS,
                Fault.BARE_VALUE: Outcome.SKIPS,
                Fault.CURSOR_LOOP: Outcome.KEEPS_PAGES,
                Fault.PAGE_ERROR: Outcome.LOSES_LIST,
            },
        )
        | {Fault.ENDLESS_LIST: Fact(Outcome.LOSES_LIST, _RUN_2, "after 64 pages")},
    ),
)
