"""Lines and parts: what an encoder is told is what the reader gives."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcptap.recording.format import lines
from mcptap.recording.format.content import Codec
from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.lines import Line, Part

CODEC = Codec()
STAMP = (17, 1_795_987_023_103_145)
json_texts = st.sampled_from([b"{}", b'{"%d":"%b"}', b" [1] ", b"1.00", b'"%%"']) | st.integers().map(
    b"%d".__mod__
)
contents = st.binary(max_size=12) | st.sampled_from([b"{}", b'{"%d":"%b"}', b" [1] ", b'"msg":', b"1.00"])


@given(data=contents, first=st.none() | st.integers(0, 17), eol=st.sampled_from(["\n", "\r\n", ""]))
def test_a_line_is_read_as_it_was_written(data: bytes, first: int | None, eol: str) -> None:
    spelled = {"\n": b"", "\r\n": lines.EOL % lines.CRLF, "": lines.EOL % lines.NONE}
    optional = (b"" if first is None else lines.FIRST_TIME % first) + spelled[eol]
    value = CODEC.parse(data)
    record = decode_record(lines.encode_line(3, STAMP, b"s2c", optional, CODEC.field(data, value)), 3)
    first_us = 17 if first is None else first
    assert record == Line(3, "s2c", data, eol.encode(), 17, first_us, STAMP[1])
    assert isinstance(record, Line)
    assert record.value == value
    assert record.raw == data + eol.encode()


@given(data=contents, offset=st.integers(0, 1 << 40))
def test_a_part_and_the_end_of_its_line_are_read_as_they_were_written(data: bytes, offset: int) -> None:
    content = CODEC.plain_field(data)
    assert decode_record(lines.encode_part(3, STAMP, b"c2s", offset, content), 3) == Part(
        3, "c2s", offset, data, *STAMP
    )
    record = decode_record(lines.encode_line(3, STAMP, b"c2s", lines.FROM % offset, content), 3)
    assert isinstance(record, Line)
    assert (record.data, record.offset) == (data, offset)


@given(st.lists(json_texts, min_size=1, max_size=5))
def test_messages_in_one_go_are_those_one_by_one(data: list[bytes]) -> None:
    template = lines.message_template("stderr")
    together = lines.encode_messages(9, STAMP, template, b"\n".join(data), len(data))
    one_by_one = [lines.encode_message(9 + k, STAMP, template, each) for k, each in enumerate(data)]
    mixed = lines.encode_lines(9, STAMP, b"stderr", [(b"", lines.MSG + each) for each in data])
    assert together == b"".join(one_by_one) == mixed


def test_lines_are_compared_by_what_was_recorded() -> None:
    one, other = (Line(3, "s2c", b"1", b"\n", 1, 1, 1) for _ in range(2))
    assert one.value == 1  # which the other was not asked for yet
    assert one == other
    assert one != Line(3, "s2c", b"1", b"\r\n", 1, 1, 1)
    assert "data=b'1'" in repr(one)
