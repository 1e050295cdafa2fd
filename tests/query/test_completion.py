"""What could stand where the cursor is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcptap.query import FIELDS, complete, parse
from tests.query.rows import Record


def completions(text: str, **seen: list[str]) -> list[str]:
    """What the text becomes with each completion at its end."""
    return [text[: c.start] + c.text + text[c.end :] for c in complete(text, len(text), seen)]


def test_completion_offers_fields_words_and_values_seen() -> None:
    assert completions("me") == ["method:"]
    assert completions("a -st") == ["a -status:"]
    assert completions("a o") == ["a or "]
    assert [f"{name}:" for name in FIELDS] == completions("")
    assert completions("kind:re") == ["kind:request"]
    assert completions("(status:an") == ["(status:answered"]
    assert completions("dir:c2s,s") == ["dir:c2s,s2c", "dir:c2s,stderr"]
    assert completions("tool:r", tool=["write", "read_b", "read a"]) == ['tool:"read a"', "tool:read_b"]
    assert completions('text:"me') == []
    assert completions("nofield:x") == []


def test_completion_in_the_middle_leaves_what_follows() -> None:
    [first] = complete("kind:re dir:c2s", 7)
    assert (first.start, first.end, first.text) == (5, 7, "request")


@given(st.text(max_size=30), st.integers(0, 30))
def test_completion_never_fails_and_stays_in_the_text(text: str, cursor: int) -> None:
    cursor = min(cursor, len(text))
    for completion in complete(text, cursor, {"tool": ["a b"]}):
        assert 0 <= completion.start <= completion.end == cursor


@given(st.text(min_size=1, max_size=12))
def test_a_value_that_is_taken_over_is_a_filter_for_itself(value: str) -> None:
    [completed] = completions("tool:", tool=[value])
    if not set("*?") & set(value):
        assert parse(completed).matches(Record(tool=value))


def test_completion_says_what_a_word_means_and_which_values_a_field_takes() -> None:
    [field] = complete("lat", 3)
    assert field.help == FIELDS["latency"].help
    [example] = complete("latency:", 8)
    assert (example.text, example.help.startswith(FIELDS["latency"].help)) == (
        FIELDS["latency"].example,
        True,
    )
    assert complete("latency:>", 9) == []
