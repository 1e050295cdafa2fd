import os

import pytest
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
    dense=st.sampled_from([1, 1 << 40]),
)
def test_every_record_with_the_text_is_found_both_ways(tmp_path_factory, lines, word, chunk, dense):
    """From hit to hit and from record to record, in large and small pieces."""
    path = tmp_path_factory.mktemp("search") / "x.jsonl"
    record(path, [*handshake(), *(("s2c", f"a {line} b\n".encode()) for line in lines)])
    index = fed(os.fspath(path)).index
    wanted = [5 + k for k, line in enumerate(lines) if line == word]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "CHUNK", chunk)
        patch.setattr(searching, "DENSE", dense)
        assert hits(forward(index, spellings(word), 0)) == wanted
        assert hits(backward(index, spellings(word), len(index) - 1)) == wanted[::-1]
        assert hits(forward(index, spellings(word), 7)) == [i for i in wanted if i >= 7]
        assert hits(backward(index, spellings(word), 7)) == [i for i in wanted if i <= 7][::-1]


def test_case_makes_no_difference(tmp_path):
    index = fed(os.fspath(record(tmp_path / "x.jsonl", [*handshake(), ("s2c", b"LOUD\n")]))).index
    assert hits(forward(index, spellings("loud"), 0)) == hits(forward(index, spellings("LoUd"), 0)) == [5]


def test_a_letter_that_is_in_every_record_is_found_in_messages_and_not_in_envelopes(tmp_path):
    lines = [("s2c", b"kxk\n"), ("s2c", b"zzz\n"), ("stderr", b"xx\n")] * 20
    index = fed(os.fspath(record(tmp_path / "x.jsonl", lines, name="none"))).index
    with_it = [i for i in hits(forward(index, spellings("x"), 0)) if i]
    assert with_it == [i for i in range(1, len(index)) if index.sizes[i] and (i - 1) % 3 != 1]


def test_a_search_can_be_stopped_between_chunks(tmp_path):
    index = fed(os.fspath(record(tmp_path / "x.jsonl", handshake()))).index
    assert None in list(forward(index, spellings("zzz"), 0))
