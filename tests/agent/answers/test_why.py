import os

import pytest

from mcptap.agent.answers import why as module
from mcptap.agent.tools import WHY
from mcptap.protocol.statistics.counts import tokens
from mcptap.text.units import size
from tests.agent.asking import FINE, GLUED, answer, keep
from tests.helpers import Tape, call, handshake


def test_it_names_verdict_rule_record_remedy_and_the_next_call(tmp_path):
    keep(tmp_path, "weather", GLUED)
    text = answer(tmp_path, WHY, session="weather")
    assert text.startswith("weather#1: started ")
    assert "Why: `forecast` never returned" in text
    assert "1. error stdout-glued, record 9" in text
    assert "Remedy: Remove the print, or send it to stderr." in text
    assert text.endswith("Next: mcptap_record session=weather#1 record=9")
    assert tokens(len(text.encode())) <= 400


def test_of_a_healthy_session_it_says_so(tmp_path):
    keep(tmp_path, "weather", FINE)
    text = answer(tmp_path, WHY, session="latest")
    assert "Next: mcptap_" in text
    assert "error" not in text


def test_without_a_session_it_chooses_the_worst_of_this_clients_own(tmp_path):
    own = {"parent": {"pid": os.getppid()}, "wall": 1 << 52}
    keep(tmp_path, "broken", GLUED, 1, **own)
    keep(tmp_path, "fine", FINE, 2, **own)
    keep(tmp_path, "other", GLUED, 3)
    text = answer(tmp_path, WHY)
    assert text.startswith("broken#1: ")
    assert "It is the worst of this client's own sessions; others: fine#1." in text


def test_without_sessions_of_its_own_it_takes_the_newest(tmp_path):
    keep(tmp_path, "weather", GLUED, 1)
    keep(tmp_path, "notes", FINE, 2)
    assert answer(tmp_path, WHY).startswith("notes#1: ")


def test_a_live_session_says_so_and_which_call_waits(tmp_path):
    with Tape(tmp_path / "weather.jsonl") as tape:
        tape.play([*handshake(), ("c2s", call(1, "forecast"))])
        text = answer(tmp_path, WHY, session="weather")
    assert text.startswith("weather#1: live, last record ")
    assert "`forecast`" in text


def test_what_takes_too_long_is_told_with_how_far_it_is(tmp_path, monkeypatch):
    path = keep(tmp_path, "weather", FINE)
    monkeypatch.setattr(module.Judging, "of", lambda *_: None)
    text = answer(tmp_path, WHY, session="weather")
    assert text == (
        f"weather#1: large; 0 B of {size(path.stat().st_size)} read so far, and reading goes on. Ask again.\n"
        "Next: mcptap_why session=weather#1"
    )


@pytest.mark.parametrize("count", [module.FULL + 3])
def test_many_findings_are_named_and_not_told(tmp_path, count):
    lines = [
        ("s2c", b"starting up\n"),
        ("s2c", b"\xff\n"),
        ("s2c", b"\xef\xbb\xbf{}\n"),
        ("s2c", b"[]\n"),
        ("s2c", b"7\n"),
    ]
    keep(tmp_path, "weather", [*handshake(version="1900-01-01"), *lines * count])
    text = answer(tmp_path, WHY, session="weather")
    assert f"{module.FULL}. " in text
    assert f"{module.FULL + 1}. " not in text
    assert "Also: " in text
    assert tokens(len(text.encode())) <= 900
