import os

from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.tui.index import searching
from mcptap.tui.index.searching import backward, forward, spellings
from tests.helpers import handshake, record
from tests.tui.screens import fed

WORDS = ["alpha", "Beta", 'quo"te', "漢字", "ÄÖ", "back\\slash"]


def hits(found):
    return [i for i in found if i is not None]


@settings(max_examples=25, deadline=None)
@given(
    lines=st.lists(st.sampled_from(WORDS), max_size=30),
    word=st.sampled_from(WORDS),
    chunk=st.sampled_from([1, 300, 1 << 20]),
)
def test_every_record_with_the_text_is_found_both_ways(tmp_path_factory, lines, word, chunk):
    path = tmp_path_factory.mktemp("search") / "x.jsonl"
    record(path, [*handshake(), *(("s2c", f"a {line} b\n".encode()) for line in lines)])
    index = fed(os.fspath(path)).index
    wanted = [5 + k for k, line in enumerate(lines) if line == word]
    before, searching.CHUNK = searching.CHUNK, chunk
    try:
        assert hits(forward(index, spellings(word), 0)) == wanted
        assert hits(backward(index, spellings(word), len(index) - 1)) == wanted[::-1]
        assert hits(forward(index, spellings(word), 7)) == [i for i in wanted if i >= 7]
        assert hits(backward(index, spellings(word), 7)) == [i for i in wanted if i <= 7][::-1]
    finally:
        searching.CHUNK = before


def test_case_makes_no_difference(tmp_path):
    index = fed(os.fspath(record(tmp_path / "x.jsonl", [*handshake(), ("s2c", b"LOUD\n")]))).index
    assert hits(forward(index, spellings("loud"), 0)) == hits(forward(index, spellings("LoUd"), 0)) == [5]


def test_a_search_can_be_stopped_between_chunks(tmp_path):
    index = fed(os.fspath(record(tmp_path / "x.jsonl", handshake()))).index
    assert None in list(forward(index, spellings("zzz"), 0))
