"""Chunks of a channel become lines, however they were cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.play.server import line_cutter
from mcptap.play.server.line_cutter import LineCutter

pieces = st.binary() | st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n"])).map(b"".join)


def cut(*chunks):
    cutter = LineCutter()
    ended = [line for t_us, chunk in enumerate(chunks) for line in cutter.feed(chunk, t_us)]
    rest = cutter.rest()
    return ended + ([rest] if rest is not None else [])


@given(st.lists(pieces))
def test_no_byte_is_lost_and_every_line_but_the_last_has_its_end(chunks):
    found = cut(*chunks)
    assert b"".join(line.data + line.eol for line in found) == b"".join(chunks)
    assert all(line.eol.endswith(b"\n") for line in found[:-1])
    assert not any(b"\n" in line.data for line in found)


@given(st.lists(pieces))
def test_the_lines_are_the_same_whatever_the_chunks(chunks):
    assert [(x.data, x.eol) for x in cut(*chunks)] == [(x.data, x.eol) for x in cut(b"".join(chunks))]


def test_a_line_has_the_time_of_its_first_byte():
    assert [line.first_us for line in cut(b"a", b"b\nc", b"\n", b"d")] == [0, 1, 3]


def test_a_line_that_never_ends_is_kept_up_to_the_limit_and_called_full(monkeypatch):
    monkeypatch.setattr(line_cutter, "LONGEST_LINE", 4)
    cutter = LineCutter()
    assert cutter.feed(b"abc", 0) == []
    assert not cutter.is_full
    assert cutter.feed(b"def", 1) == []
    assert cutter.is_full
    assert [(x.data, x.eol) for x in cutter.feed(b"g\nh", 2)] == [(b"abcd", b"\n")]
    assert not cutter.is_full
    assert cutter.rest().data == b"h"


@pytest.mark.parametrize("chunks", [[], [b""], [b"a\n"]])
def test_behind_a_newline_there_is_no_rest(chunks):
    cutter = LineCutter()
    for chunk in chunks:
        cutter.feed(chunk, 0)
    assert cutter.rest() is None
