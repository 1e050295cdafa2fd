"""The judgement on what came back, for questions made for it."""

import pytest

from mcptap.play.probe.verdict import Grade, Question, judge
from mcptap.protocol.model.message import Message, classify
from mcptap.recording.format.model import Line
from tests.helpers import as_bytes
from tests.play.sessions import result

WITH_ID = Question(
    "x", b"", "k", frozenset({-32602}), Grade.DIFFERS, Grade.BAD, Grade.FINE, Grade.BAD, "error -32602"
)
WITHOUT_ID = Question("x", b"", right_codes=frozenset({-32700}), silence=Grade.FINE)


def heard(content) -> Message:
    return classify(Line(1, "s2c", as_bytes(content).removesuffix(b"\n"), b"\n", 0, 0, 0))


def error(code, message="no", key="k") -> Message:
    return heard({"jsonrpc": "2.0", "id": key, "error": {"code": code, "message": message}})


@pytest.mark.parametrize(
    ("response", "grade", "words"),
    [
        (error(-32602), Grade.FINE, "error -32602, no"),
        (error(-1), Grade.DIFFERS, "error -1, no (expected: error -32602)"),
        (heard(result("k")), Grade.BAD, "a result (expected: error -32602)"),
        (heard(result("k", isError="yes")), Grade.BAD, "a result (expected: error -32602)"),
        (
            heard(result("k", isError=True, content=[{"type": "text", "text": "no\nsuch"}])),
            Grade.FINE,
            "a result with isError: no such",
        ),
        (heard(result("k", isError=True, content=[None])), Grade.FINE, "a result with isError"),
        (None, Grade.BAD, "no answer (expected: error -32602)"),
    ],
)
def test_each_kind_of_answer_has_its_grade_and_what_was_expected_is_said(response, grade, words):
    verdict = judge(WITH_ID, response, [], gone=False)
    assert (verdict.question, verdict.grade, verdict.words) == ("x", grade, words)


@pytest.mark.parametrize(
    ("others", "grade"),
    [
        ([], Grade.FINE),
        ([error(-32700, key=None)], Grade.FINE),
        ([error(-32603, key=None)], Grade.DIFFERS),
        ([heard([result(1)])], Grade.BAD),
        ([heard({"jsonrpc": "2.0", "method": "notifications/message"})], Grade.FINE),
    ],
)
def test_where_no_answer_is_asked_for_what_came_is_taken_for_it(others, grade):
    assert judge(WITHOUT_ID, None, others, gone=False).grade is grade


def test_what_came_besides_is_no_answer_to_a_question_with_an_id():
    assert judge(WITH_ID, None, [error(-32602, key=None)], gone=False).words.startswith("no answer")


@pytest.mark.parametrize("question", [WITH_ID, WITHOUT_ID])
def test_a_server_that_ends_over_a_question_has_failed_it(question):
    verdict = judge(question, None, [], gone=True)
    assert verdict.grade is Grade.BAD
    assert verdict.words.startswith("the server ended")


def test_text_on_stdout_is_bad_beside_the_best_answer_and_shown_short():
    verdict = judge(WITH_ID, error(-32602), [heard(b"oh\xff " + b"x" * 200)], gone=False)
    assert verdict.grade is Grade.BAD
    assert verdict.words.startswith('it writes "oh\\xff xxx')
    assert len(verdict.words) < 160
