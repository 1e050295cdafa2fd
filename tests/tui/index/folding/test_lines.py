"""Lines that stand in parts: which records they are made of, and which row shows them."""

import pytest

from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.loaded import load, records_of_line, whole_line
from mcptap.tui.index.searching import spellings
from tests.helpers import handshake, record
from tests.tui.screens import indexed

ANSWER = b'{"jsonrpc":"2.0","id":7,"result":{"a":"needle here","b":"' + b"x" * 88 + b'"}}\n'
ASKED = b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"' + b"y" * 90 + b'"}}\n'


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr("mcptap.recording.writer.LINE_LIMIT", 60)


def pieces(channel, data, size=30):
    return [(channel, data[at : at + size]) for at in range(0, len(data), size)]


@pytest.fixture
def index(tmp_path):
    """Two lines whose parts come in turn; then one that never ends."""
    turns = [step for pair in zip(pieces("c2s", ASKED), pieces("s2c", ANSWER), strict=False) for step in pair]
    assert len(turns) == 10
    endless = pieces("s2c", b"[1, 2, " + b"3" * 80)
    return indexed(record(tmp_path / "x.jsonl", [*handshake(), *turns, *endless]))


def rows(index):
    return [index.at_row(row) for row in range(index.rows_to(len(index)))]


def test_each_long_line_is_one_row_wherever_its_parts_stand(index):
    assert rows(index) == [0, 1, 2, 3, 4, 13, 14, 15]
    assert [index.lines.row_of(i) for i in range(5, 18)] == [13, 14] * 5 + [15] * 3
    assert records_of_line(index, 9) == [5, 7, 9, 11, 13]
    assert records_of_line(index, 16) == [15, 16, 17]
    assert [whole_line(index, i)[1] for i in (6, 14)] == [ANSWER[:-1]] * 2
    assert whole_line(index, 15)[1] == b"[1, 2, " + b"3" * 80
    assert load(index, 14).data == ANSWER[:-1]
    assert load(index, 15).data == b"[1, 2, " + b"3" * 80
    assert index.partner(14) == 13
    assert index.partner(6) is None


def test_of_a_moment_the_lines_that_were_under_way_are_known_by_their_last_part(index):
    assert index.lines.under_way(9) == [8, 9]
    assert index.lines.under_way(13) == [12]
    assert index.lines.under_way(14) == index.lines.under_way(17) == []
    assert load(index, 6, 9).data == ANSWER[:60]
    assert [index.lines.last_part(first, now) for first, now in ((6, None), (6, 9), (15, 16))] == [12, 8, 16]
    assert list(index.lines.parts(6, 14)) == [6, 8, 10, 12]
    assert index.lines.count_parts(6, 14) == 4


def test_a_line_ends_a_batch_later_than_its_parts(tmp_path, monkeypatch, index):
    monkeypatch.setattr("mcptap.tui.index.indexer.FIRST_BATCH", 1)
    monkeypatch.setattr("mcptap.tui.index.indexer.BATCH_SIZE", 1)
    again = indexed(tmp_path / "x.jsonl")
    assert rows(again) == rows(index)
    assert again.refs == index.refs
    assert not RecordIndex().lines.split_between(0, 9)


def test_a_word_is_found_in_the_row_of_the_line_wherever_in_it_it_stands(index):
    from mcptap.tui.index.searching import backward, forward

    for word, row in (("needle", 14), ("y" * 20, 13), ("333", 15), ("ping", 13)):
        wanted = spellings(word)
        assert [i for i in forward(index, wanted, 0) if i is not None] == [row]
        assert [i for i in backward(index, wanted, 17) if i is not None] == [row]


def test_a_part_whose_whole_line_has_its_own_record_is_repeated_there(tmp_path):
    steps = [("s2c", b"{}"), ("s2c", b"\n"), ("s2c", b"{")]
    index = indexed(record(tmp_path / "x.jsonl", [*handshake(), *steps]))
    assert [index.lines.is_repeated(i) for i in (4, 5, 6, 7)] == [False, True, False, False]
    assert not index.lines.is_split(6)
    assert index.lines.first_part(6) is None
    assert index.lines.is_coming(7)
