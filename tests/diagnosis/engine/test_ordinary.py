"""Ordinary calls and answers: rules that are not asked about them would find nothing in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mcptap.diagnosis.diagnosis as module
from mcptap.diagnosis.engine.dispatch import Dispatch
from mcptap.diagnosis.engine.ordinary import (
    AMONG,
    FINE_RESULT,
    is_fine_result,
    is_ordinary_request,
    is_ordinary_result,
)
from mcptap.diagnosis.engine.registry import RULES
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions import HANDSHAKE_REVISIONS
from mcptap.recording.format.model import Line
from tests.diagnosis.sessions import judged, line

CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "a", "arguments": {"x": 1}}}
ANSWER = {"jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "text", "text": "fine"}]}}
FAILURES = ["Error: gone", ' {"error": 1}', "unknown tool a", "a"]
ODD = (
    st.none() | st.booleans() | st.sampled_from([0, "", "working", *FAILURES, [], {}, [{}], {"type": "text"}])
)
KEYS = st.sampled_from(
    ["_meta", "task", "name", "arguments", "isError", "content", "structuredContent", "type", "text", "id"]
)
JSON = st.recursive(ODD | st.text(max_size=4), lambda inner: st.dictionaries(KEYS, inner, max_size=3))


def opening(revision: str) -> list[dict[str, Any]]:
    tools = [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "get_a", "inputSchema": {}}]
    info = {"name": "x", "version": "1"}
    asked = {"protocolVersion": revision, "capabilities": {}, "clientInfo": info}
    given_ = {"protocolVersion": revision, "capabilities": {"tools": {}}, "serverInfo": info}
    return [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": asked},
        {"jsonrpc": "2.0", "id": 0, "result": given_},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}},
    ]


def lines(messages: list[dict[str, Any]], first: int = 2) -> list[Line]:
    return [
        line(number, "c2s" if "method" in message else "s2c", json.dumps(message).encode())
        for number, message in enumerate(messages, first)
    ]


def changed(message: dict[str, Any], changes: list[tuple[int, str, Any]]) -> dict[str, Any]:
    """The message with members put in, or replaced, at some depth."""
    message = deepcopy(message)
    for depth, key, value in changes:
        objects = list(_objects(message))
        objects[depth % len(objects)][key] = deepcopy(value)
    return message


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(inner)


changes = st.lists(st.tuples(st.integers(0, 5), KEYS, JSON), max_size=2)


@pytest.mark.parametrize("revision", [*HANDSHAKE_REVISIONS, "2026-07-28", "1999-01-01"])
@settings(max_examples=15, deadline=None)
@given(of_call=changes, of_answer=changes)
def test_what_is_said_is_the_same_whether_messages_are_known_to_be_ordinary_or_not(
    revision, of_call, of_answer
):
    session = lines([*opening(revision), changed(CALL, of_call), changed(ANSWER, of_answer)])
    quick = judged(session)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "is_ordinary_request", lambda message: False)
        patch.setattr(module, "is_ordinary_result", lambda message: False)
        assert judged(session) == quick


@pytest.mark.parametrize("revision", HANDSHAKE_REVISIONS)
@pytest.mark.parametrize("is_error", [{}, {"isError": False}], ids=["without isError", "isError false"])
def test_a_call_and_its_answer_are_ordinary_and_rules_about_oddities_are_not_asked(revision, is_error):
    session = Session(None)
    answer = {**ANSWER, "result": {**ANSWER["result"], **is_error}}
    *_, call, result = [session.feed(one) for one in lines([*opening(revision), CALL, answer])]
    assert is_ordinary_request(call)
    assert is_ordinary_result(result)
    for ordinary, usual in AMONG.items():
        channel = "c2s" if usual == "request" else "s2c"
        fewer = {rule.id for rule, _ in Dispatch(session)[ordinary, channel, "tools/call", result.revision]}
        every = {rule.id for rule, _ in Dispatch(session)[usual, channel, "tools/call", result.revision]}
        failures = {rule for rule in every if RULES[rule].failures_only and ordinary == FINE_RESULT}
        assert every - fewer == failures | {rule for rule in every if RULES[rule].odd_only} != set()


@pytest.mark.parametrize(
    "odd",
    [
        {"isError": True},
        {"isError": None},
        {"content": []},
        {"content": [{"type": "image", "text": ""}]},
        {"content": [{"type": "text", "text": None}]},
        {"content": [{"type": "text", "text": "", "annotations": {}}]},
        {"structuredContent": {}},
        {"_meta": {}},
    ],
    ids=str,
)
def test_an_answer_with_anything_else_is_not_ordinary(odd):
    session = Session(None)
    answer = {**ANSWER, "result": {**ANSWER["result"], **odd}}
    _, result = [session.feed(one) for one in lines([CALL, answer])]
    assert not is_ordinary_result(result)


@pytest.mark.parametrize("text", FAILURES)
def test_an_ordinary_answer_is_not_fine_if_its_text_may_tell_a_failure(text):
    session = Session(None)
    results = []
    for said in (text, "fine"):
        answer = {**ANSWER, "result": {"content": [{"type": "text", "text": said}]}}
        results.append([session.feed(one) for one in lines([CALL, answer])][1])
    assert all(map(is_ordinary_result, results))
    assert list(map(is_fine_result, results)) == [False, True]


@pytest.mark.parametrize("text", FAILURES[:3])
def test_a_failure_in_an_ordinary_answer_is_told(text):
    answer = {**ANSWER, "result": {"content": [{"type": "text", "text": text}]}}
    found = judged(lines([*opening(HANDSHAKE_REVISIONS[-1]), CALL, answer]))
    assert ("tool-error-as-text" in {finding.rule for finding in found}) == (text != "unknown tool a")
