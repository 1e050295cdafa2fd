import pytest

from mcptap.agent.answers import compare as module
from mcptap.agent.arguments import ToolError
from mcptap.agent.tools import COMPARE
from tests.agent.asking import FINE, GLUED, answer, keep


def test_it_says_what_changed_and_that_findings_came(tmp_path):
    keep(tmp_path, "weather", FINE, 1)
    keep(tmp_path, "weather", GLUED, 2)
    text = answer(tmp_path, COMPARE, before="weather#1", after="weather#2")
    assert text.startswith("weather#1 and weather#2 are different.\n")
    assert "+ error stdout-glued" in text


def test_equal_sessions_are_the_same(tmp_path):
    for at in (1, 2):
        keep(tmp_path, "weather", FINE, at)
    assert answer(tmp_path, COMPARE, before="weather#1", after="weather").startswith(
        "weather#1 and weather#2 are the same."
    )


def test_it_goes_by_pages(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_CHARS", 200)
    keep(tmp_path, "weather", FINE, 1)
    keep(tmp_path, "weather", GLUED, 2)
    text = answer(tmp_path, COMPARE, before="weather#1", after="weather#2")
    cursor = text.rpartition("cursor=")[2]
    assert "Next: mcptap_compare before=weather#1 after=weather#2 cursor=" in text
    assert answer(tmp_path, COMPARE, before="weather#1", after="weather#2", cursor=cursor)


def test_what_is_too_large_to_hold_is_left_to_the_user(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 100)
    keep(tmp_path, "weather", FINE)
    with pytest.raises(ToolError, match="the user can run mcptap diff"):
        answer(tmp_path, COMPARE, before="weather", after="weather")
