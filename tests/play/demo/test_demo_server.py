"""The server of the demonstration: plain answers, and two mistakes that the demonstration is about."""

import pytest

from mcptap.play.demo.demo_server import answer, call


def test_mistake_1_prompts_are_served_and_not_declared():
    assert answer("initialize", {})["result"]["capabilities"] == {"tools": {}}
    assert answer("prompts/list", {})["result"]["prompts"]


def test_mistake_2_the_forecast_prints_on_stdout_and_ends_no_line(capsys):
    text = call("forecast", "Oslo")
    printed = capsys.readouterr().out
    assert "Oslo" in text
    assert printed
    assert "\n" not in printed


def test_the_other_tool_prints_nothing(capsys):
    params = {"name": "warnings", "arguments": {"city": "Oslo"}}
    assert answer("tools/call", params) == {
        "result": {"content": [{"type": "text", "text": "No warnings for Oslo."}]}
    }
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("method", ["ping", "resources/list"])
def test_a_method_that_it_does_not_have_is_refused(method):
    assert answer(method, {})["error"]["code"] == -32601


def test_every_tool_that_is_listed_takes_a_city():
    for tool in answer("tools/list", {})["result"]["tools"]:
        assert tool["inputSchema"]["required"] == ["city"]
