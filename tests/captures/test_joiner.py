"""JSON that was printed over several lines comes together again; other lines stay as they are."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.joiner import Joiner


def joined(*lines: bytes) -> list[tuple[int, bytes]]:
    joiner = Joiner()
    found = [pair for number, line in enumerate(lines, 1) for pair in joiner.feed(line, number)]
    return found + list(joiner.finish())


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
).filter(lambda value: isinstance(value, (dict, list)))


@given(JSON)
def test_pretty_printed_json_is_one_text_at_its_first_line(value: object):
    lines = json.dumps(value, indent=2).encode().split(b"\n")
    found = joined(b"before", *lines, b"behind")
    assert [number for number, _ in found] == [1, 2, len(lines) + 2]
    assert json.loads(found[1][1]) == value


@given(
    st.lists(st.sampled_from([b"{", b"}", b"[", b"]", b'{"a":', b'"{"', b"1", b"text {", b""]), max_size=12)
)
def test_no_line_is_lost_or_changes_its_place(lines: list[bytes]):
    found = joined(*lines)
    assert b"\n".join(text for _, text in found).split(b"\n") == (lines or [b""])
    numbers = [number for number, _ in found]
    assert numbers == sorted(set(numbers))
    assert all(lines[number - 1] == text.split(b"\n")[0] for number, text in found)


@pytest.mark.parametrize("line", [b'{"a":1}', b"text", b"", b'{"a":"{"}'])
def test_a_line_that_is_whole_is_given_at_once(line: bytes):
    joiner = Joiner()
    assert list(joiner.feed(line, 4)) == [(4, line)]
    assert not joiner.holding


def test_a_line_that_opens_something_is_held_until_it_is_closed():
    joiner = Joiner()
    assert list(joiner.feed(b"{", 4)) == []
    assert joiner.holding
    assert list(joiner.feed(b"}", 5)) == [(4, b"{\n}")]
    assert not joiner.holding


def test_what_never_becomes_json_is_given_line_by_line():
    assert joined(b"loading {", b"done }", b"next") == [(1, b"loading {"), (2, b"done }"), (3, b"next")]


@pytest.mark.parametrize(("bound", "value"), [("MAX_LINES", 3), ("MAX_BYTES", 5)])
def test_no_more_is_held_than_the_bounds_allow(monkeypatch: pytest.MonkeyPatch, bound: str, value: int):
    monkeypatch.setattr(Joiner, bound, value)
    joiner = Joiner()
    given = [pair for number in (1, 2, 3) for pair in joiner.feed(b"{", number)]
    assert given == [(1, b"{"), (2, b"{"), (3, b"{")]
    assert not joiner.holding
