"""The verdict above all findings."""

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.explain.verdict import NOTHING
from tests.diagnosis.sessions import diagnosed, line, message, opening


def test_the_verdict_on_the_silent_case_names_client_and_cause():
    lines = [*opening("agent"), message(id=1, method="ping"), message(id=1, result={})]
    said = diagnosed(lines).verdict()
    assert (
        said == "The server declares nothing that an agent can use; agent never asked. Nothing else is wrong."
    )


def test_the_verdict_on_a_healthy_session_says_what_that_leaves():
    tool = {"name": "a", "description": "A.", "inputSchema": {"type": "object"}}
    lines = [
        *opening("agent", tools={}),
        message(id=1, method="tools/list"),
        message(id=1, result={"tools": [tool]}),
    ]
    said = diagnosed(lines).verdict()
    assert said.startswith("Nothing is wrong on the wire. One tool was listed, and none was called.")
    assert "the model did not choose it" in said


def test_the_verdict_on_nothing_says_that_nothing_was_said():
    assert Diagnosis(None).verdict() == "Nothing was said so far."


def test_the_verdict_counts_causes_and_leaves_consequences_out():
    lines = [*opening("agent", tools={}), b"one", b"two", message(id=1, method="tools/list")]
    lines += [message(id=1, result={"tools": []})]
    said = diagnosed(lines).verdict()
    assert "(2 times)" in said
    assert "Besides: tools/list is empty (record " in said


def test_an_empty_recording_is_not_taken_for_a_healthy_server():
    assert diagnosed([]).verdict() == "Nothing was said: neither side sent a single line."


def test_a_session_without_an_opening_says_that_none_came_about():
    said = diagnosed([message(id=1, method="ping"), message(id=1, result={})]).verdict()
    assert "the client sent neither initialize nor server/discover" in said


def test_an_opening_without_an_answer_so_far_is_still_open():
    diagnosis = Diagnosis(None)
    diagnosis.feed(line(2, "c2s", opening("agent")[0], 1000))
    assert diagnosis.verdict() == (
        f"{NOTHING} But no session came about: the opening request has no answer yet."
    )


def test_a_session_in_which_nobody_asked_for_tools_says_so():
    lines = [*opening("agent", prompts={}), message(id=1, method="ping"), message(id=1, result={})]
    assert diagnosed(lines).verdict() == f"{NOTHING} The client did not ask for tools."


def test_calls_are_counted():
    call = {"name": "a", "arguments": {}}
    lines = opening("agent", tools={})
    for number in (1, 2):
        lines += [
            message(id=number, method="tools/call", params=call),
            message(id=number, result={"content": []}),
        ]
    assert diagnosed(lines).verdict().startswith(f"{NOTHING} 2 calls were made. If the agent")


def test_a_remark_on_the_tools_is_made_where_nothing_is_wrong():
    failed = {"content": [{"type": "text", "text": "Error: file not found"}]}
    asked = message(id=1, method="tools/call", params={"name": "a", "arguments": {}})
    diagnosis = diagnosed([*opening("agent", tools={}), asked, message(id=1, result=failed)])
    (remark,) = (found for found in diagnosis.findings() if found.design and found.level > Level.INFO)
    assert diagnosis.verdict() == f"{NOTHING} But as to the tools: {remark.message}"
