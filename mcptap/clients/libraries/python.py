"""The Python SDK, 1.x and 2.x."""

from __future__ import annotations

import math

from mcptap.clients.client import (
    CLOSE,
    Client,
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
from mcptap.clients.libraries.typescript import SHORT_ENVIRONMENT
from mcptap.clients.outcomes import Outcome

PYTHON_1, PYTHON_2 = "python-sdk-1", "python-sdk-2"

_RUN_1 = Source(Origin.RUN, "run of 1.30.0", "1.30.0")
_RUN_2 = Source(Origin.RUN, "run of 2.3.0", "2.3.0")

_STOP = (StopStep(CLOSE, 2), StopStep("SIGTERM", 2, group=True))
_NO_LIMIT = "the program that uses it may set one"

_PYTHON = Interpreter("Python", r"^(?:python[\d.]*|pypy[\d.]*|uv|uvx)(?:\.exe)?$")

_TAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")

_OF_BOTH = {
    Fault.NOT_JSON: Outcome.PASSES_ON,
    Fault.GLUED_TEXT: Outcome.WAITS,
    Fault.MESSAGE_OVER_LINES: Outcome.WAITS,
    Fault.BYTE_ORDER_MARK: Outcome.WAITS,
    Fault.CRLF: Outcome.UNHARMED,
    Fault.BLANK_LINE: Outcome.PASSES_ON,
    Fault.BATCH: Outcome.WAITS,
    Fault.NULL_MEMBER: Outcome.ACCEPTS,
    Fault.EXTRA_MEMBER: Outcome.ACCEPTS,
    Fault.JSONRPC_VERSION: Outcome.WAITS,
    Fault.ID_TYPE: Outcome.MATCHES,
    Fault.UNKNOWN_NOTIFICATION: Outcome.IGNORES,
    Fault.LONG_LINE: Outcome.UNHARMED,
    Fault.NULL_FIELD: Outcome.ACCEPTS,
    Fault.RESULT_SHAPE: Outcome.THROWS_AWAY,
    Fault.TOOLS_SHAPE: Outcome.THROWS_AWAY,
    Fault.OPENING_SHAPE: Outcome.FAILS_TO_INITIALIZE,
    Fault.CAPABILITY_SHAPE: Outcome.FAILS_TO_INITIALIZE,
    Fault.CAPABILITY_NULL: Outcome.ACCEPTS,
    Fault.STATELESS_HANDSHAKE: Outcome.RAISES,
    Fault.UNKNOWN_REVISION: Outcome.RAISES,
    Fault.RESULT_AND_ERROR: Outcome.TAKES_ERROR,
    Fault.NOT_A_NUMBER: Outcome.ACCEPTS,
    Fault.DUPLICATE_RESPONSE: Outcome.UNHARMED,
    Fault.UNPROMISED_LIST_CHANGED: Outcome.DELIVERS,
    Fault.UNDECLARED_TOOLS: Outcome.ASKS_ALL_THE_SAME,
}

LIBRARIES = (
    Client(
        PYTHON_1,
        "Python SDK",
        "1.30.0",
        is_library=True,
        names=r"^mcp$",
        names_version=r"^0\.",
        interpreter=_PYTHON,
        cwd=Fact(WorkingDirectory(Folder.START), _RUN_1),
        environment=Fact(SHORT_ENVIRONMENT, _RUN_1),
        opening=Fact(Opening("2025-11-25", capabilities={}, takes=_TAKES), _RUN_1),
        start_limit=Fact(StartLimit(math.inf, Since.REQUEST), _RUN_1, _NO_LIMIT),
        request_limit=Fact(RequestLimit(math.inf), _RUN_1, _NO_LIMIT),
        stop=Fact(_STOP, _RUN_1),
        reactions=outcomes(
            _RUN_1,
            {
                **_OF_BOTH,
                Fault.ERROR_WITHOUT_ID: Outcome.PASSES_ON,
                Fault.UNKNOWN_ID: Outcome.PASSES_ON,
                Fault.INVALID_UTF8: Outcome.ENDS_SESSION,
                Fault.UTF16: Outcome.WAITS,
                Fault.BARE_VALUE: Outcome.PASSES_ON,
                Fault.NO_INPUT_SCHEMA: Outcome.REJECTS_LIST,
                Fault.INPUT_SCHEMA: Outcome.ACCEPTS,
            },
        ),
    ),
    Client(
        PYTHON_2,
        "Python SDK",
        "2.3.0",
        is_library=True,
        names=r"^mcp$",
        names_version=r"^0\.",
        interpreter=_PYTHON,
        cwd=Fact(WorkingDirectory(Folder.START), _RUN_2),
        environment=Fact(SHORT_ENVIRONMENT, _RUN_2),
        opening=Fact(
            Opening(
                "2025-11-25",
                discovers=True,
                discover_wait_s=10,
                discover_id=1,
                capabilities={},
                takes=_TAKES,
            ),
            _RUN_2,
        ),
        start_limit=Fact(StartLimit(math.inf, Since.REQUEST), _RUN_2, _NO_LIMIT),
        request_limit=Fact(RequestLimit(math.inf), _RUN_2, _NO_LIMIT),
        stop=Fact(_STOP, _RUN_2),
        reactions=outcomes(
            _RUN_2,
            {
                **_OF_BOTH,
                Fault.ERROR_WITHOUT_ID: Outcome.IGNORES,
                Fault.UNKNOWN_ID: Outcome.LOGS,
                Fault.INVALID_UTF8: Outcome.STOPS_READING,
                Fault.UTF16: Outcome.WAITS,
                Fault.BARE_VALUE: Outcome.PASSES_ON,
                Fault.NO_INPUT_SCHEMA: Outcome.REJECTS_LIST,
                Fault.INPUT_SCHEMA: Outcome.REJECTS_LIST,
            },
        ),
    ),
)
