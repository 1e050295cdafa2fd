"""The hard questions, asked of real processes that some of them end or stop."""

import os

import pytest
import trio

from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.findings import findings_of
from mcptap.play.probe.probe import probe
from mcptap.play.probe.verdict import Grade
from mcptap.play.server.launch import Launch
from tests.play.probing import SMALL, grades, probed


def test_a_server_that_a_question_ends_is_asked_the_rest_in_a_fresh_process(tmp_path):
    result = probed([*SMALL, "dies-of-noise"], tmp_path)
    assert grades(result)["a line that is not JSON"] is Grade.BAD
    assert grades(result)["an unknown tool"] is Grade.DIFFERS
    assert "end of input after all that" in grades(result)
    # The verdict says it; the findings do not say it again.
    assert [f.finding.rule for f in findings_of(result.sessions) if f.counts] == []


def test_a_server_that_hangs_over_a_question_is_asked_the_rest_in_a_fresh_process(tmp_path):
    settings = ConnectionSettings(
        Launch([*SMALL, "hangs-over-noise"]), 0.5, 20, record=f"{tmp_path}{os.sep}", tell=pytest.fail
    )
    result = trio.run(probe, settings)
    verdicts = {v.question: v for v in result.verdicts["questions"]}
    assert verdicts["a line that is not JSON"].words == "after it, the server answers nothing any more"
    assert verdicts["an unknown method"].grade is Grade.FINE
    assert [f.finding.rule for f in findings_of(result.sessions) if f.counts] == []


def test_an_answer_to_a_notification_is_bad_whoever_asked(tmp_path):
    result = probed([*SMALL, "answers-notifications"], tmp_path)
    assert grades(result)["a notification"] is Grade.BAD
    assert grades(result)["an unknown notification"] is Grade.BAD
