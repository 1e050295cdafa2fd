"""What the watch says of the lines that it is shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.recording.format.content import parse_strictly
from mcptap.recording.writer import TOO_LONG
from mcptap.shim.watch import MAX_METHOD, Watch
from tests.shim.conftest import Start
from tests.shim.running import awkward

INITIALIZE = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}'


def initialized(capabilities: str) -> bytes:
    return b'{"jsonrpc":"2.0","id":0,"result":{"capabilities":%b}}' % capabilities.encode()


class Session:
    """A watch that is shown lines as a recorder would show them."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.watch = Watch(self.said.append)
        self._number = 1

    def client(self, *lines: bytes) -> None:
        self._show(self.watch.client_lines, lines)

    def server(self, *lines: bytes) -> None:
        self._show(self.watch.server_lines, lines)

    def _show(self, observer: Callable[[int, bytes, list[Any]], None], lines: tuple[bytes, ...]) -> None:
        observer(self._number + 1, b"\n".join(lines), [parse_strictly(line) for line in lines])
        self._number += len(lines)


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            b"Server running on stdio",
            'stdout line 2 (record 3) is not a message; logs belong on stderr: "Server',
        ),
        (b"\xef\xbb\xbf" + INITIALIZE, "starts with a byte-order mark"),
        (b'{"a":"\xff"}', "is not UTF-8"),
        (b'INFO {"jsonrpc":"2.0","id":1,"result":{}}', "has other text before the message"),
        (b'"hello"', "is JSON but no message"),
        (b"42", "is JSON but no message"),
        (b"null", "is JSON but no message"),
        (b'{"jsonrpc":"2.0","method":"x","params":{"a":NaN}}', "is not a message"),
    ],
)
def test_each_kind_of_pollution_is_named_with_its_line(session: Session, line: bytes, words: str) -> None:
    session.server(b'{"jsonrpc":"2.0","method":"notifications/x"}', line)
    (said,) = session.said
    assert words in said
    assert said.startswith("stdout line 2 (record 3) ")


@pytest.mark.parametrize(
    "line",
    [b"", b" ", b"\r", b'{"jsonrpc":"2.0","id":1,"result":{}}', b"{}", b'[{"jsonrpc":"2.0","method":"x"}]',
     b' {"jsonrpc":"2.0","id":1,"result":{}} \r'],
)  # fmt: skip
def test_what_harms_nobody_is_not_named(session: Session, line: bytes) -> None:
    session.server(line)
    assert session.said == []


def test_a_flood_of_pollution_is_named_once_for_each_kind(session: Session) -> None:
    for _ in range(100):
        session.server(b"log", b"\xff", b'"x"', b"another log")
    assert len(session.said) == 3


@pytest.mark.parametrize("capabilities", ["{}", '{"logging":{}}', '{"experimental":{"tools":{}}}'])
@pytest.mark.parametrize("method", ["initialize", "server/discover"])
def test_a_capability_gap_is_named(session: Session, capabilities: str, method: str) -> None:
    session.client(INITIALIZE.replace(b"initialize", method.encode()))
    session.server(initialized(capabilities))
    (said,) = session.said
    assert f"the server's answer to {method} declares no tools, resources or prompts" in said


@pytest.mark.parametrize("capabilities", ['{"tools":{}}', '{"prompts":{},"x":1}', '{"resources":null}'])
def test_a_server_that_declares_something_is_not_named(session: Session, capabilities: str) -> None:
    session.client(INITIALIZE)
    session.server(initialized(capabilities))
    assert session.said == []


def test_requests_that_stayed_unanswered_are_named(session: Session) -> None:
    session.client(b'{"id":1,"method":"tools/list"}', b'{"id":"a","method":"ping"}', b'{"id":2,"method":"x"}')
    session.server(b'{"id":2,"result":{}}')
    session.watch.server_ended("exited with code 0", failed=False, asked_to=True)
    assert session.said == ["no answer came to tools/list (id 1), ping (id a)"]


