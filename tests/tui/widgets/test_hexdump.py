from hypothesis import given
from hypothesis import strategies as st

from mcptap.tui.widgets.hexdump import bytes_in_row, dump_line, remarks


def text_of(data, row=0, each=16):
    return "".join(text for text, _ in dump_line(data, row, each).pieces)


def test_bytes_stand_beside_their_characters():
    assert text_of(b"Hello") == "00000000  48 65 6c 6c 6f " + " " * 35 + "Hello"


def test_what_breaks_a_protocol_unseen_can_be_seen():
    line = dump_line(b"\xef\xbb\xbf\x00\r\x1b", 0, 16)
    roles = {role for text, role in line.pieces if text.strip()}
    assert {"pollution", "problem"} <= roles
    assert text_of(b"\x00\r\x1b").endswith("␀␍␛")


def test_remarks_name_marks_and_controls_with_their_places():
    assert remarks(b"\xef\xbb\xbf{}\r") == ["begins with a UTF-8 byte order mark", "CR ×1, first at 5"]
    assert "not UTF-8 at byte 0" in remarks(b"\xff\xfea\x00")
    assert remarks(b'{"a":1}\n') == []


@given(st.binary(max_size=200), st.sampled_from([4, 8, 16, 24, 32]))
def test_all_lines_of_a_dump_hold_all_bytes(data, each):
    digits = ""
    for row in range(-(-len(data) // each)):
        digits += text_of(data, row, each)[10 : 10 + each * 3 + each // 8].replace(" ", "")[: 2 * each]
    assert digits[: 2 * len(data)] == data.hex()


def test_wide_terminals_get_longer_lines():
    assert [bytes_in_row(columns) for columns in (40, 60, 80, 120, 200)] == [4, 8, 16, 24, 32]
