"""The hard questions, asked of real processes that some of them end or stop."""

import os

import pytest
import trio

from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.asking import MAX_STARTS, ask_questions
from mcptap.play.probe.probe import probe
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.probe.report.findings import findings_of
from mcptap.play.probe.verdict import Grade
from mcptap.play.server.launch import Launch
from tests.play.function_server import answering, run
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


def test_a_server_that_stops_over_every_question_is_not_started_for_ever(serve):
    greeted = {"protocolVersion": "2025-11-25", "capabilities": {}}
    answer = answering({"initialize": greeted, "ping": None})
    progress = ProbeProgress(serve(answer, timeout_s=1))
    run(ask_questions, progress, False)
    *asked, rest = progress.result.verdicts["questions"]
    assert len(progress.result.sessions) == len(asked) == MAX_STARTS
    assert {verdict.grade for verdict in asked} == {Grade.BAD}
    assert rest.words == f"the server had to be started {MAX_STARTS} times"


def test_where_no_session_can_be_opened_the_rest_is_not_asked(serve):
    progress = ProbeProgress(serve(answering({})))
    run(ask_questions, progress, True)
    assert [(s, [v.question for v in vs]) for s, vs in progress.result.verdicts.items()] == [
        ("questions (2026-07-28)", ["the rest"])
    ]


def test_a_question_is_asked_and_judged_and_the_end_behind_all_of_them_is(serve):
    greeted = {"protocolVersion": "2025-11-25", "capabilities": {}}

    def answer(message):
        if message == b"this is not JSON":
            yield {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no"}}
        yield from answering({"initialize": greeted, "ping": {}})(message)

    progress = ProbeProgress(serve(answer))
    run(ask_questions, progress, False)
    verdicts = {v.question: v.grade for v in progress.result.verdicts["questions"]}
    assert verdicts["a line that is not JSON"] is Grade.FINE
    assert verdicts["end of input after all that"] is Grade.FINE
