"""What a filter sees of the records of a session, through the real reader and pairing."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.protocol.model.request import RequestState
from mcptap.query import RecordKind, parse
from mcptap.query.row import ItemRow, kind_of
from mcptap.recording.reader import Reader
from tests.helpers import (
    EXIT,
    Step,
    call,
    error,
    handshake,
    notification,
    record,
    request,
    result,
    text_result,
)

STEPS: list[Step] = [
    *handshake(),  # records 2 to 5
    ("c2s", call(1, "read")),
    ("wait", 2_000_000),
    ("s2c", text_result(1, "Grüße", is_error=True)),
    ("c2s", call(2, "write")),
    ("s2c", error(2, -32602, "no")),
    ("c2s", request("x", "ping")),
    ("s2c", b"oops\n"),
    ("s2c", b"[]\n"),
    ("stderr", b"a warning\n"),
    ("c2s", call(3, "slow")),
    ("c2s", notification("notifications/cancelled", {"requestId": 3})),
    ("c2s", request(4, "tools/list")),
    ("s2c", b'so {"jsonrpc":"2.0","id":4,"result":{"tools":[]}}\n'),
    ("end", "s2c"),
    EXIT,
]


@pytest.fixture
def rows(tmp_path: Path) -> list[ItemRow]:
    path = record(tmp_path / "a.jsonl", STEPS)
    with path.open("ab") as file:
        file.write(b"damage\n")
    with Reader(str(path)) as reader:
        diagnosis = Diagnosis(reader.header)
        return [ItemRow(item, diagnosis.feed(item), "words of an event") for item in reader.items()]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("kind:request dir:c2s", [3, 6, 8, 10, 14, 16]),
        ("kind:answer", [4, 7, 9]),
        ("kind:notification", [5, 15]),
        ("kind:pollution", [11, 17]),
        ("kind:batch", [12]),
        ("kind:stderr or dir:stderr", [13]),
        ("kind:event", [2, 18, 19]),
        ("kind:damaged", [20]),
        ("dir:s2c kind:event", [18]),
        ("method:tools/call", [6, 7, 8, 9, 14]),
        ("tool:read", [6, 7]),
        ("id:x or id:1", [6, 7, 10]),
        ("status:iserror", [6, 7]),
        ("status:error", [8, 9]),
        ("status:pending", [10]),
        ("status:cancelled", [14]),
        ("status:unreadable", [16]),
        ("status:answered", [3, 4]),
        ("latency:>2s", [6, 7]),
        ("size:4", [11]),
        ("grüsse", [7]),
        ('"words of"', [2, 18, 19]),
        ("n:19..", [19, 20]),
        ("t:2006ms..2008ms", [7, 8, 9]),
    ],
)
def test_each_field_finds_its_records(rows: list[ItemRow], query: str, numbers: list[int]) -> None:
    found = parse(query)
    assert [row.number for row in rows if found.matches(row)] == numbers


def test_every_word_for_a_kind_or_status_is_one_of_the_language(rows: list[ItemRow]) -> None:
    assert {row.kind for row in rows} == set(RecordKind)
    assert {row.status for row in rows} - {None} <= set(RequestState)
    for row in rows:
        assert row.message is None or kind_of(row.message) in set(RecordKind)
        assert row.request is None or row.status in set(RequestState)


def test_the_server_s_answers_have_what_its_client_asked(rows: list[ItemRow]) -> None:
    answer = next(row for row in rows if row.number == 7)
    assert (answer.method, answer.tool, answer.id, answer.status) == ("tools/call", "read", "1", "iserror")
    assert answer.latency_us == 2_001_000


def test_a_late_answer_changes_what_its_request_is(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", [("c2s", request(1, "ping")), ("s2c", result(1))])
    with Reader(str(path)) as reader:
        diagnosis = Diagnosis(reader.header)
        items = reader.items()
        asked = next(items)
        row = ItemRow(asked, diagnosis.feed(asked))
        assert (row.status, row.latency_us) == ("pending", None)
        diagnosis.feed(next(items))
        assert (row.status, row.latency_us) == ("answered", 1000)
