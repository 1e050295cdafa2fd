"""JSON lines that name the sender of each line."""

import json
from typing import Any

import pytest

from mcptap.recording.format.model import RecordingError
from tests.captures.reading import ANSWER, INITIALIZE, lines, read


def text_of(*entries: Any) -> str:
    return "\n".join(map(json.dumps, entries))


def test_tagged_lines_keep_their_exact_text():
    text = text_of(
        *(
            {"dir": side, "raw": raw}
            for side, raw in [
                ("s2c", "\ufeffStarting"),
                ("c2s", INITIALIZE),
                ("stderr", "loading"),
                ("s2c", ""),
            ]
        )
    )
    assert lines(text) == [
        (1, "s2c", "\ufeffStarting".encode()),
        (2, "c2s", INITIALIZE.encode()),
        (3, "stderr", b"loading"),
        (4, "s2c", b""),
    ]


@pytest.mark.parametrize(("client", "server"), [("out", "in"), ("in", "out"), ("received", "sent")])
def test_in_and_out_are_told_by_the_first_request_of_the_client(client: str, server: str):
    asked = {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}
    text = text_of(
        {"dir": server, "raw": "Starting"},
        {"dir": server, "msg": asked},
        {"dir": client, "msg": json.loads(INITIALIZE)},
        {"dir": server, "raw": ANSWER},
    )
    assert [side for _, side, _ in lines(text)] == ["s2c", "s2c", "c2s", "s2c"]


@pytest.mark.parametrize("word", ["out", "up"])
def test_a_direction_that_depends_on_who_wrote_it_is_refused(word: str):
    with pytest.raises(RecordingError, match="does not tell the sender"):
        read(json.dumps({"dir": word, "raw": ANSWER}))


def test_of_a_parsed_and_a_raw_member_the_one_that_is_not_null_is_the_line():
    pairs = [
        {"frame": {"jsonrpc": "2.0", "id": 1, "method": "ping"}, "raw": None},
        {"frame": None, "raw": "Hi"},
    ]
    text = text_of(*({"dir": "c2s", **pair} for pair in pairs))
    assert [data for _, _, data in lines(text)] == [b'{"jsonrpc":"2.0","id":1,"method":"ping"}', b"Hi"]


@pytest.mark.parametrize(
    ("stamps", "since"),
    [
        (["2026-03-14T09:26:53Z", "2026-03-14T09:26:54.5Z"], 1_500_000),
        ([1773480413589, 1773480415089], 1_500_000),
        ([1773480413.5, 1773480415.0], 1_500_000),
        ([1773480413589000000, 1773480415089000000], 1_500_000),
        ([0.5, 2.0], 0),
        ([1773480413589, None], 0),
    ],
)
def test_times_are_used_where_every_line_has_one_whose_unit_is_plain(stamps: list[Any], since: int):
    source, items = read(
        text_of(*({"dir": "c2s", "msg": json.loads(INITIALIZE), "ts": stamp} for stamp in stamps))
    )
    assert items[1].t_us == since
    assert source.evidence.times == bool(since)


def test_messages_of_another_protocol_are_refused_with_its_name():
    with pytest.raises(RecordingError, match="Agent Client Protocol"):
        read(
            text_of(
                {"dir": "out", "msg": {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}},
                {"dir": "out", "msg": {"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {}}},
                {"dir": "in", "msg": {"jsonrpc": "2.0", "method": "session/update", "params": {}}},
            )
        )


def test_other_json_lines_with_a_direction_are_none():
    with pytest.raises(RecordingError, match="is no capture"):
        read(
            text_of({"direction": "north", "data": "wind", "speed": 3}, {"direction": "east", "data": "wind"})
        )
