"""The C# SDK. What stands here was read in its source; it was not run."""

from __future__ import annotations

import math

from mcptap.clients.client import (
    Client,
    Environment,
    Folder,
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

_SOURCE = Source(
    Origin.SOURCE_TEXT,
    "C# SDK: McpClientImpl.cs, StreamClientSessionTransport.cs, JsonRpcMessage.cs, RequestId.cs",
    "2.2.0",
)

LIBRARIES = (
    Client(
        "csharp-sdk",
        "C# SDK",
        "2.2.0",
        is_library=True,
        cwd=Fact(WorkingDirectory(Folder.START), _SOURCE, "WorkingDirectory changes it"),
        environment=Fact(Environment(), _SOURCE, "InheritEnvironmentVariables changes it"),
        opening=Fact(Opening("2025-11-25", discovers=True, discover_wait_s=5), _SOURCE),
        start_limit=Fact(StartLimit(60, Since.REQUEST), _SOURCE),
        request_limit=Fact(RequestLimit(math.inf), _SOURCE),
        stop=Fact((StopStep("SIGKILL", 0, group=True),), _SOURCE, "the whole tree of processes"),
        reactions=outcomes(
            _SOURCE,
            {
                Fault.NOT_JSON: Outcome.LOGS,
                Fault.GLUED_TEXT: Outcome.WAITS,
                Fault.MESSAGE_OVER_LINES: Outcome.WAITS,
                Fault.CRLF: Outcome.UNHARMED,
                Fault.BLANK_LINE: Outcome.SKIPS,
                Fault.BATCH: Outcome.CANNOT_PARSE,
                Fault.NULL_MEMBER: Outcome.ACCEPTS,
                Fault.EXTRA_MEMBER: Outcome.ACCEPTS,
                Fault.JSONRPC_VERSION: Outcome.WAITS,
                Fault.ID_TYPE: Outcome.NEVER_MATCHES,
                Fault.ERROR_WITHOUT_ID: Outcome.ACCEPTS,
                Fault.UNKNOWN_ID: Outcome.LOGS,
                Fault.UNKNOWN_NOTIFICATION: Outcome.IGNORES,
                Fault.INVALID_UTF8: Outcome.BROKEN_LETTERS,
                Fault.LONG_LINE: Outcome.UNHARMED,
                Fault.NULL_FIELD: Outcome.ACCEPTS,
                Fault.STATELESS_HANDSHAKE: Outcome.THROWS_MISMATCH,
                Fault.UNKNOWN_REVISION: Outcome.THROWS_MISMATCH,
                Fault.UNDECLARED_TOOLS: Outcome.ASKS_ALL_THE_SAME,
            },
        ),
    ),
)
