"""Judging in a process of its own."""

from __future__ import annotations

import os

from mcptap.captures import summary as summaries
from mcptap.tui.recordings.judging import Judging, judge
from tests.helpers import END, call, handshake, record, text_result


def test_the_process_judges_one_recording_after_the_other_until_it_is_closed(tmp_path):
    good = os.fspath(record(tmp_path / "good.jsonl", [*handshake(), *END]))
    bad = os.fspath(record(tmp_path / "bad.jsonl", [*handshake(), ("s2c", b"noise\n"), *END]))
    (tmp_path / "none.jsonl").write_text("nothing\n")
    judging = Judging()
    try:
        assert judging(good, False).outcome == "healthy"
        assert judging(os.fspath(tmp_path / "none.jsonl"), False) is None
        assert judging(bad, False).problems["error"] == 1
    finally:
        judging.close()
    assert judging(good, False) is None


def test_a_judge_that_was_closed_before_it_was_asked_starts_nothing(tmp_path):
    judging = Judging()
    judging.close()
    assert judging(os.fspath(tmp_path / "x.jsonl"), False) is None


def test_a_large_recording_is_judged_and_its_messages_are_counted(tmp_path, monkeypatch):
    steps = [*handshake()]
    for number in range(1, 40):
        steps += [("c2s", call(number, "a")), ("s2c", text_result(number, "x" * 100))]
    path = os.fspath(record(tmp_path / "large.jsonl", [*steps, *END]))
    exact = judge(path, False)
    monkeypatch.setattr(summaries, "WHOLE_BYTES", 2000)
    monkeypatch.setattr(summaries, "PROBE_BYTES", 1000)
    large = judge(path, False)
    assert not summaries.summarise(path).is_exact
    assert (large.is_exact, large.messages, large.outcome) == (True, exact.messages, "healthy")


def test_secrets_in_a_verdict_are_masked(tmp_path):
    secret = "ghp_" + "a1B2" * 9
    path = record(tmp_path / "x.jsonl", [*handshake(), ("s2c", f"{secret} is the key\n".encode()), *END])
    verdict = judge(os.fspath(path), False).verdict
    assert "printed" in verdict
    assert secret not in verdict
