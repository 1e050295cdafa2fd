import json
import os

import pytest

from mcptap.recording.format.model import Damaged, Event, Header
from mcptap.tui.index.loaded import exact_bytes, load
from tests.helpers import END, call, handshake, record
from tests.tui.screens import fed, indexed, opened, played, until


def test_a_line_of_64_megabytes_is_shown_in_part_and_known_in_full(tmp_path):
    size = 64 << 20
    pieces = [b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"', b'"}]}}\n']
    filler = b"x" * (1 << 16)
    steps = [*handshake(), ("c2s", call(1, "big")), ("s2c", pieces[0])]
    steps += [("s2c", filler)] * (size // len(filler))
    path = record(tmp_path / "x.jsonl", [*steps, ("s2c", pieces[1]), *END])

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, screen):
            answer = screen.timeline.index.partner(5)
            assert answer is not None
            assert screen.timeline.index.sizes[answer] > size
            screen.cursor.go_to(answer)
            await pilot.press("enter")
            await until(pilot, lambda: screen.pane.loaded is not None)
            assert len(screen.pane.loaded.data) <= 2 << 20
            assert screen.pane.loaded.total > size
            assert any("more bytes" in line.pieces[0][0] for line in screen.pane.detail.lines if line.pieces)

    played(play())


LINE = b'{"jsonrpc":"2.0","id":0,"result":{"text":"' + b"x" * 3000 + b'"}}'


@pytest.fixture
def index(tmp_path):
    """Header, handshake (1 to 4), noise with CR LF (5), a part (6), its rest (7), the end of stdin (8)."""
    steps = [*handshake(), ("s2c", b"noise\r\n"), ("s2c", LINE[:1000]), ("s2c", LINE[1000:] + b"\n"), *END]
    return indexed(record(tmp_path / "x.jsonl", steps))


def test_the_first_record_is_the_header(index):
    loaded = load(index, 0)
    assert isinstance(loaded.record, Header)
    assert loaded.record.name == "weather"
    assert (loaded.number, loaded.is_whole, loaded.tree) == (1, True, None)


def test_a_header_that_cannot_be_read_is_damaged(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"no header\n")
    assert isinstance(load(indexed(path), 0).record, Damaged)


def test_a_message_has_its_value_and_its_exact_bytes(index):
    loaded = load(index, 3)
    assert loaded.tree is not None
    assert json.loads(loaded.data)["id"] == 0
    assert exact_bytes(index, loaded) == loaded.data + b"\n"


def test_a_line_that_is_no_json_has_no_value_and_keeps_its_end(index):
    loaded = load(index, 5)
    assert loaded.tree is None
    assert exact_bytes(index, loaded) == b"noise\r\n"


def test_a_part_and_an_event_are_what_stands_in_the_file(index):
    part, event = load(index, 6), load(index, 8)
    assert (part.data, part.tree) == (LINE[:1000], None)
    assert isinstance(event.record, Event)
    assert exact_bytes(index, event) == event.data == index.read(8).rstrip(b"\n")


def test_a_line_in_many_parts_is_put_together_again(tmp_path):
    data = b'"' + bytes(range(97, 123)) * 20_000 + b'"'
    pieces = [("s2c", data[at : at + 65_536]) for at in range(0, len(data), 65_536)]
    index = indexed(record(tmp_path / "x.jsonl", [*handshake(), *pieces, ("s2c", b"\n"), *END]))
    (i,) = [i for i in range(len(index)) if index.sizes[i] == len(data)]
    loaded = load(index, i)
    assert loaded.total == len(data)
    assert exact_bytes(index, loaded) == data + b"\n"


def test_a_record_beyond_the_end_is_refused(index):
    with pytest.raises(IndexError):
        load(index, len(index))
