"""What a probe left out, and which option would do it."""

import pytest

from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.allowed import Allowed, ToolCall
from mcptap.play.probe.not_tried import note_not_tried
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.server.launch import Launch

TOOLS = [{"name": "delete_all"}, {"name": "now", "annotations": {"readOnlyHint": True}}]


def told(allowed, tools, **capabilities):
    progress = ProbeProgress(ConnectionSettings(Launch(["server"])))
    progress.note_description(ServerDescription(capabilities=capabilities, lists={"tools": tools}), "start")
    note_not_tried(progress, allowed)
    return {v.question: v.words for v in progress.result.verdicts.get("calls", [])}


def test_each_kind_that_may_act_is_named_with_its_option():
    assert told(Allowed(), TOOLS, resources={}, prompts={}) == {
        "a call": "on 2 tools: they may act; --call TOOL JSON makes one, --call-read-only calls the 1 that "
        "says that it only reads (which nobody checks)",
        "cancellation of a call": "a tool that is called may act; --cancel TOOL JSON calls and cancels one",
        "wrong arguments": "on 2 tools: they may act; --wrong-arguments TOOL tries one",
        "reading resources and prompts": "may act, and probe never does it; mcptap send repeats what a "
        "client did",
    }


@pytest.mark.parametrize(
    ("allowed", "question", "words"),
    [
        (Allowed((ToolCall("delete_all", {}),)), "a call", "on 1 tool: it may act; "),
        (Allowed(read_only=True), "a call", "on 1 tool: it may act; "),
        (Allowed((ToolCall("delete_all", {}),), read_only=True), "a call", ""),
        (Allowed((ToolCall("now", {}, cancel=True),)), "cancellation of a call", ""),
        (Allowed(wrong_arguments=("now",)), "wrong arguments", "on 1 tool: it may act; "),
        (Allowed(wrong_arguments=("now", "delete_all")), "wrong arguments", ""),
    ],
)
def test_what_was_tried_is_not_named(allowed, question, words):
    found = told(allowed, TOOLS)
    assert found.get(question, "").startswith(words)
    assert (question in found) is bool(words)


def test_a_server_that_offers_nothing_has_nothing_left_out():
    assert told(Allowed(), []) == {}


def test_all_that_has_no_option_is_named():
    found = told(
        Allowed(), [], resources={"subscribe": True}, prompts={}, completions={}, logging={}, tasks={}
    )
    assert list(found) == ["reading resources, prompts, completion, subscriptions, the log level and tasks"]
