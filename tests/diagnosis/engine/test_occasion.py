"""What a rule waits for, as text."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.diagnosis.engine.occasion import Occasion, parse


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("request", ("", "request", "")),
        (" s2c result tools/list", ("s2c", "result", "tools/list")),
        ("c2s notification notifications/*", ("c2s", "notification", "notifications/*")),
        ("request ?", ("", "request", "?")),
        ("stderr line", ("stderr", "line", "")),
        ("event exit", ("", "event", "exit")),
        ("event of a later format", ("", "event", "of a later format")),
    ],
)
def test_an_occasion_is_channel_name_and_subject(text: str, wanted: tuple[str, str, str]):
    assert parse(text) == Occasion(*wanted)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no occasion ''"),
        ("s2c", "there is no occasion ''"),
        ("tools/list", "there is no occasion 'tools/list'"),
        ("request tools/lisst", "request knows no 'tools/lisst'"),
        ("request nothing/*", "request knows no 'nothing/\\*'"),
        ("state now", "state knows no 'now'"),
        ("flaw terrible", "flaw knows no 'terrible'"),
        ("frame request", "frame knows no 'request'"),
    ],
)
def test_what_never_comes_cannot_be_waited_for(text: str, words: str):
    with pytest.raises(ValueError, match=words):
        parse(text)


@pytest.mark.parametrize(
    ("occasion", "fits", "fits_not"),
    [
        ("request", ("c2s", "request", "ping"), ("c2s", "result", "ping")),
        ("s2c request", ("s2c", "request", "ping"), ("c2s", "request", "ping")),
        ("result tools/list", ("s2c", "result", "tools/list"), ("s2c", "result", "tools/lists")),
        ("result tools/*", ("s2c", "result", "tools/list"), ("s2c", "result", "prompts/list")),
        ("request ?", ("c2s", "request", "?"), ("c2s", "request", "ping")),
    ],
)
def test_an_occasion_fits_what_it_names_and_whatever_it_leaves_open(occasion, fits, fits_not):
    assert parse(occasion).fits(*fits)
    assert not parse(occasion).fits(*fits_not)


@given(st.text(max_size=20))
def test_any_text_is_an_occasion_or_a_value_error(text: str):
    with suppress(ValueError):
        assert parse(text).name in text
