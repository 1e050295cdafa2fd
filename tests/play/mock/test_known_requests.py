"""Which recorded reaction is for which line of a new client."""

import pytest

from mcptap.play.mock.known_requests import KnownRequests, target
from mcptap.play.mock.server_script import Reaction
from mcptap.protocol.model.message import Message, classify
from mcptap.recording.format.model import Line
from tests.play.tape import add, as_line, notification, request

STATELESS = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}


def said(content) -> Message:
    return classify(Line(1, "c2s", as_line(content).rstrip(b"\n"), b"\n", 0, 0, 0))


def known(*contents) -> tuple[KnownRequests, list[Reaction]]:
    reactions = [Reaction(said(content)) for content in contents]
    return KnownRequests(reactions), reactions


def place(requests: KnownRequests, reactions: list[Reaction], content) -> int | None:
    """Which of the reactions is found for a line; None if none is."""
    found = requests.next_for(said(content))
    return None if found is None else reactions.index(found)


def test_equal_requests_are_taken_in_order_and_then_the_last_again():
    requests, reactions = known(request(1, "ping"), request(2, "ping"))
    assert [place(requests, reactions, request(9, "ping")) for _ in range(3)] == [0, 1, 1]


def test_the_most_exact_match_goes_before_an_earlier_one():
    requests, reactions = known(add(1, 1, 2, trace="a"), add(2, 1, 2, trace="b"))
    assert place(requests, reactions, add(9, 1, 2, trace="b")) == 1
    assert place(requests, reactions, add(9, 1, 2, trace="c")) == 0


def test_order_of_members_whole_floats_and_progress_tokens_make_no_other_request():
    requests, reactions = known(add(1, 1, 2))
    same = {"arguments": {"b": 2.0, "a": 1}, "name": "add", "_meta": {"progressToken": "x"}}
    assert place(requests, reactions, request(9, "tools/call", **same)) == 0
    assert place(requests, reactions, add(9, 1, 2.5)) is None
    assert place(requests, reactions, add(9, True, 2)) is None


def test_the_eras_are_told_apart():
    requests, reactions = known(request(1, "tools/list"), request(2, "tools/list", _meta=STATELESS))
    assert place(requests, reactions, request(9, "tools/list", _meta=STATELESS)) == 1
    assert place(requests, reactions, request(9, "tools/list")) == 0


@pytest.mark.parametrize("method", ["initialize", "server/discover"])
def test_any_client_gets_the_recorded_opening(method):
    requests, reactions = known(request(1, method, clientInfo={"name": "a"}))
    assert place(requests, reactions, request("x", method, clientInfo={"name": "b"}, more=1)) == 0


def test_a_cancellation_is_known_whatever_it_cancels():
    requests, reactions = known(notification("notifications/cancelled", requestId=1))
    assert place(requests, reactions, notification("notifications/cancelled", requestId=77, reason="x")) == 0


def test_what_is_no_message_is_found_by_its_value_or_its_bytes():
    requests, reactions = known(b"not json\n", b'{"a": 1, "b": 2}\n')
    assert place(requests, reactions, b"not json\n") == 0
    assert place(requests, reactions, b'{"b":2,"a":1.0}\n') == 1
    assert place(requests, reactions, b"not  json\n") is None


def test_what_is_known_is_told_by_method_and_name():
    requests, _ = known(request(1, "ping"), add(2, 1, 2), add(3, 4, 2), notification("x"))
    assert requests.has_method("tools/call")
    assert not requests.has_method("x")
    assert requests.why_not(said(request(9, "no/such"))) == (
        "the recording has no no/such; it knows ping and tools/call"
    )
    assert requests.why_not(said(add(9, 9, 9))) == (
        "the recording has 2 answers to tools/call of 'add', but none for these params"
    )


def test_a_uri_is_an_argument_and_a_name_that_is_no_text_is_none():
    requests, _ = known(request(1, "resources/read", uri="file:///secret"))
    sentence = requests.why_not(said(request(2, "resources/read", uri="file:///other")))
    assert sentence == "the recording has 1 answer to resources/read, but none for these params"
    assert target(said(request(1, "tools/call", name=["add"]))) == ""
    assert target(said(request(1, "resources/read", name="x"))) == ""
