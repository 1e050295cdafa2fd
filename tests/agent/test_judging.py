import threading

import pytest

from mcptap.agent import judging
from mcptap.agent.judging import Judging
from mcptap.agent.pace import Pace, StoppedError
from mcptap.recording.format.model import RecordingError
from tests.agent.asking import FINE, GLUED, keep
from tests.helpers import Tape


def test_a_verdict_is_kept_until_the_recording_changes(tmp_path):
    path = str(keep(tmp_path, "weather", GLUED))
    it = Judging()
    first = it.of(path, Pace())
    assert first.findings[0].rule == "stdout-glued"
    assert it.of(path, Pace()) is first
    with open(path, "a") as file:
        file.write("damaged\n")
    assert it.of(path, Pace()) is not first


def test_a_live_session_is_judged_anew_each_time(tmp_path):
    it = Judging()
    with Tape(tmp_path / "a.jsonl") as tape:
        tape.play(FINE[:4])
        assert it.of(tape.path, Pace()) is not it.of(tape.path, Pace())


def test_when_the_time_is_over_reading_goes_on_for_who_asks_again(tmp_path, monkeypatch):
    path = str(keep(tmp_path, "weather", FINE))
    it = Judging()
    monkeypatch.setattr(judging, "_POLL_S", 0)
    got = it.of(path, Pace(limit_s=-1))
    assert got is None or got.outcome
    assert it.of(path, Pace()) is not None


def test_what_is_no_recording_is_said(tmp_path):
    (tmp_path / "x.jsonl").write_text("no recording\n")
    with pytest.raises(RecordingError):
        Judging().of(str(tmp_path / "x.jsonl"), Pace())
    with pytest.raises(RecordingError, match="gone"):
        Judging().of(str(tmp_path / "y.jsonl"), Pace())


def test_who_no_longer_wants_it_does_not_wait(tmp_path, monkeypatch):
    path = str(keep(tmp_path, "weather", FINE))
    monkeypatch.setattr(judging, "_POLL_S", 0)
    pace = Pace()
    pace.stop()
    monkeypatch.setattr(judging, "check_file", lambda *_, **__: threading.Event().wait(1))
    with pytest.raises(StoppedError):
        Judging().of(path, pace)
