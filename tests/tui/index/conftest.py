"""A session with one of each outcome."""

import pytest

from tests.helpers import END, call, error, handshake, notification, record, request, text_result

CANCEL = {"requestId": 2}


@pytest.fixture
def session(tmp_path):
    """Header, handshake (1 to 4), then: ok, error, isError, cancelled and answered late, unanswered."""
    return record(
        tmp_path / "x.jsonl",
        [
            *handshake(),
            ("c2s", call(1, "good")),
            ("wait", 50_000),
            ("s2c", text_result(1, "fine")),
            ("c2s", request(9, "nope/nope")),
            ("s2c", error(9, -32601, "Method not found")),
            ("c2s", call(2, "slow")),
            ("c2s", notification("notifications/cancelled", CANCEL)),
            ("s2c", text_result(2, "too late")),
            ("c2s", call(3, "bad")),
            ("s2c", text_result(3, "failed", is_error=True)),
            ("c2s", call(4, "never")),
            *END,
        ],
    )
