"""What a probe provoked, as its recording says it."""

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.protocol.model.parts.questions import Questions
from mcptap.protocol.model.session import Session
from mcptap.recording.format.model import Event, Header, Line
from tests.helpers import as_bytes, error, request, result

PROBE = Header({"probe": "questions"})


def question(number, what=""):
    return Event(number, "question", number, 0, {"what": what} if what else {})


def line(number, channel, message):
    return Line(number, channel, as_bytes(message)[:-1], b"\n", number, number, 0)


def fed(header=PROBE):
    session = Session(header)
    for item in (
        line(2, "c2s", request(1, "ping")),
        line(3, "s2c", result(1)),
        question(4, "an unknown tool"),
        line(5, "c2s", request("q", "tools/call", {"name": "none"})),
        line(6, "stderr", b"no such tool\n"),
        line(7, "c2s", request(2, "ping")),
        line(8, "s2c", result(2)),
        question(9),
        line(10, "c2s", request(3, "ping")),
        line(11, "s2c", error("q", -32602, "late")),
        line(12, "s2c", result(3)),
    ):
        session.feed(item)
    return session


def test_all_that_passes_while_a_question_is_asked_is_provoked_and_a_late_answer_to_it():
    assert fed().questions.provoked == {5, 6, 7, 8, 11}
    assert fed().questions.current == ""


def test_a_question_that_nothing_came_after_is_still_asked():
    questions = Questions(PROBE)
    questions.take_event(question(4, "a batch"))
    assert (questions.current, questions.begun) == ("a batch", 4)


def test_in_a_recording_that_no_probe_made_nothing_is_excused():
    assert fed(Header({})).questions.provoked == set()
    assert not fed(Header({})).questions.seen


def test_what_was_provoked_is_no_failure_and_waits_for_nothing():
    assert fed().failures.calls == 0
    assert fed(Header({})).failures.calls == 1
    diagnosis = Diagnosis(PROBE)
    for item in (
        question(2, "a request with id null"),
        line(3, "c2s", request(5, "tools/list")),
        question(4),
    ):
        diagnosis.feed(item)
    diagnosis.finish()
    assert diagnosis.verdict().open == 0
