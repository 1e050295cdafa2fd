"""The stand-in's core: recorded reactions in, actions out; no process and no clock."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcptap.play.mock.mock import Drop, Mock, Planned
from mcptap.play.mock.server_script import Exit, Write, script_of
from tests.play.tape import (
    INITIALIZE,
    INITIALIZED,
    Tape,
    add,
    as_line,
    handshake,
    healthy,
    notification,
    request,
    result,
    text_result,
)


@pytest.fixture
def mock_of(tmp_path: Path):
    def make(tape: Tape, **options: Any) -> Mock:
        return Mock(script_of(tape.items(tmp_path / "tape.jsonl")), **options)

    return make


def told(mock: Mock, message: Any) -> list[bytes]:
    """What the mock writes on stdout for a message."""
    return written(mock.receive(as_line(message)))


def written(actions: list[Any], channel: str = "s2c") -> list[bytes]:
    steps = [a.step for a in actions if isinstance(a, Planned)]
    return [s.data for s in steps if isinstance(s, Write) and s.channel == channel]


def end_of(actions: list[Any]) -> int | None:
    return next((a.step.code for a in actions if isinstance(a, Planned) and isinstance(a.step, Exit)), None)


def answer_text(data: bytes) -> str:
    return str(json.loads(data)["result"]["content"][0]["text"])


def test_an_answer_is_the_recorded_bytes_with_the_id_of_the_new_request(mock_of):
    tape = (
        Tape().client(request(7, "ping")).server(b'{ "result" : {"\\u0061":1e2} ,"id" :7, "jsonrpc":"2.0"}\n')
    )
    assert told(mock_of(tape), request("x-1", "ping")) == [
        b'{ "result" : {"\\u0061":1e2} ,"id" :"x-1", "jsonrpc":"2.0"}\n'
    ]


def test_a_call_is_found_by_its_params_and_whole_floats_are_integers(mock_of):
    mock = mock_of(healthy())
    assert answer_text(told(mock, add(1, 2.0, 2))[0]) == "4"
    assert answer_text(told(mock, add(2, 1, 2))[0]) == "3"


def test_a_call_with_another_progress_token_and_other_meta_is_the_same_call(mock_of):
    mock = mock_of(healthy())
    assert answer_text(told(mock, add(1, 1, 2, progressToken=9, trace="abc"))[0]) == "3"


def test_equal_requests_get_the_recorded_answers_in_order_and_then_the_last(mock_of):
    tape = Tape()
    for number, text in enumerate(("first", "second", "third")):
        tape.client(add(number, 1, 1, progressToken=number)).server(text_result(number, text))
    mock = mock_of(tape)
    # The tokens of the new client are its own: they must not pick an answer out of order.
    texts = [answer_text(told(mock, add(n, 1, 1, progressToken=n))[0]) for n in (1, 2, 3, 4)]
    assert texts == ["first", "second", "third", "third"]


def test_any_client_is_greeted_by_the_recorded_handshake(mock_of):
    mock = mock_of(healthy())
    other = request(0, "initialize", protocolVersion="2025-06-18", capabilities={"roots": {}}, clientInfo={})
    assert json.loads(told(mock, other)[0])["result"]["serverInfo"]["name"] == "scales"
    assert told(mock, INITIALIZED) == []


def test_an_unknown_call_is_refused_without_a_word_of_what_was_recorded_but_names(mock_of):
    mock = mock_of(Tape().client(add(1, "s3cr3t-value", 2)).server(text_result(1, "3")))
    error = json.loads(told(mock, add(5, 9, 9))[0])["error"]
    assert error["code"] == -32602
    assert error["message"].endswith(
        "the recording has 1 answer to tools/call of 'add', but none for these params"
    )
    other = json.loads(told(mock, request(6, "tools/call", name="sub", arguments={}))[0])["error"]["message"]
    assert other.endswith("the recording has no tools/call of 'sub'; it knows 'add'")
    assert "s3cr3t" not in error["message"] + other + "".join(mock.notes)
    assert len(mock.notes) == 2


def test_an_unknown_method_is_refused_with_the_methods_that_are_known(mock_of):
    error = json.loads(told(mock_of(healthy()), request(5, "prompts/list"))[0])["error"]
    assert error["code"] == -32601
    assert "prompts/list" in error["message"]
    assert "tools/call" in error["message"]


def test_a_stateless_request_is_not_answered_with_a_handshake_answer(mock_of):
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    answer = json.loads(told(mock_of(healthy()), request(1, "tools/list", _meta=meta))[0])
    assert "error" in answer


def test_an_unanswered_request_stays_unanswered(mock_of):
    tape = handshake(Tape()).client(add(2, 1, 2)).end()
    mock = mock_of(tape)
    assert told(mock, add(5, 1, 2)) == []


def test_stray_lines_come_where_they_came(mock_of):
    tape = Tape().server(b"Server ready\n")
    handshake(tape).stderr("calling").client(add(2, 1, 2)).server(b"adding 1 and 2\n").server(
        text_result(2, "3")
    )
    mock = mock_of(tape.end())
    assert written(mock.start()) == [b"Server ready\n"]
    told(mock, INITIALIZE)
    assert written(mock.receive(as_line(INITIALIZED)), "stderr") == [b"calling\n"]
    assert told(mock, add(5, 1, 2))[0] == b"adding 1 and 2\n"


@pytest.mark.parametrize(
    ("recorded", "played"),
    [
        (b"\xef\xbb\xbf" + as_line(result(2)), b"\xef\xbb\xbf" + as_line(result(55))),
        (b"wait... " + as_line(result(2)), b"wait... " + as_line(result(55))),
        (b'{"id": 2, "x": "\xff"}\n', b'{"id": 55, "x": "\xff"}\n'),
        (b'{"id": 2, "result": "half', b'{"id": 55, "result": "half'),
        (as_line(result(2))[:-1] + b"\r\n", as_line(result(55))[:-1] + b"\r\n"),
        (as_line(result("2")), as_line(result("55"))),
        (as_line(result(None)), as_line(result(None))),
        (as_line(result(999)), as_line(result(999))),
    ],
    ids=["mark", "glued", "no-utf-8", "cut-off", "crlf", "id-type", "id-null", "id-unknown"],
)
def test_broken_answers_are_broken_the_same_way_for_the_new_id(mock_of, recorded, played):
    mock = mock_of(Tape().client(request(2, "ping")).server(recorded))
    assert told(mock, request(55, "ping")) == [played]


def test_a_pretty_printed_answer_has_the_new_id_on_its_line(mock_of):
    pretty = json.dumps(result(2, tools=[]), indent=2).encode().split(b"\n")
    tape = Tape().client(request(2, "tools/list"))
    for line in pretty:
        tape.server(line + b"\n")
    played = b"".join(told(mock_of(tape), request(8, "tools/list")))
    assert json.loads(played) == result(8, tools=[])


def test_an_answer_given_twice_is_given_twice(mock_of):
    tape = Tape().client(request(2, "ping")).server(result(2)).server(result(2))
    assert told(mock_of(tape), request(3, "ping")) == [as_line(result(3))] * 2


def test_progress_goes_to_the_token_of_the_new_request_or_nowhere(mock_of):
    tape = Tape().client(add(2, 1, 2, progressToken="t"))
    tape.server(notification("notifications/progress", progressToken="t", progress=1)).server(
        text_result(2, "3")
    )
    mock = mock_of(tape)
    progress, answer = told(mock, add(9, 1, 2, progressToken=77))
    assert json.loads(progress)["params"]["progressToken"] == 77
    assert json.loads(answer)["id"] == 9
    assert len(told(mock, add(10, 1, 2))) == 1


def test_what_waited_for_the_client_waits_for_it_again(mock_of):
    tape = Tape().client(add(2, 1, 2)).server(request("s1", "roots/list"))
    tape.client(result("s1", roots=[])).server(text_result(2, "3"))
    mock = mock_of(tape)
    assert told(mock, add(9, 1, 2)) == [as_line(request("s1", "roots/list"))]
    assert told(mock, result("s1", roots=[{"uri": "file:///x"}])) == [as_line(text_result(9, "3"))]


def test_the_crash_comes_with_the_request_it_came_with(mock_of):
    tape = handshake(Tape()).client(add(2, 1, 2)).stderr("Traceback").eof("s2c")
    tape.eof("c2s").event("exit", code=3, us=1)
    mock = mock_of(tape)
    assert end_of(mock.receive(as_line(INITIALIZE))) is None
    actions = mock.receive(as_line(add(5, 1, 2)))
    assert written(actions, "stderr") == [b"Traceback\n"]
    assert end_of(actions) == 3


def test_a_server_that_died_before_the_first_line_dies_at_once(mock_of):
    tape = Tape().stderr("no module").event("exit", code=1, us=1)
    assert end_of(mock_of(tape).start()) == 1


def test_the_end_of_input_ends_it_with_the_recorded_code(mock_of):
    assert end_of(mock_of(handshake(Tape()).end(4)).end_of_input()) == 4


def test_a_server_that_had_to_be_killed_stays(mock_of):
    tape = handshake(Tape()).eof("c2s").event("signal", signal="SIGTERM", sender=1, forwarded=True)
    tape.event("exit", signal="SIGKILL", us=1)
    mock = mock_of(tape)
    assert mock.end_of_input() == [Planned(Exit(60_000_000))]
    assert mock.ignores_term


def test_recorded_latency_is_kept_on_request_only(mock_of):
    tape = Tape().client(request(2, "ping"))
    tape.at = 1500
    tape.server(result(2))
    slow = mock_of(tape, latency=True).receive(as_line(request(3, "ping")))
    fast = mock_of(tape).receive(as_line(request(3, "ping")))
    # The request was recorded at 10 ms.
    assert slow[0].step.after_us == 1_490_000
    assert fast[0].step.after_us == 0


def test_without_latency_what_was_written_apart_stays_a_little_apart(mock_of):
    tape = Tape().client(request(2, "tools/call", name="x"))
    tape.at = 1000
    tape.server(b"progress\n")
    tape.at = 2000
    tape.server(result(2))
    first, second = mock_of(tape).receive(as_line(request(3, "tools/call", name="x")))
    assert (first.step.after_us, second.step.after_us) == (0, 5_000)


def test_a_cancelled_request_gets_nothing_more(mock_of):
    mock = mock_of(healthy())
    assert mock.receive(as_line(notification("notifications/cancelled", requestId=3))) == [Drop("3")]


def test_a_cancelled_request_that_waited_for_the_client_does_not_go_on(mock_of):
    tape = Tape().client(add(2, 1, 2)).server(request("s1", "roots/list"))
    tape.client(result("s1", roots=[])).server(text_result(2, "3"))
    mock = mock_of(tape)
    told(mock, add(9, 1, 2))
    mock.receive(as_line(notification("notifications/cancelled", requestId=9)))
    assert told(mock, result("s1", roots=[])) == []


def test_a_line_that_is_not_json_is_met_with_silence_unless_it_was_answered(mock_of):
    assert told(mock_of(healthy()), b"not-json\n") == []
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}
    assert told(mock_of(Tape().client(b"not-json\n").server(error)), b"not-json\n") == [as_line(error)]


def test_requests_are_compared_however_deep_they_nest(mock_of):
    deep = b'{"jsonrpc":"2.0","id":%d,"method":"x","params":{"deep":' + b"[" * 990 + b"]" * 990 + b"}}\n"
    mock = mock_of(handshake(Tape()).client(deep % 7).server(result(7, ok=True)))
    assert [json.loads(data)["result"] for data in told(mock, deep % 7)] == [{"ok": True}]
    assert [json.loads(data)["id"] for data in told(mock, deep % 8)] == [8]
    other = deep.replace(b"[]", b"[0]")
    assert ["error" in json.loads(data) for data in told(mock, other % 9)] == [True]


def opened(mock, version):
    asked = request(4, "initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "old"})
    return json.loads(told(mock, asked)[0])["result"]["protocolVersion"]


def test_an_older_revision_is_agreed_to_where_the_recorded_server_agreed_to_what_it_was_asked(mock_of):
    mock = mock_of(healthy())
    assert opened(mock, "2025-06-18") == "2025-06-18"
    assert mock.notes == [
        "agreed to revision 2025-06-18, as the client asked; the recorded one agreed to 2025-11-25"
    ]
    assert opened(mock, "2025-11-25") == "2025-11-25"
    assert opened(mock, "2026-01-01") == opened(mock, "nonsense") == "2025-11-25"
    assert len(mock.notes) == 1


def test_a_server_that_offered_another_revision_than_was_asked_offers_it_again(mock_of):
    asked = request(1, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={})
    tape = Tape().client(asked).server(result(1, protocolVersion="2025-03-26", capabilities={}))
    assert opened(mock_of(tape), "2024-11-05") == "2025-03-26"


def test_of_several_recorded_openings_that_of_the_same_revision_is_taken(mock_of):
    tape = Tape()
    for key, version in enumerate(("2025-11-25", "2025-06-18")):
        tape.client(request(key, "initialize", protocolVersion=version, clientInfo={}))
        tape.server(result(key, protocolVersion=version, instructions=version))
    mock = mock_of(tape)
    assert opened(mock, "2025-06-18") == "2025-06-18"
    assert mock.notes == []


def test_a_ping_is_answered_though_nobody_pinged_the_recorded_server(mock_of):
    assert told(mock_of(healthy()), request("p", "ping")) == [as_line(result("p"))]
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    assert "error" in json.loads(told(mock_of(healthy()), request(1, "ping", _meta=meta))[0])