@pytest.mark.parametrize(
    ("client", "server"),
    [
        ([b'{"id":1,"method":"x"}'], [b'{"id":1,"result":{}}']),
        ([b'{"id":1,"method":"x"}'], [b'{"id":1,"error":{"code":1,"message":""}}']),
        ([b'{"id":1,"method":"x"}'], [b'{"id":"1","result":{}}']),
        ([b'{"id":"1","method":"x"}'], [b'{"id":1,"result":{}}']),
        ([b'{"id":1,"method":"x"}'], [b'[{"id":1,"result":{}}]']),
        ([b'{"id":1,"method":"x"}'], [b'log {"id":1,"result":{}}']),
        ([b'{"id":1,"method":"x"}', b'{"method":"notifications/cancelled","params":{"requestId":1}}'], []),
        ([b'{"method":"x"}'], []),
        ([b'{"id":1,"result":{}}'], []),
        ([b'{"id":1,"method":"subscriptions/listen"}'], []),
        ([b'{"id":1,"method":"tasks/result"}'], []),
        ([b'{"id":1.0,"method":"x"}'], [b'{"id":1.0,"result":{}}']),
    ],
    ids=str,
)
def test_what_was_answered_cancelled_or_is_held_by_design_is_not_named(
    session: Session, client: list[bytes], server: list[bytes]
) -> None:
    session.client(*client)
    session.server(*server)
    session.watch.server_ended("exited with code 0", failed=False, asked_to=True)
    assert [said for said in session.said if "answer" in said] == []


def test_a_request_sent_just_before_the_client_left_is_not_named(session: Session) -> None:
    session.client(b'{"id":1,"method":"x"}')
    session.watch.client_ended()
    session.watch.server_ended("exited with code 0", failed=False, asked_to=False)
    assert session.said == []


def test_a_server_that_ends_by_itself_before_an_answer_is_named(session: Session) -> None:
    session.client(INITIALIZE)
    session.watch.server_ended("exited with code 1", failed=True, asked_to=False)
    assert session.said == ["the server exited with code 1 before it answered anything"]


def test_a_server_that_ends_after_its_client_left_is_not_said_to_have_ended_by_itself(
    session: Session,
) -> None:
    session.watch.client_ended()
    session.watch.server_ended("exited with code 0", failed=False, asked_to=False)
    assert session.said == []


@pytest.mark.parametrize(
    "unseen",
    [
        b'[{"jsonrpc":"2.0","id":0,"result":{}}]',
        b'log {"jsonrpc":"2.0","id":0,"result":{}}',
        b'{"jsonrpc":"2.0","id":0,"result":' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'{"jsonrpc":"2.0","id":0,"result":' + b"1" * 5000 + b"}",
    ],
    ids=["batch", "glued", "deep", "number"],
)
def test_an_answer_that_could_not_be_looked_at_counts_as_one(session: Session, unseen: bytes) -> None:
    session.client(INITIALIZE)
    session.server(unseen)
    session.watch.server_ended("exited with code 1", failed=True, asked_to=False)
    assert session.said[-1] == "the server exited with code 1"


def test_where_lines_were_missed_nothing_is_said_of_answers(session: Session) -> None:
    session.client(INITIALIZE)
    session.watch.lines_missed()
    session.watch.server_ended("exited with code 0", failed=False, asked_to=False)
    assert session.said == []


@pytest.mark.parametrize(
    ("failed", "how"), [(False, "exited with code 0"), (True, "exited with code 1")], ids=["well", "badly"]
)
def test_a_server_did_not_end_during_a_request_that_never_reached_it(
    session: Session, failed: bool, how: str
) -> None:
    session.client(INITIALIZE)
    session.server(initialized('{"tools":{}}'))
    session.client(b'{"id":1,"method":"tools/list"}')
    session.watch.last_lines_undelivered()
    session.watch.server_ended(how, failed, asked_to=False)
    assert session.said == [f"the server {how}; no answer came to tools/list (id 1)"]


