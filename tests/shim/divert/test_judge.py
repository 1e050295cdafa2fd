"""What is certainly no message goes to stderr, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.recording.format.content import NOT_JSON, parse_strictly
from mcptap.shim.divert.judge import MAX_LINE, RECENT, TRIES, Judge

ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'
ASKED = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
TOLD = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def judge(*client: Any) -> Judge:
    """A judge behind whom the client said these."""
    one = Judge()
    for value in client or (ASKED, TOLD):
        one.client_lines(2, b"" if value is None else b"x", [value])
    return one


def cut(data: bytes, by: Judge | None = None) -> int | None:
    return (by or judge()).cut(data, parse_strictly(data))


@pytest.mark.parametrize(
    "line",
    [
        "Server running on stdio", "[INFO] ready", "[2026-12-01] ready", "", "  ", "42", "null", '"text"',
        "Größe", "[0] ready",
        "{'jsonrpc': '2.0', 'id': 1}", "{ name: 1 }", "}", "]", "[1] 2", "10%\r20%", "\x1b[2Jhello",
        'uses "jsonrpc" 2.0', 'log {"jsonrpc":"2.0","id":1,"result":{"x":NaN}', 'log {"id":1,"result":{}}',
    ],
)  # fmt: skip
def test_a_line_that_is_no_object_and_no_array_goes_to_stderr(line: str) -> None:
    assert cut(line.encode()) == len(line.encode())


@pytest.mark.parametrize(
    "line",
    [
        ANSWER, b"  " + ANSWER, b"[]", b"[" + ANSWER + b"]", b'{"any":"object"}', b"{}", b"[1,2]",
        b'{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}', b'{"x":Infinity}', b"[NaN]",
        b"\xef\xbb\xbf" + ANSWER, b"caf\xe9", b"t\0e\0x\0t\0", b"[" * 5000 + b"]" * 5000,
        b'{"x":' + b"1" * 5000 + b"}", b'{"a":1} ' + ANSWER,
        ANSWER + ANSWER, ANSWER + b" behind", b"a " + ANSWER + b" b", b"a " + ANSWER + b" " + ANSWER,
        b"a [" + ANSWER + b"]", b'{"jsonrpc":"2.0","id":1,"res', b'{"jsonrpc":"2.0","id":1,"result":{}',
        b"x" * (MAX_LINE + 1), b"{", b"[", b'{"a": 1,',
    ],
)  # fmt: skip
def test_what_is_not_certain_passes_as_it_came(line: bytes) -> None:
    assert cut(line) is None


@pytest.mark.parametrize("text", ["loading... ", "10%\r99%\r", "{x} ", "[INFO] ", "é", "[0] ", "42"])
@pytest.mark.parametrize("end", [b"", b"  "])
def test_text_in_front_of_exactly_one_message_is_taken_off(text: str, end: bytes) -> None:
    one = judge()
    assert cut(text.encode() + ANSWER + end, one) == len(text.encode())
    assert one.message == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_the_longest_line_that_is_judged_has_a_mebibyte() -> None:
    assert cut(b"x" * MAX_LINE) == MAX_LINE
    text = b"x" * (MAX_LINE - len(ANSWER))
    assert cut(text + ANSWER) == len(text)


@pytest.mark.parametrize(
    "message",
    [
        b'{"jsonrpc":"1.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"2.0","result":{}}',
        b'{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', b'{"jsonrpc":"2.0","id":7,"result":{}}',
        b'{"jsonrpc":"2.0","id":"1","result":{}}', b'{"jsonrpc":"2.0","method":5}',
        b'{"jsonrpc":"2.0","id":1,"method":"x","result":{}}',
        b'{"jsonrpc":"2.0","id":1,"result":' + b"1" * 5000 + b"}",
    ],
)  # fmt: skip
def test_what_the_client_does_not_wait_for_is_not_freed(message: bytes) -> None:
    assert cut(b"log " + message) is None


@pytest.mark.parametrize(
    "said", [ASKED, TOLD, {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {}}]
)
def test_the_servers_log_of_what_the_client_said_is_text(said: dict[str, Any]) -> None:
    line = b"DEBUG got " + json.dumps(said).encode()
    assert cut(line, judge(ASKED, TOLD, said)) == len(line)


def test_the_servers_log_of_an_answer_that_came_is_text() -> None:
    one = judge()
    assert cut(ANSWER, one) is None
    assert cut(b"DEBUG sent " + ANSWER, one) == len(b"DEBUG sent " + ANSWER)


def test_a_freed_answer_is_an_answer_that_came() -> None:
    one = judge()
    assert cut(b"a " + ANSWER, one) == 2
    assert cut(b"b " + ANSWER, one) == len(b"b " + ANSWER)


def test_a_request_and_a_notification_of_the_server_are_freed() -> None:
    assert cut(b'x {"jsonrpc":"2.0","id":1,"method":"ping"}') == 2
    assert cut(b'x {"jsonrpc":"2.0","method":"notifications/message","params":{}}') == 2


def test_a_request_that_the_client_had_is_not_put_to_it_again() -> None:
    request = b'{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage"}'
    one = judge()
    assert cut(request, one) is None
    assert cut(b"DEBUG sent " + request, one) is None
    assert cut(b"x " + request.replace(b"7", b"8"), one) == 2
    assert cut(b"DEBUG sent " + request.replace(b"7", b"8"), one) is None


@pytest.mark.parametrize("text", [b"{" * (TRIES + 1), b"{} " * (TRIES + 1)])
def test_a_message_behind_more_braces_than_are_looked_at_passes(text: bytes) -> None:
    assert cut(b"x " + text + ANSWER) is None
    assert cut(b"x " + text) == len(b"x " + text)


def test_a_client_that_sends_headers_begins_with_no_json_whatever_comes_in_the_same_chunk() -> None:
    one = Judge()
    lines = b"\nContent-Length: 46\r\n\r\n" + json.dumps(ASKED).encode()
    one.client_lines(2, lines, [NOT_JSON, NOT_JSON, NOT_JSON, ASKED])
    assert cut(b"Content-Length: 36\r", one) is None


def test_of_what_the_client_said_no_more_than_a_sign_is_remembered() -> None:
    one = judge(*({**TOLD, "params": {"n": number}} for number in range(RECENT + 2)))
    first, last = (json.dumps({**TOLD, "params": {"n": number}}).encode() for number in (1, RECENT + 1))
    assert cut(b"got " + last, one) == len(b"got " + last)
    assert cut(b"got " + first, one) == len(b"got ")
    assert all(isinstance(each, int) for each in one._told)


def test_a_pretty_printed_message_passes_whatever_its_lines_look_like() -> None:
    one = judge()
    lines = (
        json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"x": [1, "b", None]}}, indent=1)
        .encode()
        .split(b"\n")
    )
    assert [cut(line, one) for line in lines] == [None] * len(lines)
    assert cut(b"text", one) == 4


def test_a_pretty_printed_value_that_breaks_is_text_from_there_on() -> None:
    one = judge()
    assert [cut(line, one) for line in (b"{", b"  name: 'x',", b"}", b"text")] == [None, 12, 1, 4]


@pytest.mark.parametrize("first", [b"PRI * HTTP/2.0\r", b"Content-Length: 40\r", b"hello"])
def test_nothing_is_diverted_where_the_client_speaks_something_else(first: bytes) -> None:
    one = Judge()
    one.client_lines(2, first, [NOT_JSON])
    assert cut(b"Content-Length: 60", one) is None
    assert not one.may_hold(b"Content")


def test_a_banner_before_the_client_spoke_is_text() -> None:
    assert cut(b"hello", Judge()) == 5


def test_what_the_client_sends_later_may_be_broken() -> None:
    one = judge()
    one.client_lines(5, b"x", [NOT_JSON])
    assert cut(b"text", one) == 4


def test_too_many_requests_make_no_answer_old() -> None:
    one = judge(*({"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(10_001)))
    assert cut(ANSWER, one) is None
    assert cut(b"x " + ANSWER, one) is None


@pytest.mark.parametrize(
    "begun", [b"loading", b"[INFO", b"[2026-1", b"10%\r20%", b" ", "Größe".encode()[:3], b"42"]
)
def test_text_that_can_begin_no_message_may_be_held(begun: bytes) -> None:
    assert judge().may_hold(begun)


@pytest.mark.parametrize("begun", [b"{", b"[", b' {"js', b"[1, 2", b"\xe9t\xe9", b"a\0b", b"\xef\xbb\xbf{"])
def test_what_may_begin_a_message_is_not_held(begun: bytes) -> None:
    assert not judge().may_hold(begun)


def test_lines_that_are_all_objects_are_passed_at_once() -> None:
    one = judge()
    assert one.all_pass([{"jsonrpc": "2.0", "id": 1, "result": {}}, []])
    assert not one.all_pass([{}, 1])
    assert cut(b"log " + ANSWER, one) == len(b"log " + ANSWER)  # it was among them
    assert cut(b"{", one) is None
    assert not one.all_pass([{}])


@settings(max_examples=50)
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_a_json_object_or_array_never_leaves_and_nothing_raises(data: bytes) -> None:
    data = data.replace(b"\n", b"")
    value = parse_strictly(data)
    said = judge().cut(data, value)
    assert said is None or 0 <= said <= len(data)
    if isinstance(value, dict | list):
        assert said is None
