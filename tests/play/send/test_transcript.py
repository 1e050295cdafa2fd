import json

from hypothesis import given
from hypothesis import strategies as st

from mcptap.play.send import transcript
from mcptap.play.server.stop import Exit
from mcptap.text.escape import visible
from tests.jsontext.values import DEEP


def test_a_line_stands_as_it_was_on_the_wire():
    raw = b'{"result":{"text":"[\\u0022F\\u0022]"},"id":3,  "jsonrpc":"2.0"}'
    assert transcript.received(raw, b"\n", None) == "<-- " + raw.decode()
    assert transcript.sent(raw + b"\n", None) == "--> " + raw.decode()


def test_a_stray_line_stands_as_what_it_is():
    shown = transcript.received(b"Spelling F major", b"\n", None)
    assert shown.splitlines() == ["<-- Spelling F major", transcript.POLLUTION]
    assert transcript.received(b"", b"\n", None) == "<-- "
    assert transcript.received(b'[{"jsonrpc":"2.0","id":1,"result":{}}]', b"\n", None).count("\n") == 0


def test_what_could_drive_a_terminal_is_escaped():
    shown = transcript.received(b"\xef\xbb\xbf\x1b[31mred\xff\x00", b"\r\n", None)
    assert shown.splitlines()[0] == "<-- <U+FEFF>␛[31mred\\xff␀␍"


def test_a_line_without_newline_is_told():
    assert transcript.received(b"half", b"", None).splitlines() == [
        "<-- half",
        transcript.UNENDED,
        transcript.POLLUTION,
    ]
    assert transcript.sent(b"half", None).splitlines() == ["--> half", transcript.UNENDED]


def test_long_values_are_cut_and_the_shape_stays():
    line = json.dumps({"id": 1, "tools": [{"name": "a" * 20}, {"name": "b" * 80}]}, separators=(",", ":"))
    assert transcript.shorten(line, 10) == '{"id":1,"tools":[{"name":"aaaaaaaaaa…"},…]}'


def test_of_arrays_within_arrays_the_first_items_stay():
    line = json.dumps([[["x" * 30, 2], 3, [5, "y" * 30]], 4, ["z" * 30]], separators=(",", ":"))
    assert transcript.shorten(line, 5) == '[[["xxxxx…",…],…],…]'


def test_a_line_is_cut_however_deep_it_nests():
    line = "[" * DEEP + "]" * DEEP
    assert transcript.shorten(line, 5) == line


def test_a_cut_never_splits_an_escape():
    line = json.dumps({"text": 'ab"\\\U0001f600' * 10})
    assert transcript.shorten(line, 5) == '{"text": "ab\\"\\\\\\ud83d…"}'


@given(st.text(), st.integers(1, 50))
def test_a_cut_text_is_never_longer_by_more_than_its_marks(text, limit):
    line = json.dumps([text, [text]])
    assert len(transcript.shorten(line, limit)) <= len(line) + 4


@given(st.binary())
def test_any_bytes_give_lines_that_drive_no_terminal(data):
    for line in transcript.received(data.replace(b"\n", b""), b"\n", None).split("\n"):
        assert visible(line) == line


def test_the_end_is_an_exit_code_as_a_shell_has_it():
    assert transcript.ended(Exit(0, None)) == "exit code: 0"
    assert transcript.ended(Exit(None, "SIGTERM")) == "exit code: 143 (SIGTERM)"
