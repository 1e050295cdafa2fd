"""The calls that a user asked for, with servers that are functions."""

import pytest

from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.allowed import ToolCall
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.probe.tool_calls import call_tools, read_only_calls
from mcptap.play.probe.verdict import Grade
from mcptap.play.server.launch import Launch
from tests.play.function_server import GONE, answering, run
from tests.play.sessions import result

SERVER = {"initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}, "ping": {}}
READS = {"readOnlyHint": True}


@pytest.fixture
def called(serve):
    """Question, grade and words of each verdict on calls of a server with these answers."""

    def start(answer, *calls, **settings):
        progress = ProbeProgress(serve(answer, **settings))
        run(call_tools, progress, calls, False)
        return [(v.question, v.grade, v.words) for v in progress.result.verdicts["calls"]][: len(calls)]

    return start


@pytest.mark.parametrize(
    ("value", "grade", "words"),
    [
        ({"content": []}, Grade.FINE, "a result"),
        ({"content": [{"type": "text", "text": "3\n"}]}, Grade.FINE, "a result: 3"),
        ({"content": [], "isError": True}, Grade.DIFFERS, "a result with isError"),
        (-32602, Grade.BAD, "error -32602, no"),
        (None, Grade.BAD, "no answer"),
        (GONE, Grade.BAD, "the server ended"),
    ],
)
def test_a_call_is_judged_by_what_came_of_it(called, value, grade, words):
    answer = answering({**SERVER, "tools/call": value})
    assert called(answer, ToolCall("add", {"a": 1})) == [("add", grade, words)]


def test_after_the_end_of_the_server_nothing_more_is_called(called):
    told = called(answering({**SERVER, "tools/call": GONE}), ToolCall("a", {}), ToolCall("b", {}))
    assert told[1] == ("b", Grade.SKIPPED, "the server had ended")


def test_without_a_session_no_call_is_made(called):
    assert called(answering({}), ToolCall("a", {})) == [
        ("all calls", Grade.SKIPPED, "a fresh start failed: refused: -32601 no")
    ]


class Cancelling:
    """A server whose tool waits until it is cancelled; `late` is what it says of the call behind that."""

    def __init__(self, late=None, answers_ping=True):
        self.late = late
        self.cancelled = None
        self.answer = answering({**SERVER, "ping": {} if answers_ping else None, "tools/call": None})

    def __call__(self, message):
        if message.get("method") == "notifications/cancelled":
            self.cancelled = message["params"]["requestId"]
        elif self.cancelled is not None and self.late is not None:
            yield {"jsonrpc": "2.0", "id": self.cancelled, **self.late}
        yield from self.answer(message)


@pytest.mark.parametrize(
    ("server", "grade", "words"),
    [
        (Cancelling(), Grade.FINE, "no answer to the call; the request behind it is answered"),
        (Cancelling({"result": {}}), Grade.BAD, "the call was answered all the same"),
        (
            Cancelling({"error": {"code": 1, "message": ""}}),
            Grade.DIFFERS,
            "the call was answered, with an error",
        ),
        (Cancelling(answers_ping=False), Grade.BAD, "the request behind it is not answered"),
        (
            answering({**SERVER, "tools/call": {}}),
            Grade.SKIPPED,
            "the call was over before it could be cancelled",
        ),
    ],
)
def test_a_cancelled_call_is_judged_by_what_comes_behind_it(called, server, grade, words):
    assert called(server, ToolCall("wait", {}, cancel=True)) == [("wait, cancelled", grade, words)]


def test_tools_that_only_read_are_called_where_the_schema_gives_the_values():
    tools = [
        {"name": "now", "annotations": READS, "inputSchema": {"type": "object"}},
        {"name": "write", "inputSchema": {"type": "object"}},
        {"name": "find", "annotations": READS, "inputSchema": {"properties": {"q": {}}, "required": ["q"]}},
    ]
    progress = ProbeProgress(ConnectionSettings(Launch(["server"])))
    assert read_only_calls(progress) == []
    progress.note_description(ServerDescription(lists={"tools": tools}), "start")
    assert read_only_calls(progress) == [ToolCall("now", {})]
    assert [(v.question, v.grade) for v in progress.result.verdicts["calls"]] == [("find", Grade.SKIPPED)]


def test_a_tool_has_its_own_time_for_an_answer(called):
    def answer(message):
        return [result(message["id"])] if message.get("method") in ("ping", "initialize") else []

    assert called(answer, ToolCall("a", {}), call_s=3600)[0][1] is Grade.BAD
