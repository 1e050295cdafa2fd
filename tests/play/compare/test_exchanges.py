"""What a session comes to: requests with their answers, and all else the server said."""

import pytest

from mcptap.play.compare.exchanges import content, describe, only_requests, read
from mcptap.recording.reader import State
from tests.helpers import END, handshake, record
from tests.play.sessions import c2s, call, request, result, s2c, session


def test_each_request_has_its_answer_with_its_latency_and_place():
    one = session(
        c2s(request(1), 10), c2s(request(2), 20), s2c(result(2), 50), s2c(result(1), 75), c2s(request(3), 80)
    )
    assert [(e.request.id, e.latency_us, e.place) for e in one.exchanges] == [
        (1, 65_000, 1),
        (2, 30_000, 0),
        (3, None, 0),
    ]
    assert one.others == []


def test_an_exchange_is_named_by_its_method_its_target_and_its_id():
    one = session(
        c2s(request(1, "tools/call", name="add")),
        c2s(request("1", "resources/read", uri="a://b")),
        c2s(request(2)),
    )
    assert [str(e) for e in one.exchanges] == [
        "tools/call add (id 1)",
        'resources/read a://b (id "1")',
        "ping (id 2)",
    ]


def test_a_name_that_is_no_text_is_no_target():
    assert [e.target for e in session(c2s(request(1, "tools/call", name=["add"]))).exchanges] == [""]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (request("s", "roots/list"), "request roots/list of the server"),
        ({"jsonrpc": "2.0", "method": "notifications/message"}, "notifications/message"),
        (result(99), "answer to no request (id 99)"),
        (b"Server ready", "line that is no message"),
    ],
)
def test_what_answers_nothing_is_kept_and_described(message, words):
    assert [describe(m) for m in session(s2c(message)).others] == [words]


def test_a_second_answer_is_not_the_answer_and_a_blank_line_is_nothing():
    one = session(c2s(request(1)), s2c(result(1, n=1)), s2c(result(1, n=2)), s2c(b""))
    assert [e.answer.result for e in one.exchanges] == [{"n": 1}]
    assert [m.result for m in one.others] == [{"n": 2}]


def test_of_a_request_of_the_server_all_but_its_id_counts():
    [first, second, noise] = session(
        s2c(request(1, "roots/list", a=1)), s2c(request("x", "roots/list", a=1)), s2c(b"\xff oh")
    ).others
    assert content(first) == content(second)
    assert content(noise) == "\\xff oh"


def test_the_first_result_of_the_wanted_methods_is_found():
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}}
    one = session(
        c2s(request(1, "server/discover")), s2c(error), c2s(request(2, "initialize")), s2c(result(2, n=1))
    )
    assert one.answer_to("initialize", "server/discover") == {"n": 1}
    assert one.answer_to("tools/list") == {}


def test_only_some_requests_leave_what_came_while_they_were_open():
    one = session(
        s2c(b"early"), *call(1, "a"), c2s(request(2)), s2c(b"within"), s2c(result(2)), s2c(b"late"), code=0
    )
    part = only_requests(one, {one.exchanges[1].request.number})
    assert [e.request.id for e in part.exchanges] == [2]
    assert [m.line.data for m in part.others] == [b"within"]
    assert part.end is None


def test_a_recording_is_read_with_its_end(tmp_path):
    one = read(str(record(tmp_path / "r.jsonl", [*handshake(), *END])))
    assert (len(one.exchanges), one.end.fields["code"], one.state) == (1, 0, State.FINISHED)


def test_an_end_that_a_signal_brought_says_nothing_of_the_server(tmp_path):
    stopped = [*handshake(), ("signal", {"signal": "SIGTERM", "sender": 1, "forwarded": True}), *END]
    assert read(str(record(tmp_path / "r.jsonl", stopped))).end is None