def test_only_what_reached_the_server_counts_as_interrupted(session: Session) -> None:
    session.client(INITIALIZE)
    session.server(initialized('{"tools":{}}'))
    session.client(b'{"id":1,"method":"tools/list"}')
    session.client(b'{"id":2,"method":"ping"}')
    session.watch.last_lines_undelivered()
    session.watch.server_ended("exited with code 0", failed=False, asked_to=False)
    assert session.said == ["the server exited with code 0 during tools/list (id 1)"]


def test_a_launcher_that_left_processes_is_not_called_the_server(session: Session) -> None:
    session.client(INITIALIZE)
    session.watch.server_ended("exited with code 0", failed=False, asked_to=False, alone=False)
    assert session.said == ["the started process exited with code 0 before it answered anything"]


def test_a_record_is_not_named_where_none_can_be_looked_up() -> None:
    said: list[str] = []
    watch = Watch(said.append, lambda: False)
    watch.server_lines(2, b"log", [parse_strictly(b"log")])
    assert said == ['stdout line 1 is not a message; logs belong on stderr: "log"']


@pytest.mark.parametrize(
    ("line", "open_after"),
    [
        (b'INFO {"jsonrpc":"2.0","id":3,"result":{}}', {2, "3", "a-b"}),
        (b'INFO {"jsonrpc":"2.0", "id" : "3" }', {2, 3, "a-b"}),
        (b'oops "id":"a-b"', {2, 3, "3"}),
        (b'oops "id":33', {2, 3, "3", "a-b"}),
        (b'{"id":2}{"id":3}', {"3", "a-b"}),
    ],
)
def test_a_line_that_is_no_message_settles_the_ids_it_names_and_no_others(
    session: Session, line: bytes, open_after: set[object]
) -> None:
    session.client(*(b'{"id":%b,"method":"x"}' % each for each in (b"2", b"3", b'"3"', b'"a-b"')))
    session.server(line)
    assert {key[1] for key in session.watch._open} == open_after


class LookedUp(dict[Any, Any]):
    """Open requests that can be looked up one by one, and not be gone through."""

    def __iter__(self) -> Any:
        raise AssertionError("all open requests were gone through")

    keys = values = items = __iter__


def test_a_line_costs_the_same_however_many_requests_are_open(session: Session) -> None:
    session.watch._open = LookedUp()
    session.client(*(b'{"id":%d,"method":"x"}' % n for n in range(100)))
    session.server(b'log "id":5', b'{"id":6,"result":{}}', b"\xff", b'"id"', b"42 id")
    assert 5 not in {key[1] for key in dict.keys(session.watch._open)}


def test_what_is_kept_of_requests_is_bounded(session: Session) -> None:
    session.client(*(b'{"id":"%d%b","method":"%b"}' % (n, b"i" * 10_000, b"m" * 10_000) for n in range(50)))
    session.client(b'{"id":1,"method":"%b"}' % (b"m" * 10_000))
    ((key, (method, _)),) = session.watch._open.items()
    assert key == ("int", 1)
    assert len(method) == MAX_METHOD


HOSTILE = [
    b'{"id":"\\ud800","method":"\\udfff"}',
    b'{"id":"' + b"9" * 5000 + b'","method":"x"}',
    b'{"id":"' + b"9" * 5000 + b'","result":{}}',
    b'{"id":' + b"9" * 4000 + b',"result":{}}',
    b'{"id":' + b"[" * 900 + b"]" * 900 + b',"method":"x"}',
    b'{"id":{"a":[1]},"method":"x"}',
    b'{"id":1e999,"method":"x"}',
    b'{"id":null,"method":"x"}',
    b'{"id":true,"method":"x"}',
    b'{"id":1,"method":["x"]}',
    b'{"method":"notifications/cancelled","params":[1]}',
    b'{"method":"notifications/cancelled","params":{"requestId":{"a":1}}}',
    b'{"id":"\\ud800","result":{}}',
    b'{"id":1,"result":{"capabilities":[]}}',
    b'"id" \xff \x1b[31m',
    b'not json "id":"\\ud800"',
    "\u0664".join(['{"id":"', '","result":{}}']).encode(),
]


