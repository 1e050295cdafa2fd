"""The questions and their judgement, without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcptap.play.client.persona import request_meta
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.questions import questions
from mcptap.play.probe.verdict import Grade, Question, Verdict, judge
from mcptap.protocol.model.message import Message, classify
from mcptap.recording.format.model import Line
from tests.play.tape import as_line

TOOLS = [
    {"name": "add", "inputSchema": {"properties": {"a": {"type": "number"}}, "required": ["a"]}},
    {"name": "now", "inputSchema": {"type": "object"}},
]
WRONG = ("add", "now", "gone", "add")
OFFER = ServerDescription(capabilities={"tools": {}, "resources": {}}, lists={"tools": TOOLS})


def asked_of(offer: ServerDescription, stateless: bool = False) -> list[Question | Verdict]:
    return list(
        questions(offer, request_meta(), "server/discover", WRONG)
        if stateless
        else questions(offer, None, "ping", WRONG)
    )


def heard(content: Any) -> Message:
    return classify(Line(1, "s2c", as_line(content)[:-1], b"\n", 0, 0, 0))


def question(name: str, stateless: bool = False) -> Question:
    found = [q for q in asked_of(OFFER, stateless) if isinstance(q, Question)]
    return next(q for q in found if q.name == name)


def error(code: int, key: Any = "x") -> Message:
    return heard({"jsonrpc": "2.0", "id": key, "error": {"code": code, "message": "no"}})


def result(**members: Any) -> Message:
    return heard({"jsonrpc": "2.0", "id": "x", "result": members})


@pytest.mark.parametrize(
    ("name", "answer", "grade"),
    [
        ("a line that is not JSON", None, Grade.FINE),
        ("a line that is not JSON", error(-32700, None), Grade.FINE),
        ("a line that is not JSON", error(-32603, None), Grade.DIFFERS),
        ("an unknown method", error(-32601), Grade.FINE),
        ("an unknown method", error(-32602), Grade.DIFFERS),
        ("an unknown method", result(), Grade.BAD),
        ("an unknown method", None, Grade.BAD),
        ("an unknown tool", error(-32602), Grade.FINE),
        ("an unknown tool", result(content=[], isError=True), Grade.DIFFERS),
        ("an unknown tool", result(content=[]), Grade.BAD),
        ("an unknown tool", None, Grade.BAD),
        ("add without its arguments", result(content=[], isError=True), Grade.FINE),
        ("add without its arguments", error(-32602), Grade.DIFFERS),
        ("add without its arguments", result(content=[]), Grade.DIFFERS),
        ("a request with id null", None, Grade.FINE),
        ("a request with id null", error(-32600, None), Grade.FINE),
        ("a notification", None, Grade.FINE),
        ("a notification", error(-32601, None), Grade.BAD),
        ("a batch", heard([]), Grade.FINE),
        ("a line that ends CR LF", result(), Grade.FINE),
        ("a line that ends CR LF", error(-32601), Grade.FINE),
        ("a line that ends CR LF", None, Grade.BAD),
    ],
)
def test_an_answer_is_judged_by_what_hurts(name, answer, grade):
    asked = question(name)
    others = [answer] if answer is not None and asked.key is None else []
    assert judge(asked, None if others else answer, others, gone=False).grade is grade


def test_a_tool_is_asked_only_if_it_was_named_and_one_that_could_run_not_even_then():
    called = [q.name for q in asked_of(OFFER) if isinstance(q, Question) and q.calls_tool]
    assert called == ["add without its arguments"]
    skipped = [(v.question, v.grade) for v in asked_of(OFFER) if isinstance(v, Verdict)]
    assert skipped == [
        ("now without its arguments", Grade.SKIPPED),
        ("gone without its arguments", Grade.BAD),
    ]
    assert not any(isinstance(q, Verdict) or q.calls_tool for q in questions(OFFER, None, "ping"))


def test_a_server_without_tools_is_not_asked_about_them():
    names = [q.name for q in asked_of(ServerDescription()) if isinstance(q, Question)]
    assert not any("tool" in name for name in names)


@pytest.mark.parametrize("stateless", [False, True])
def test_every_question_is_one_line_and_has_an_id_of_its_own(stateless):
    asked = [q for q in asked_of(OFFER, stateless) if isinstance(q, Question)]
    assert all(q.data.count(b"\n") == 1 and q.data.endswith(b"\n") for q in asked)
    keys = [q.key for q in asked if q.key is not None]
    assert len(keys) == len(set(keys))
    for q in asked:
        if q.key is not None:
            message = json.loads(q.data)
            assert message["id"] == q.key
            carries = "io.modelcontextprotocol/protocolVersion" in message.get("params", {}).get("_meta", {})
            assert carries is (stateless and q.name != "a request without _meta")
