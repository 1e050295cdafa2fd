"""What fits a placeholder."""

import pytest

from mcptap.play.compare.placeholders import match, placeholder
from mcptap.play.compare.volatile import KINDS

PARTS = {
    "times": "2026-12-01T10:24:51Z",
    "dates": "2026-12-01",
    "durations": "12 ms",
    "uuids": "6f1c2d3e-0000-4abc-8def-001122334455",
    "ids": "deadbeef01",
    "temp": "tmpa1b2",
    "ports": "49152",
    "pids": "4711",
    "numbers": "-1.5",
}


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_has_a_placeholder_that_its_parts_fit_and_other_text_does_not(name):
    expected = f"before {placeholder(KINDS[name])} after"
    assert match(expected, f"before {PARTS[name]} after")
    assert not match(expected, "before / after")
    assert not match(expected, f"before {PARTS[name]} then")


def test_a_number_fits_the_placeholder_that_stands_in_its_place():
    assert match("‹pid›", 4711)
    assert match("‹time›", 1796121891.5)
    assert not match("‹pid›", "nobody")


def test_masked_secrets_states_and_any_text_fit_whatever_stands_there():
    assert match("Bearer ‹masked:0af7f0›", "Bearer abc")
    assert match("‹state›", "x\ny")
    assert match("a‹any›", "a")
    assert not match("‹state›", "")


def test_a_text_without_a_placeholder_is_no_pattern():
    assert not match("a.c", "abc")
    assert not match("‹no such›", "‹no such›")
    assert not match(3, 3)