def test_hostile_lines_neither_raise_nor_drive_the_terminal(session: Session) -> None:
    for line in HOSTILE:
        session.client(line)
    for line in HOSTILE:
        session.server(line)
    session.watch.server_ended("exited with code 0", failed=False, asked_to=True)
    assert all(said.isprintable() for said in session.said)


def test_hostile_lines_are_recorded_in_both_directions(start: Start) -> None:
    payload = b"\n".join(HOSTILE * 3) + b"\n"
    tap = start(awkward("echo"))
    assert tap.finish(payload)[:2] == (0, payload)
    recording = tap.recording()
    assert recording.bytes("c2s") == recording.bytes("s2c") == payload
    assert recording.events("gap") == []


def test_what_is_shown_of_the_wire_cannot_drive_a_terminal() -> None:
    watch = Session()
    watch.server(b"\x1b[31m\x07\r\xe2\x80\xaegnp.exe\xe2\x81\xa6")
    (said,) = watch.said
    assert said.endswith(': "␛[31m␇␍<U+202E>gnp.exe<U+2066>"')
    assert said.isprintable()


@pytest.mark.parametrize(
    ("how", "failed", "asked_to", "client_ended", "said"),
    [
        ("exited with code 0", False, False, False, "the server exited with code 0 during x (id 9)"),
        ("exited with code 1", True, False, False, "the server exited with code 1 during x (id 9)"),
        ("was killed by SIGSEGV", True, False, True, "the server was killed by SIGSEGV"),
        ("was killed by SIGTERM", True, True, False, "no answer came to x (id 9)"),
    ],
)
def test_an_end_is_told_by_who_wanted_it(
    session: Session, how: str, failed: bool, asked_to: bool, client_ended: bool, said: str
) -> None:
    session.client(b'{"id":8,"method":"ping"}', b'{"id":9,"method":"x"}')
    session.server(b'{"id":8,"result":{}}')
    if client_ended:
        session.watch.client_ended()
    session.watch.server_ended(how, failed, asked_to)
    assert session.said == [said]


def test_more_than_three_open_requests_are_counted(session: Session) -> None:
    session.client(*(b'{"id":%d,"method":"x"}' % n for n in range(5)))
    session.watch.server_ended("exited with code 0", failed=False, asked_to=True)
    assert session.said == ["no answer came to x (id 0), x (id 1), x (id 2) and 2 more"]


def test_after_a_line_that_is_too_long_to_look_at_nothing_is_said_to_be_unanswered(session: Session) -> None:
    session.client(b'{"id":1,"method":"x"}')
    session.watch.server_lines(3, b"the end of a long line", [TOO_LONG])
    session.watch.server_ended("exited with code 0", failed=False, asked_to=True)
    assert session.said == []


def test_beyond_the_bound_on_open_requests_nothing_is_said_of_them(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcptap.shim.watch.MAX_OPEN", 2)
    session.client(*(b'{"id":%d,"method":"x"}' % n for n in range(3)))
    session.watch.server_ended("exited with code 0", failed=False, asked_to=True)
    assert session.said == []


members = st.sampled_from(["id", "method", "params", "requestId", "result", "capabilities"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(members, inner, max_size=4),
    max_leaves=8,
)


@given(st.lists(st.tuples(st.booleans(), json_values), max_size=8))
def test_whatever_passes_it_never_raises_and_says_printable_words(
    sent: list[tuple[bool, Any]],
) -> None:
    said: list[str] = []
    watch = Watch(said.append)
    for number, (by_client, value) in enumerate(sent, 2):
        observer = watch.client_lines if by_client else watch.server_lines
        observer(number, json.dumps(value).encode(), [value])
    watch.server_ended("exited with code 1", failed=True, asked_to=False)
    assert all(sentence.isprintable() for sentence in said)
