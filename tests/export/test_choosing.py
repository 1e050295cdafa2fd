"""Which records match a filter."""

from __future__ import annotations

import pytest

from mcptap.export.choosing import numbers_matching
from mcptap.query import parse
from tests.helpers import END, SPAWN, call, handshake, record, text_result


@pytest.mark.parametrize(
    ("query", "count"),
    [("method:tools/call", 3), ("status:unanswered", 1), ("status:answered tool:a", 2), ("kind:event", 6)],
)
def test_requests_are_judged_by_what_became_of_them(tmp_path, query, count):
    steps = [
        SPAWN,
        *handshake(),
        ("c2s", call(1, "a")),
        ("s2c", text_result(1, "x")),
        ("c2s", call(2, "b")),
        *END,
    ]
    assert len(numbers_matching(str(record(tmp_path / "a.jsonl", steps)), parse(query))) == count
