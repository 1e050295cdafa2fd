"""The beginning of a file: looked at, and read again from its first byte."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.format import HEAD, Beginning, Decoder
from mcptap.recording.format.header import MAGIC
from mcptap.recording.format.model import Header
from mcptap.recording.reader import State


class Slow(io.BytesIO):
    """A stream that gives a few bytes at a time, as a pipe may."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or 0, 3))


def rest(beginning: Beginning, size: int) -> bytes:
    return b"".join(iter(lambda: beginning.read(size), b""))


@given(st.binary(max_size=60), st.integers(1, 40))
def test_what_was_looked_at_is_read_again(data: bytes, size: int):
    beginning = Beginning(Slow(data))
    assert beginning.head == data
    assert rest(beginning, size) == data


def test_of_a_long_file_only_the_whole_lines_of_its_head_are_looked_at():
    data = b"a" * (HEAD - 5) + b"\nbc" + b"d" * 100 + b"\ne\n"
    beginning = Beginning(io.BytesIO(data))
    assert len(beginning.head) == HEAD
    assert [len(line) for line in beginning.lines] == [HEAD - 5]
    assert rest(beginning, 1000) == data


def test_a_last_line_without_its_end_is_a_line():
    assert Beginning(io.BytesIO(b"a\nb")).lines == [b"a", b"b"]


def test_the_header_of_a_recording_is_not_kept_waiting_for_more():
    beginning = Beginning(Slow(MAGIC + b"1" + b" " * 100))
    assert beginning.head.startswith(MAGIC)
    assert len(beginning.head) < 2 * len(MAGIC)


def test_blank_lines_and_a_byte_order_mark_are_no_part_of_the_lines():
    beginning = Beginning(io.BytesIO(b'\xef\xbb\xbf\n \n{"a":1}\r\n\nb'))
    assert beginning.lines == [b'{"a":1}\r', b"b"]
    assert beginning.first_object == {"a": 1}


@pytest.mark.parametrize("data", [b"", b"[1]\n", b"{\n"])
def test_a_first_line_that_is_no_object_is_none(data: bytes):
    assert Beginning(io.BytesIO(data)).first_object is None


def test_a_whole_file_may_be_one_object_and_can_be_read_afterwards():
    data = b'{"a":\n' + b" " * HEAD + b"[1]}"
    beginning = Beginning(io.BytesIO(data))
    assert beginning.document() == {"a": [1]}
    assert rest(beginning, 1000) == data
    assert Beginning(io.BytesIO(b"{}\n{}\n")).document() is None


def test_closing_closes_the_stream():
    stream = io.BytesIO(b"a")
    Beginning(stream).close()
    assert stream.closed


def test_a_decoder_that_says_nothing_else_knows_no_end():
    decoder = Decoder()
    decoder.header = Header({})
    assert (list(decoder.feed(b"a", 1)), list(decoder.finish()), decoder.unfinished()) == ([], [], [])
    assert decoder.state is State.UNKNOWN


def test_a_file_that_is_one_json_value_is_given_whole():
    assert Beginning(io.BytesIO(b"\xef\xbb\xbf[1,\n2]")).value() == [1, 2]
    assert Beginning(io.BytesIO(b"[1,\n2]")).document() is None
    assert Beginning(io.BytesIO(b'{"a":1}')).document() == {"a": 1}
    assert Beginning(io.BytesIO(b"[1,")).value() is None


def test_a_decoder_for_another_session_shares_the_beginning_of_the_file_and_nothing_else():
    decoder = Decoder()
    decoder._head, decoder.held = [b"a"], [1]
    again = decoder.again()
    again.held.append(2)
    assert again._head is decoder._head
    assert decoder.held == [1]
