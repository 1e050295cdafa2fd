"""A probe as JSON."""

import json
from dataclasses import replace

from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.report.json import as_json
from mcptap.play.probe.report.judged import JudgedProbe
from tests.play.probe.report.samples import ERROR, GOOD, LISTED


def test_everything_is_json_as_it_is():
    server = ServerDescription("2025-11-25", {"name": "s"}, {"tools": {}}, {"tools": [{"name": "a"}]})
    told = json.loads(json.dumps(as_json(JudgedProbe(replace(GOOD, server=server), LISTED, [ERROR]))))
    assert told["client"]["id"] == "codex"
    assert told["verdicts"] == [
        {"section": "start", "question": "ping", "grade": "fine", "words": "answered"}
    ]
    assert told["server"]["lists"] == {"tools": [{"name": "a"}]}
    assert (told["findings"][0]["recording"], told["findings"][0]["line"]) == ("/records/a.jsonl", 3)
    assert told["recordings"] == [{"path": "/records/a.jsonl", "what": "initialize"}]
    assert (told["ok"], told["calls"], told["no_server"]) == (False, 0, None)
    assert told["summary"] == "1 finding; no tool was called."


def test_what_was_not_kept_is_not_named():
    told = as_json(JudgedProbe(GOOD, None, [ERROR], is_kept=False))
    assert (told["recordings"], told["findings"][0]["recording"]) == ([], None)
