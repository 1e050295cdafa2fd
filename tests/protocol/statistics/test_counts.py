"""Numbers of a session: what is counted, for whom, and when the start reached its steps."""

from pathlib import Path

from mcptap.protocol.model.session import Session
from mcptap.protocol.statistics import counts
from mcptap.protocol.statistics.counts import OTHERS, Statistics, tokens
from mcptap.recording.format.model import Event
from mcptap.recording.reader import Reader
from tests.helpers import (
    END,
    STEP_US,
    as_bytes,
    call,
    error,
    handshake,
    notification,
    record,
    request,
    result,
    text_result,
)


def numbers_of(path: Path) -> Statistics:
    with Reader(str(path)) as reader:
        session, numbers = Session(reader.header), Statistics()
        for item in reader.items():
            message = session.feed(item)
            if message is not None:
                numbers.feed(message)
            elif isinstance(item, Event):
                numbers.feed_event(item)
    return numbers


def numbers(tmp_path: Path, *steps) -> Statistics:
    return numbers_of(record(tmp_path / "x.jsonl", steps))


def test_calls_errors_and_sizes_are_counted_by_method_and_tool(tmp_path: Path):
    calls = [call(i, "add", {"a": i}) for i in range(1, 4)]
    answers = [text_result(1, "1"), text_result(2, "no", is_error=True), error(3, -32602, "bad")]
    found = numbers(
        tmp_path,
        *handshake(),
        ("c2s", calls[0]),
        ("s2c", answers[0]),
        ("c2s", calls[1]),
        ("wait", 50_000),
        ("s2c", answers[1]),
        ("c2s", calls[2]),
        ("s2c", answers[2]),
        ("c2s", call(4, "slow")),
        *END,
    )
    row = found.methods["c2s", "tools/call"]
    assert (row.calls, row.answered, row.open, row.errors, row.is_errors) == (4, 3, 1, 1, 1)
    add = found.tools["add"]
    assert (add.calls, add.open, add.errors, add.is_errors) == (3, 0, 1, 1)
    assert add.bytes_in == sum(len(as_bytes(c)) for c in calls)
    assert add.bytes_out == sum(len(as_bytes(a)) for a in answers)
    assert (add.latency.median, add.latency.largest) == (STEP_US, 50_000 + STEP_US)
    assert found.tools["slow"].open == 1


def test_a_request_of_the_server_is_counted_apart_from_the_clients(tmp_path: Path):
    found = numbers(
        tmp_path,
        *handshake(),
        ("s2c", request(1, "ping")),
        ("c2s", result(1)),
        ("c2s", request(1, "ping")),
        ("s2c", result(1)),
        ("s2c", notification("notifications/message", {})),
    )
    assert found.methods["s2c", "ping"].answered == found.methods["c2s", "ping"].answered == 1
    assert found.methods["s2c", "notifications/message"].open == 0


def test_the_start_is_told_step_by_step(tmp_path: Path):
    found = numbers(
        tmp_path,
        *handshake()[:2],
        ("s2c", b"half a "),
        ("wait", 5_000),
        ("s2c", b"line\n"),
        *handshake()[2:],
        ("c2s", request(1, "tools/list")),
        ("s2c", error(1, -32603, "not yet")),
        ("c2s", request(2, "tools/list")),
        ("s2c", result(2, {"tools": [{"name": "add"}]})),
    )
    start = found.startup
    assert start.steps() == [
        ("spawn", 1 * STEP_US),
        ("first byte on stdout", 3 * STEP_US),
        ("initialize answered", 5_000 + 5 * STEP_US),
        ("tools listed", 5_000 + 10 * STEP_US),
    ]
    assert found.strays == 1


def test_a_start_that_got_nowhere_has_no_later_steps(tmp_path: Path):
    found = numbers(tmp_path, *handshake()[:2])
    assert [name for name, _ in found.startup.steps()] == ["spawn"]
    assert found.startup.asked_us == 2 * STEP_US


def test_listed_tools_have_their_cost_and_whether_they_were_called(tmp_path: Path):
    tools = [{"name": "add", "description": "x" * 380}, {"name": "sub"}, "nonsense", {"name": 3}]
    found = numbers(
        tmp_path,
        *handshake(),
        ("c2s", request(1, "tools/list")),
        ("s2c", result(1, {"tools": tools})),
        ("c2s", call(2, "add")),
    )
    assert list(found.listed) == ["add", "sub"]
    assert 400 < found.listed["add"] < 420
    assert found.never_called == ["sub"]


def test_an_answer_that_belongs_to_nothing_counts_for_nothing(tmp_path: Path):
    found = numbers(
        tmp_path,
        *handshake(),
        ("s2c", result(99)),
        ("c2s", request(1, "ping")),
        ("s2c", result(1)),
        ("s2c", result(1)),
    )
    assert found.methods["c2s", "ping"].answered == 1
    assert found.messages == 7


def test_the_rows_are_bounded(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(counts, "MAX_ROWS", 3)
    found = numbers(tmp_path, *[("c2s", request(i, f"method/{i}")) for i in range(10)])
    assert len(found.methods) == 4
    assert found.methods["c2s", OTHERS].calls == 7


def test_tokens_are_rounded_up():
    assert [tokens(n) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]


def test_a_tool_that_nests_deep_has_about_its_size(tmp_path: Path):
    deep = b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"deep","inputSchema":'
    deep += b'{"a":' * 990 + b"1" + b"}" * 990 + b"}]}}\n"
    found = numbers(tmp_path, *handshake(), ("c2s", request(1, "tools/list")), ("s2c", deep))
    assert 6 * 990 < found.listed["deep"] < 10 * 990
