"""What a capture of another tool cannot tell."""

from mcptap.captures.evidence import COMPLETE, Evidence
from mcptap.diagnosis.explain.capture_limits import capture_limits
from mcptap.protocol.model.session import Session
from tests.diagnosis.sessions import line, message

PART = Evidence(whole=False)
NOT_JUDGED = "What this capture does not tell was not judged."


def waiting(*methods: str) -> Session:
    session = Session(None)
    for number, method in enumerate(methods, 3):
        session.feed(line(number, "c2s", message(id=number, method=method)))
    return session


def test_a_recording_of_mcptap_lacks_nothing():
    assert capture_limits(waiting("ping"), COMPLETE) == ""


def test_requests_without_an_answer_may_be_why_the_agent_waits():
    assert capture_limits(waiting("ping", "tools/list"), PART) == (
        f"{NOT_JUDGED} It shows no answer to ping (id 3, record 3) and tools/list (id 4, record 4); "
        "if none came, that is why the agent waits."
    )
    assert "and 2 more" in capture_limits(waiting(*["ping"] * 5), PART)


def test_nothing_is_concluded_where_the_answer_may_be_among_lines_that_were_left_out():
    assert capture_limits(waiting("ping"), PART, left_out=1) == NOT_JUDGED


def test_a_whole_session_has_its_unanswered_requests_among_the_findings():
    assert capture_limits(waiting("ping"), Evidence(times=False)) == NOT_JUDGED
    assert capture_limits(waiting(), PART) == NOT_JUDGED
