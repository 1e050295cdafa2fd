"""What a server gives under some conditions, and what it gives less than under others."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from mcptap.play.client.opening import OpeningOutcome
from mcptap.play.probe.observation import (
    Call,
    CallResult,
    Observation,
    Observer,
    call_result,
    observe,
    what_is_less,
)
from mcptap.protocol.model.message import classify
from mcptap.recording.format.model import Line
from tests.helpers import as_bytes
from tests.play.function_server import GONE, answering, run

READ = {"name": "read", "annotations": {"readOnlyHint": True}}
SERVER = {
    "initialize": {"capabilities": {"tools": {}, "resources": {}}},
    "tools/list": {"tools": [READ, {"name": "act"}]},
    "resources/list": {"resources": [{"uri": "file:///x", "name": "x"}]},
    "tools/call": {"content": [{"type": "text", "text": "3\n notes"}, {"type": "image"}]},
}


def response(**members):
    return classify(
        Line(1, "s2c", as_bytes({"jsonrpc": "2.0", "id": 1, **members}).rstrip(b"\n"), b"\n", 0, 0, 0)
    )


def test_lists_and_calls_are_kept_by_name_and_place(serve):
    settings = serve(answering(SERVER))
    calls = [Call("act", {}), Call("read", {"a": 1})]
    seen = run(partial(observe, settings, settings.launch, calls))
    assert seen.works
    assert seen.lists["tools"] == ("read", "act")
    assert seen.lists["resources"] == ("file:///x",)
    assert seen.calls == {1: CallResult("3 notes [image]")}
    assert set(run(partial(observe, settings, settings.launch, calls, all_calls=True)).calls) == {0, 1}


def test_conditions_that_were_seen_are_not_seen_again_unless_that_is_wanted(serve):
    starts = []

    def answer(message):
        starts.extend(message["method"] for _ in range(message["method"] == "initialize"))
        yield from answering(SERVER)(message)

    settings = serve(answer)
    with Observer(settings) as observer:
        for again in (False, False, True):
            assert run(partial(observer.see, settings.launch, again=again)).works
        run(observer.see, replace(settings.launch, cwd="/"))
    with Observer(settings, [Call("read", {}), Call("act", {})]) as observer:
        run(observer.see, settings.launch)
    assert observer.made == 1
    assert len(starts) == 4


@pytest.mark.parametrize(
    ("initialize", "outcome"),
    [(GONE, OpeningOutcome.GONE), (-32600, OpeningOutcome.REFUSED), (None, OpeningOutcome.SILENT)],
)
def test_a_server_that_takes_no_opening_does_not_work(serve, initialize, outcome):
    settings = serve(answering({"initialize": initialize}))
    seen = run(partial(observe, settings, settings.launch))
    assert (seen.opening, seen.works) == (outcome, False)


@pytest.mark.parametrize(
    ("members", "result", "words"),
    [
        ({"result": {"content": []}}, CallResult(), "returns nothing"),
        ({"result": {"content": "x"}}, CallResult(), "returns nothing"),
        ({"result": {"content": [{"text": "a"}]}}, CallResult("a"), 'returns "a"'),
        ({"result": {"content": [{"text": "a"}], "isError": True}}, CallResult("a", True), "fails (a)"),
        (
            {"error": {"code": 1, "message": "no\nway"}},
            CallResult("error 1, no way", True),
            "fails (error 1, no way)",
        ),
    ],
)
def test_what_a_call_came_to_is_told_in_words(members, result, words):
    assert call_result(response(**members)) == result
    assert result.words == words


def test_no_response_is_a_failure():
    assert call_result(None).words == "fails (no answer)"
    assert call_result(None, ended=True).words == "fails (the server ended)"


def test_what_is_less_is_told_list_by_list_and_call_by_call():
    accepted = OpeningOutcome.ACCEPTED
    mine = Observation(accepted, 0, {"tools": ("a", "b"), "prompts": ("p",)}, {0: CallResult("x")})
    theirs = Observation(accepted, 0, {"tools": ("b",), "prompts": ("p", "q")}, {0: CallResult("no", True)})
    calls = [Call("a", {})]
    told = what_is_less(theirs, mine, calls)
    assert told == 'it lists 1 of 2 tools, and lacks a; a fails (no), and returns "x" under yours'
    assert what_is_less(mine, theirs, calls) == "it lists 1 of 2 prompts, and lacks q"
    assert what_is_less(mine, mine, calls) == ""
    assert (
        what_is_less(Observation(OpeningOutcome.GONE), mine, calls) == "it does not start (the server ended)"
    )
    assert what_is_less(mine, Observation(OpeningOutcome.GONE), calls) == ""
