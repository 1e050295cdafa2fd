"""Captures of which each line is a JSON object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mcptap.captures.records import RecordsDecoder, content_line, moment_of
from mcptap.recording.format.model import Damaged, Item


class Entries(RecordsDecoder):
    def record(self, fields: dict[str, Any], raw: bytes, number: int) -> Iterator[Item]:
        t, wall = self.at(moment_of(fields.get("at")))
        yield from self.missing(fields.get("seq"), number, t, wall, "the test")
        yield content_line(number, "s2c", fields.get("say"), t, wall)


def test_an_object_a_line_becomes_items_and_what_is_none_is_counted():
    decoder = Entries("harbour")
    fed = [
        b'{"say":"hi","at":"2026-03-14T09:26:53Z","seq":1}',
        b"",
        b"[1]",
        b'{"say":{},"seq":4}',
        b'{"seq":2}',
    ]
    items = [item for number, raw in enumerate(fed, 1) for item in decoder.feed(raw, number)]
    assert [
        getattr(item, "data", getattr(item, "kind", b"")) for item in items if not isinstance(item, Damaged)
    ] == [
        b"hi",
        "gap",
        b"{}",
        b"null",
    ]
    assert decoder.passed_over == 1
    assert decoder.header.start_wall_us == moment_of("2026-03-14T09:26:53Z")
    assert decoder.header.name == "harbour"


@pytest.mark.parametrize(
    ("stamp", "us"),
    [
        ("2026-03-14T09:26:53Z", 1_773_480_413_000_000),
        (1773480413, 1_773_480_413_000_000),
        (1773480413.25, 1_773_480_413_250_000),
        (1773480413250, 1_773_480_413_250_000),
        (1773480413250000, 1_773_480_413_250_000),
        (1773480413250000000, 1_773_480_413_250_000),
        (3.5, 0),
        (True, 0),
        (None, 0),
        (float("nan"), 0),
        (1e30, 0),
        ("soon", 0),
    ],
)
def test_a_time_since_1970_is_told_by_its_size(stamp: Any, us: int):
    assert moment_of(stamp) == us
