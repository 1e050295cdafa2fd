"""Lines and their terminators: no byte is lost or added."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, cut_lines, other_side, split_terminator

STREAMS = st.lists(st.sampled_from([b"\n", b"\r", b"\r\n", b"a", b"", b"\x00"])).map(b"".join)


@given(STREAMS)
def test_the_lines_of_a_stream_are_its_bytes_each_with_one_lf_at_its_end(data: bytes):
    lines = cut_lines(data)
    assert b"".join(lines) == data
    assert all(line.endswith(b"\n") for line in lines[:-1])
    assert all(line.count(b"\n") == line.endswith(b"\n") for line in lines)
    assert b"" not in lines


@given(STREAMS)
def test_content_and_terminator_are_the_line_again(data: bytes):
    for line in cut_lines(data):
        content, terminator = split_terminator(line)
        assert content + terminator == line
        assert terminator in (b"\n", b"\r\n", b"")
        assert (terminator == b"") == (not line.endswith(b"\n"))


@pytest.mark.parametrize(
    ("line", "split"),
    [
        (b"a\n", (b"a", b"\n")),
        (b"a\r\n", (b"a", b"\r\n")),
        (b"a\r\r\n", (b"a\r", b"\r\n")),
        (b"a\r", (b"a\r", b"")),
        (b"\r\n", (b"", b"\r\n")),
        (b"", (b"", b"")),
    ],
)
def test_only_one_cr_before_lf_belongs_to_the_terminator(line: bytes, split: tuple[bytes, bytes]):
    assert split_terminator(line) == split


def test_the_answers_come_from_the_other_side():
    assert other_side(CLIENT_TO_SERVER) == SERVER_TO_CLIENT
    assert other_side(SERVER_TO_CLIENT) == CLIENT_TO_SERVER
