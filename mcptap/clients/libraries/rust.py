"""The Rust SDK (rmcp). What stands here was read in its source; it was not run."""

from __future__ import annotations

from mcptap.clients.client import CLOSE, Client, Opening, StopStep, outcomes
from mcptap.clients.facts import Confidence, Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.outcomes import Outcome

RUST = "rust-sdk"

_COMMIT = "commit 4a738b9d"
_SOURCE = Source(Origin.SOURCE_TEXT, "Rust SDK: crates/rmcp/src/transport/async_rw.rs", _COMMIT)

LIBRARIES = (
    Client(
        RUST,
        "Rust SDK",
        is_library=True,
        opening=Fact(
            Opening("2025-11-25", discovers=True, discover_wait_s=10),
            Source(Origin.SOURCE_TEXT, "Rust SDK: crates/rmcp/src/service", _COMMIT),
            "which revision initialize names was not seen",
            Confidence.MEDIUM,
        ),
        stop=Fact((StopStep(CLOSE, 3),), _SOURCE),
        reactions=outcomes(
            _SOURCE,
            {
                Fault.NOT_JSON: Outcome.IGNORES,
                Fault.GLUED_TEXT: Outcome.WAITS,
                Fault.MESSAGE_OVER_LINES: Outcome.WAITS,
                Fault.BYTE_ORDER_MARK: Outcome.UNHARMED,
                Fault.CRLF: Outcome.UNHARMED,
                Fault.BLANK_LINE: Outcome.SKIPS,
                Fault.BATCH: Outcome.REFUSES,
                Fault.EXTRA_MEMBER: Outcome.ACCEPTS,
                Fault.JSONRPC_VERSION: Outcome.REFUSES,
                Fault.ERROR_WITHOUT_ID: Outcome.ACCEPTS,
                Fault.UNKNOWN_ID: Outcome.LOGS,
                Fault.UNKNOWN_NOTIFICATION: Outcome.IGNORES,
                Fault.INVALID_UTF8: Outcome.CANNOT_PARSE_LINE,
                Fault.LONG_LINE: Outcome.UNHARMED,
            },
        ),
    ),
)
