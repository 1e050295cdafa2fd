import json

from mcptap.agent import desk
from mcptap.agent.conversation import Call
from mcptap.agent.desk import Desk
from mcptap.agent.pace import Pace
from mcptap.agent.settings import Settings
from mcptap.agent.tools import CALLS, NAMES, SESSIONS, WHY
from tests.agent.asking import GLUED, keep


def said(at: Desk, tool: str, pace: Pace | None = None, **arguments):
    result = json.loads(at.answer(Call(1, tool, arguments, None, False), pace or Pace()))["result"]
    return result["content"][0]["text"], result.get("isError", False)


def test_every_tool_that_is_listed_is_answered(tmp_path):
    keep(tmp_path, "weather", GLUED, 1)
    keep(tmp_path, "weather", GLUED, 2)
    at = Desk(Settings(str(tmp_path), everything=True))
    given = {"session": "weather", "record": 3, "before": "weather#1", "after": "weather#2"}
    for tool in NAMES:
        takes = {name: value for name, value in given.items() if name in desk.Arguments(tool, {}).known}
        text, is_error = said(at, tool, **takes)
        assert not is_error, text


def test_the_scope_is_told_in_the_first_answer_alone(tmp_path):
    keep(tmp_path, "weather", GLUED)
    at = Desk(Settings(str(tmp_path)))
    first, _ = said(at, SESSIONS)
    assert first.count("Scope: sessions of this client, and those started below its working directory") == 1
    assert "Scope:" not in said(Desk(Settings(str(tmp_path))), WHY, session="no")[0]


def test_what_goes_wrong_is_a_sentence_for_the_model(tmp_path, monkeypatch, capfd):
    keep(tmp_path, "weather", GLUED)
    at = Desk(Settings(str(tmp_path), everything=True))
    assert said(at, WHY, session="wether") == ("there is no session 'wether'; there are weather.", True)
    assert said(at, CALLS, session="weather", filter="latency:>") == (
        "the filter is wrong at character 10: a number is missing behind >.",
        True,
    )
    stopped = Pace()
    stopped.stop()
    assert said(at, CALLS, stopped, session="weather") == ("It was cancelled.", True)
    monkeypatch.setitem(desk._TOOLS, WHY, lambda *_: 1 / 0)
    assert said(at, WHY) == ("mcptap failed (ZeroDivisionError); the user can see why in its log.", True)
    assert "ZeroDivisionError" in capfd.readouterr().err
