"""What a client sent: from plain lines and from a recording."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.errors import UserError
from mcptap.play.client.client_script import (
    ClientLine,
    ClientResponse,
    from_lines,
    load,
    only_lines,
    without_calls,
)
from tests.helpers import END, SPAWN, handshake, record
from tests.helpers import request as asked
from tests.helpers import result as answered
from tests.play.scripts import lines, recorded
from tests.play.sessions import c2s, request, result, s2c
from tests.play.tape import notification


def sent(script):
    return [e.line.raw if isinstance(e, ClientLine) else e.message.line.raw for e in script.entries]


@given(st.binary())
def test_all_bytes_of_a_file_of_lines_are_in_its_script(data):
    assert b"".join(sent(from_lines(data))) == data


def test_a_response_among_lines_is_known_as_one():
    line, response = lines(request(1), result("a")).entries
    assert isinstance(line, ClientLine)
    assert isinstance(response, ClientResponse)
    assert response.request is None


def test_plain_lines_have_no_header_and_the_numbers_of_their_lines():
    script = lines(request(1), b"oh\n", request(2))
    assert not script.is_recorded
    assert [entry.line.number for entry in script.entries] == [1, 2, 3]


def test_the_requests_of_a_line_are_those_that_can_be_answered():
    batch = json.dumps([request(1), request(None), notification("x"), request("b")]).encode() + b"\n"
    (line,) = lines(batch).entries
    assert [m.id for m in line.requests] == [1, "b"]


@pytest.mark.parametrize(
    ("message", "opens"),
    [
        (request(1, "initialize"), True),
        (request("x", "server/discover"), True),
        (notification("notifications/initialized"), True),
        (notification("notifications/cancelled", requestId=1), False),
        (request(2, "tools/list"), False),
    ],
)
def test_the_opening_of_either_era_is_known(message, opens):
    assert lines(message).entries[0].opens is opens


def test_the_first_response_to_a_recorded_request_is_kept_with_it():
    script = recorded(c2s(request(1)), s2c(result(1, a=1)), s2c(result(1, a=2)), s2c(result("1", a=3)))
    (line,) = script.entries
    assert {key: m.result for key, m in line.responses.items()} == {1: {"a": 1}}


def test_a_request_that_is_cancelled_has_the_time_until_then():
    script = recorded(c2s(request(1), 5), c2s(notification("notifications/cancelled", requestId=1), 75))
    assert script.entries[0].cancelled_after_us == {1: 70_000}


def test_a_request_of_the_server_has_the_client_s_response_and_how_long_it_took():
    script = recorded(
        s2c(request("a", "roots/list"), 10), c2s(result("a"), 35), s2c(request("b", "roots/list"), 40)
    )
    first, second = script.server_requests
    assert first.response is script.entries[0]
    assert first.response.request is first
    assert first.response.after_us == 25_000
    assert second.response is None


def test_only_wanted_lines_are_left_with_the_opening_and_what_the_server_asked():
    script = recorded(
        c2s(request(0, "initialize")),
        c2s(notification("notifications/initialized")),
        c2s(request(1)),
        s2c(request("a", "roots/list")),
        c2s(result("a")),
        c2s(request(2)),
    )
    last = script.entries[-1].line.number
    kept = only_lines(script, {last})
    assert [m.method for e in kept.entries for m in e.messages] == [
        "initialize",
        "notifications/initialized",
        "ping",
    ]
    assert kept.server_requests == script.server_requests
    with pytest.raises(UserError, match="number 998, 999 is not a line"):
        only_lines(script, {last, 998, 999})


def test_an_answer_of_the_client_is_no_line_of_its_own_accord():
    script = recorded(s2c(request("a", "roots/list")), c2s(result("a")))
    with pytest.raises(UserError, match="not a line that the client sent of its own accord"):
        only_lines(script, {script.entries[0].message.number})


def test_the_end_is_the_end_of_input_or_else_the_last_record(tmp_path):
    ended = load(str(record(tmp_path / "a.jsonl", [SPAWN, ("end", "c2s"), ("wait", 5_000), ("end", "s2c")])))
    assert (ended.start_us, ended.end_us) == (1_000, 2_000)
    cut = load(str(record(tmp_path / "b.jsonl", [SPAWN, ("c2s", asked(1, "ping")), ("wait", 5_000), SPAWN])))
    assert cut.end_us == 8_000


def test_a_file_is_a_recording_or_plain_lines(tmp_path):
    recording = record(
        tmp_path / "r.jsonl", [*handshake(), ("c2s", asked(1, "ping")), ("s2c", answered(1)), *END]
    )
    script = load(str(recording))
    assert script.is_recorded
    assert script.is_exact
    assert len(script.entries) == 3
    (tmp_path / "plain").write_bytes(b'{"a":1}\nhalf')
    assert sent(load(str(tmp_path / "plain"))) == [b'{"a":1}\n', b"half"]


def test_a_file_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(UserError, match="missing: cannot be read: No such file"):
        load(str(tmp_path / "missing"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes")
def test_a_pipe_is_read_once_be_it_a_recording_or_plain_lines(tmp_path):
    recording = record(tmp_path / "r.jsonl", [*handshake(), *END])
    for content, is_recorded in [(recording.read_bytes(), True), (b"{}\n[]\n", False)]:
        reading, writing = os.pipe()
        os.write(writing, content)
        os.close(writing)
        script = load(f"/dev/fd/{reading}")
        os.close(reading)
        assert (len(script.entries), script.is_recorded) == (2, is_recorded)


def test_without_calls_nothing_that_belongs_to_one_is_left():
    script = recorded(
        c2s(request(1, "initialize")),
        c2s(request(2, "tools/call", name="add")),
        s2c(request("r", "roots/list")),
        c2s(result("r", roots=[])),
        c2s(notification("notifications/cancelled", requestId=2)),
        c2s(notification("notifications/cancelled", requestId=1)),
        c2s(request(3, "tools/list")),
    )
    left, names = without_calls(script)
    assert [json.loads(raw).get("id") for raw in sent(left)] == [1, None, 3]
    assert (names, left.server_requests) == (["add"], script.server_requests)


def test_a_capture_of_another_tool_gives_its_client_and_what_it_can_prove(tmp_path):
    shown = tmp_path / "shown"
    shown.write_text(f"--> {json.dumps(request(1))}\n<-- {json.dumps(result(1))}\n<-- {{\u2026\n")
    script = load(str(shown))
    assert (script.is_recorded, script.evidence.times, script.damaged) == (True, False, 1)
    assert [json.loads(raw) for raw in sent(script)] == [request(1)]
    assert script.entries[0].responses[1].result == {}


@pytest.mark.parametrize(
    ("messages", "count"),
    [
        ([request(1), result(1), request(2), result(2)], 2),
        ([request(1), result(1)], 1),
        ([request(1), request(2), result(1)], 3),
        ([request(1), result("asked by the server")], 2),
    ],
)
def test_bare_messages_are_a_capture_if_most_requests_are_answered_there(tmp_path, messages, count):
    path = tmp_path / "bare"
    path.write_bytes(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    assert len(load(str(path)).entries) == count


def test_what_tee_wrote_of_both_sides_is_a_script(tmp_path):
    client, server = tmp_path / "in", tmp_path / "out"
    client.write_text('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    server.write_text('{"jsonrpc":"2.0","id":1,"result":{}}\n')
    script = load(f"c2s={client},s2c={server}")
    assert [entry.line.data for entry in script.entries] == [b'{"jsonrpc":"2.0","id":1,"method":"ping"}']
