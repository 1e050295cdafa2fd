"""Two texts, word by word."""

from hypothesis import given
from hypothesis import strategies as st

from mcptap.text.word_diff import MOST_WORDS, word_diff


def test_what_differs_is_marked_with_a_few_words_around_it():
    long = "one two three four five six seven"
    assert word_diff("Echoes back.", "Echoes aloud.") == "Echoes [-back-]{+aloud+}."
    assert word_diff(f"{long} a {long}", f"{long} b {long}") == (
        "… three four five six seven [-a-]{+b+} one two three four five …"
    )
    assert word_diff("", "new") == "{+new+}"


def test_long_texts_are_told_by_where_they_part():
    before = "w " * MOST_WORDS
    assert "{+x+}" in word_diff(before + "end", before + "x end").replace(" ", "")


@given(st.text(alphabet="ab .", max_size=30), st.text(alphabet="ab .", max_size=30))
def test_equal_texts_have_no_marks_and_others_have(old: str, new: str):
    marked = word_diff(old, new)
    assert ("[-" in marked or "{+" in marked) is (old != new)
