"""What can be made out in a line that is no message."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.model.broken import BOM, Broken
from mcptap.recording.format.content import NOT_JSON

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
MESSAGE = json.loads(PING)


@pytest.mark.parametrize(
    ("data", "messages"),
    [
        (b"INFO ready " + PING, [MESSAGE]),
        (PING + PING, [MESSAGE, MESSAGE]),
        (BOM + PING, [MESSAGE]),
        (PING.decode().encode("utf-16-le"), [MESSAGE]),
        (b"[" + PING + b', 3, "x"]', [MESSAGE]),
        (b'log {"level":"info"} and {"half', []),
        (b"Server ready", []),
        (b"42", []),
    ],
)
def test_the_messages_in_a_line_are_found_however_it_breaks_them(data, messages):
    assert Broken(data).messages() == messages


def test_a_message_that_was_put_together_from_lines_is_the_only_one():
    broken = Broken(b'"noise" ' + PING)
    broken.joined = {"jsonrpc": "2.0", "id": 7}
    assert broken.messages() == [{"jsonrpc": "2.0", "id": 7}]


@pytest.mark.parametrize(
    ("data", "constant"),
    [
        (b'{"a":NaN}', "NaN"),
        (b'{"a":[1, -Infinity ]}', "-Infinity"),
        (b'{"a":"NaN"}', ""),
        (b'{"a": NaN, }', ""),
        (b"it took :NaN seconds", ""),
    ],
)
def test_a_constant_is_named_only_if_it_is_all_that_is_wrong(data, constant):
    assert Broken(data).constant == constant


@pytest.mark.parametrize(
    ("data", "torn"),
    [(PING[:20], True), (b"  " + PING[:20], True), (b'{"level":"info"', False), (b"x " + PING[:20], False)],
)
def test_a_piece_of_a_message_begins_as_one(data, torn):
    assert Broken(data).torn == torn


@pytest.mark.parametrize(
    ("data", "beside"),
    [
        (b"loading " + PING, ("loading ", "")),
        (PING + b"done" + PING + b" bye", ("", " bye")),
        (b"nothing", ("nothing", "")),
    ],
)
def test_what_stands_beside_messages_is_told(data: bytes, beside: tuple[str, str]):
    assert Broken(data).beside == beside


def test_ids_are_made_out_as_they_are_written_and_only_once():
    text = b'{"id": 1} {\'id\':"a"} "id":-5 "id":1 "id":1.5 "id":"\\ud83d\\ude00" "id":"\\x"'
    assert Broken(text).ids() == [1, "a", -5, "😀"]


def test_at_most_a_few_ids_are_made_out():
    assert len(Broken(b" ".join(b'"id":%d' % n for n in range(100))).ids()) == 8


def test_only_so_much_of_a_long_line_is_looked_at_for_messages(monkeypatch):
    monkeypatch.setattr("mcptap.protocol.model.broken.LOOK_AT", 100)
    assert Broken(b"x" * 2000 + PING).objects == []


@given(st.binary(max_size=80) | st.sampled_from([PING[:30], BOM + b"\xff", b"[" * 5000, b'{"a":' * 3000]))
def test_any_bytes_can_be_looked_at(data):
    broken = Broken(data)
    assert isinstance(broken.text, str)
    assert isinstance(broken.torn, bool)
    assert broken.constant in ("", "NaN", "Infinity", "-Infinity")
    assert all(isinstance(message, dict) for message in broken.messages())
    assert broken.value is NOT_JSON or broken.objects == []
    assert isinstance(broken.ids(), list)
