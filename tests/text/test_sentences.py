import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.text.sentences import balanced, capital, fitted, snippet, telling_line, word_count

LONG = 'The server ended (status 1) before its answer: "no such file (or folder)"; the agent says failed.'


@pytest.mark.parametrize(
    ("most", "cut"),
    [
        (30, LONG),
        (
            16,
            'The server ended (status 1) before its answer: "no such file"; the agent says failed.',
        ),
        (14, 'The server ended before its answer: "no such file"; the agent says failed.'),
        (11, 'The server ended before its answer: "no such file".'),
        (8, "The server ended before its answer."),
        (4, "The server ended before…"),
    ],
)
def test_a_sentence_loses_its_asides_then_its_last_clauses_then_its_last_words(most: int, cut: str) -> None:
    assert fitted(LONG, most) == cut


@pytest.mark.parametrize("sentence", ["Why?", "Stop!", "It goes on…"])
def test_a_sentence_keeps_its_own_end(sentence: str) -> None:
    assert fitted(sentence, 5) == sentence


words = st.lists(
    st.sampled_from(["a", "(b", "c)", '"d', 'e"', "f;", "g,", "h:", "[i]", "(j)", '"k"', "l."]), min_size=1
).map(" ".join)


@given(words, st.integers(1, 12))
def test_a_sentence_keeps_to_its_words_and_ends(text: str, most: int) -> None:
    sentence = fitted(text, most)
    assert word_count(sentence) <= most
    assert re.search(r"[.?!…]\"?$", sentence)
    if balanced(text) == text:
        assert balanced(sentence) == sentence
    if text.count('"') % 2 == 0:
        assert sentence.count('"') % 2 == 0


@given(st.text(), st.integers(1, 12), st.integers(5, 80))
def test_a_snippet_is_short_and_closes_what_it_opens(text: str, words: int, characters: int) -> None:
    shown = snippet(text, words, characters)
    assert '"' not in shown
    assert balanced(shown) == shown
    assert word_count(shown) <= words
    assert len(shown) <= characters + 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('it said "no"', "it said 'no'"),
        ("ready in (3", "ready in 3"),
        ("one two three four", "one two three…"),
        ("\x1b[2m12:00\x1b[0m ready", "12:00 ready"),
        ("␛[33mWARN␛[0m cold", "WARN cold"),
        ("done.", "done"),
        ("x" * 30, "x" * 20 + "…"),
        ("", ""),
    ],
)
def test_a_snippet_can_stand_between_quotation_marks(text: str, shown: str) -> None:
    assert snippet(text, 3, 20) == shown


@pytest.mark.parametrize(
    ("text", "line"),
    [("", ""), ("====\n  Weather 1.0\n====", "  Weather 1.0"), ("one\ntwo", "one")],
)
def test_the_telling_line_has_most_letters(text: str, line: str) -> None:
    assert telling_line(text) == line


def test_a_capital_stands_at_the_beginning_only():
    assert capital("the Python SDK") == "The Python SDK"
    assert capital("") == ""
    assert capital("tools/list (record 6) was late") == "tools/list (record 6) was late"
