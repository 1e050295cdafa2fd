"""The verdict "JSON or not", which chooses the form of a line but never its bytes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mcptap.recording.format import content
from mcptap.recording.format.content import NOT_JSON, Codec, from_base64, parse_strictly, quote_or_base64
from tests.recording.format.json_reference import is_json

values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
"""Any JSON value."""

ODD = [
    b"", b" ", b"\t", b"\r", b"\x0b", b"\x0c", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\0",
    b"\x1f", b"\x7f", b"{", b"}", b"[", b"]", b",", b":", b'"', b"'", b"\\", b"/", b"\\u", b"\\ud800",
    b"\\x", b"\\\n", b"-", b"+", b".", b"0", b"1", b"00", b"1.", b".5", b"1e", b"1e5", b"1e999", b"-0",
    b"9" * 25, b"NaN", b"Infinity", b"-Infinity", b"null", b"true", b"True", b"nul", b"undefined", b"\xff",
    b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"//", b"/**/",
]  # fmt: skip


@st.composite
def nearly_json(draw: st.DrawFn) -> bytes:
    """JSON, JSON with an odd piece somewhere, or odd pieces alone."""
    text = bytearray(json.dumps(draw(values), ensure_ascii=draw(st.booleans())).encode(errors="replace"))
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(text)))
        text[at : at + draw(st.integers(0, 2))] = draw(st.sampled_from(ODD))
    return bytes(
        draw(st.sampled_from([b"", b" ", b"\r"])) + text + draw(st.sampled_from([b"", b" ", b"\t\r"]))
    )


def codec(fast: bool) -> Codec:
    one = Codec()
    if fast:
        one.use_orjson()
    return one


CODECS = [codec(False), codec(True)]


@given(nearly_json() | st.lists(st.sampled_from(ODD), max_size=6).map(b"".join) | st.binary(max_size=20))
def test_the_verdict_is_that_of_the_rfc_with_either_parser(data: bytes) -> None:
    expected = is_json(data)
    assert [one.parse(data) is not NOT_JSON for one in CODECS] == [expected, expected]


@pytest.mark.parametrize("data", ODD, ids=repr)
def test_the_verdict_on_each_odd_piece_alone_and_in_place(data: bytes) -> None:
    for text in (data, b'"' + data + b'"', b"[" + data + b"]", b'{"a":' + data + b"}", b"1" + data):
        expected = is_json(text)
        assert [one.parse(text) is not NOT_JSON for one in CODECS] == [expected, expected], text


@given(values)
def test_either_parser_gives_the_value(value: Any) -> None:
    data = json.dumps(value, ensure_ascii=True).encode()
    strict = parse_strictly(data)
    assert strict == json.loads(data)


@pytest.mark.parametrize("depth", [10, 900, 1022, 1023, 1024, 1025, 5000, 100_000])
@pytest.mark.parametrize("fast", [False, True])
def test_great_depth_is_no_exception(depth: int, fast: bool) -> None:
    parse = codec(fast).parse
    data = b"[" * depth + b"]" * depth
    for text in (data, b'{"a":' * depth + b"1" + b"}" * depth, data[:-1]):
        assert (parse(text) is not NOT_JSON) <= is_json_of_depth(text)
    if depth == 10:
        assert parse(data) is not NOT_JSON


def is_json_of_depth(text: bytes) -> bool:
    return text.count(b"[") == text.count(b"]")


@pytest.mark.parametrize("digits", [1, 100, 4300])
def test_long_integers_are_json(digits: int) -> None:
    assert [one.parse(b"7" * digits) is not NOT_JSON for one in CODECS] == [True, True]


# Lines that are no JSON alone, but might fit in with their neighbours.
PIECES = [
    b"1", b"[1", b"2]", b"[", b"]", b",", b"", b" ", b"1,2", b'"a', b'b"', b'"', b'"a\\', b'","',
    b'{"a":1', b'"b":2}', b"{", b"}", b'{"a":', b"1}", b"null", b"[]", b'{"jsonrpc":"2.0"}', b'"a","b"',
    b"1]", b"[1,", b"],[", b"1],[1", b"\\", b"NaN", b" 1 ", b"\xff", b"\xc3", b"\xa4", b"log line",
    b"\xef\xbb\xbf1", b'"\\ud800"', b"1e999", b"[" * 300 + b"]" * 300,
]  # fmt: skip


MANY = 8


def in_one_go(codec: Codec, lines: list[bytes]) -> list[object] | None:
    """What `parse_all` says of lines, however few bytes they are."""
    with mock.patch.object(content, "MANY_BYTES", 0):
        return codec.parse_all(b"\n".join(lines))


@given(st.lists(st.sampled_from(PIECES) | nearly_json().map(lambda d: d.replace(b"\n", b"")), max_size=24))
@example([b"[1", b"2]"] * MANY)
@example([b'"a', b'b"'] * MANY)
@example([b"1"] * MANY)
@example([b"[1", b"2]", b"1,2,3", *[b"1"] * MANY])
@example([b"1,2", *[b"1"] * MANY])
@example([b"1"] * MANY + [b""])
def test_many_lines_in_one_go_are_judged_as_each_alone(lines: list[bytes]) -> None:
    one = codec(True)
    values = in_one_go(one, lines)
    if values is None:
        return
    assert all(is_json(line) for line in lines)
    assert values == [one.parse(line) for line in lines]


def test_many_good_lines_are_parsed_in_one_go() -> None:
    """What the others compare is not always None."""
    assert in_one_go(codec(True), [b"%d" % n for n in range(MANY)]) == list(range(MANY))


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8))
def test_a_miss_does_not_change_later_verdicts(lines: list[bytes]) -> None:
    one = codec(True)
    for _ in range(4):
        for batch in (lines, [b"1"] * MANY):
            values = in_one_go(one, batch)
            assert values is None or values == [one.parse(line) for line in batch]


@given(st.binary(max_size=60))
def test_any_bytes_come_back_from_a_field_of_the_header(data: bytes) -> None:
    value = json.loads(quote_or_base64(data))
    assert (from_base64(value["b64"]) if isinstance(value, dict) else value.encode()) == data


@given(st.text(max_size=40))
def test_both_codecs_quote_to_valid_json(text: str) -> None:
    for one in CODECS:
        assert json.loads(one.quote(text)) == text


def test_a_line_that_is_no_json_is_told_so_where_nobody_imported_the_json_module():
    program = (
        "import sys; from mcptap.recording.format.content import NOT_JSON, parse_strictly as parse; "
        "lines = [b'{', b'{\"a\" 1}', b'\"open', b'{\"a\":1,}', b'[1,', b'text'];"
        "assert 'json' not in sys.modules; assert all(parse(line) is NOT_JSON for line in lines)"
    )
    subprocess.run([sys.executable, "-S", "-c", program], check=True, cwd=Path(__file__).parents[3])
