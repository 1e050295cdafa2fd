"""Texts with places for values."""

import pytest

from mcptap.diagnosis.engine.template import Template


def test_a_value_stands_at_its_place_and_an_absent_optional_one_leaves_nothing():
    text = Template("{method} (record {n}) failed{why?}")
    assert text.fill({"method": "ping", "n": 4, "why": ": badly"}) == "ping (record 4) failed: badly"
    assert text.fill({"method": "ping", "n": 4}) == "ping (record 4) failed"


def test_a_forgotten_value_ends_nothing():
    assert Template("The call of {tool} failed").fill({}) == "The call of (unknown) failed"


def test_a_value_with_braces_stays_as_it_is():
    assert Template("It says {shown}").fill({"shown": "{n} {"}) == "It says {n} {"


def test_a_sentence_has_its_capital_only_at_its_beginning():
    assert Template("The reply failed").fill({}, within=True) == "the reply failed"
    assert Template("{What} failed").fill({"what": "the reply"}) == "The reply failed"
    assert Template("{What} failed").fill({"what": "the reply"}, within=True) == "the reply failed"
    assert Template("{uri} failed").fill({"uri": "File:a"}, within=True) == "File:a failed"


def test_a_list_shows_the_names_of_values_and_leaves_optional_ones_out():
    assert Template("{What} of {tool} failed{why?}").shown() == "<what> of <tool> failed"


def test_an_empty_text_stays_empty():
    assert Template("").fill({}) == Template("").shown() == ""


@pytest.mark.parametrize("text", ["{", "}", "{}", "{a!r}", "{a:3}", "{a.b}", "{a b}"])
def test_a_place_that_cannot_be_understood_is_an_error(text):
    with pytest.raises(ValueError, match=r".+"):
        Template(text)
