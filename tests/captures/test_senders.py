"""Who sent a message of which nothing else is known."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.senders import Senders, refuse_other_protocols
from mcptap.recording.format.model import RecordingError


def asked(method: str, identifier: int | None = None) -> dict[str, Any]:
    return {"method": method} if identifier is None else {"method": method, "id": identifier}


def test_a_request_tells_its_side_by_its_method_and_a_response_by_its_request():
    senders = Senders()
    session = [
        (asked("initialize", 1), "c2s"),
        (asked("roots/list", 1), "s2c"),
        ({"id": 1, "result": {}}, "s2c"),
        ({"id": 1, "result": {}}, "c2s"),
        (asked("notifications/initialized"), "c2s"),
        (asked("notifications/message"), "s2c"),
        ([asked("ping", 2)], "c2s"),
        ([], "c2s"),
        ({"id": "x", "error": {}}, "s2c"),
        (3, "s2c"),
    ]
    assert [senders.sender(message) for message, _ in session] == [side for _, side in session]


def test_no_more_requests_are_kept_than_the_bound(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mcptap.captures.senders.MAX_PENDING", 2)
    senders = Senders()
    for identifier in range(5):
        senders.sender(asked("roots/list", identifier))
    assert [senders.sender({"id": identifier, "result": {}}) for identifier in (0, 4)] == ["s2c", "c2s"]


@pytest.mark.parametrize(
    ("methods", "name"),
    [
        (["initialize", "session/new", "session/prompt"], "Agent Client Protocol"),
        (["initialize", "initialized", "textDocument/didOpen"], "Language Server Protocol"),
        (["Page.enable", "Runtime.evaluate"], "none of MCP"),
    ],
)
def test_messages_whose_methods_are_mostly_of_another_protocol_are_refused(methods: list[str], name: str):
    with pytest.raises(RecordingError, match=name):
        refuse_other_protocols([asked(method, 1) for method in methods])


@given(
    st.lists(
        st.sampled_from([asked("initialize", 1), asked("own/method", 2), {"id": 1, "result": {}}, 3, None])
    )
)
def test_a_method_of_their_own_makes_messages_of_mcp_no_other_protocol(values: list[Any]):
    refuse_other_protocols([asked("initialize", 1), *values])
