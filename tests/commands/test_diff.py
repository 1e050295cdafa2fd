"""`mcptap diff` as a command."""

import json
from xml.etree import ElementTree

import pytest

from mcptap.commands import main
from tests.helpers import END, call, handshake, record, request, result, text_result

ADD = {"name": "add", "description": "Add.", "inputSchema": {"type": "object"}}
SUB = {"name": "sub", "description": "Subtract.", "inputSchema": {"type": "object"}}


def session(tmp_path, name, tools, text, *stray):
    listing = [("c2s", request(1, "tools/list")), ("s2c", result(1, {"tools": tools}))]
    steps = [*handshake(), *listing, ("c2s", call(2, "add")), *stray, ("s2c", text_result(2, text)), *END]
    return str(record(tmp_path / name, steps))


def test_two_recordings_of_the_same_are_the_same(tmp_path, capsys):
    a, b = session(tmp_path, "a.jsonl", [ADD], "3"), session(tmp_path, "b.jsonl", [ADD], "3")
    assert main(["diff", a, b]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "the same"


def test_tools_answers_and_findings_are_told(tmp_path, capsys):
    a = session(tmp_path, "a.jsonl", [ADD], "3")
    b = session(tmp_path, "b.jsonl", [ADD, SUB], "4", ("s2c", b"adding\n"))
    assert main(["diff", a, b]) == 1
    shown = capsys.readouterr().out
    assert "  result.tools[sub]\n    + {" in shown
    assert '    - "3"\n      + "4"' in shown
    assert "extra: line that is no message: adding" in shown
    assert "+ error stdout-not-json:" in shown
    assert shown.endswith("different\n")


def test_patterns_beside_the_first_recording_are_overlooked(tmp_path):
    a, b = session(tmp_path, "a.jsonl", [ADD], "3"), session(tmp_path, "b.jsonl", [ADD], "4")
    assert main(["diff", a, b]) == 1
    (tmp_path / "a.jsonl.ignore").write_text("tools/call result.content[*].text\n")
    assert main(["diff", a, b]) == 0


@pytest.mark.parametrize("content", [None, b"", b"not a recording\n"])
def test_a_file_that_is_no_recording_is_status_2(tmp_path, capsys, content):
    other = tmp_path / "other"
    if content is not None:
        other.write_bytes(content)
    assert main(["diff", session(tmp_path, "a.jsonl", [ADD], "3"), str(other)]) == 2
    assert str(other) in capsys.readouterr().err


def test_the_difference_as_json_has_what_the_text_has(tmp_path, capsys):
    a = session(tmp_path, "a.jsonl", [ADD], "3")
    b = session(tmp_path, "b.jsonl", [ADD, SUB], "4", ("s2c", b"adding\n"))
    assert main(["diff", "--json", a, b]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["different"] is True
    tools = next(section for section in told["sections"] if section["title"] == "tools")
    assert tools["changes"] == [
        {"path": "result.tools[sub]", "kind": "added", "new": SUB, "severity": "content", "why": ""}
    ]
    different = next(entry for entry in told["answers"] if entry["status"] == "different")
    assert different["changes"][0]["old"] == "3"
    assert [finding["rule"] for finding in told["findings"]["came"]] == ["stdout-not-json"]
    assert main(["diff", "--json", a, a]) == 0
    assert json.loads(capsys.readouterr().out)["different"] is False


def test_a_value_too_deep_to_be_written_does_not_stop_the_json(tmp_path, capsys):
    deep = b'{"jsonrpc":"2.0","id":2,"result":{"a":' + b"[" * 5000 + b"]" * 5000 + b"}}\n"
    steps = [*handshake(), ("c2s", call(2, "add"))]
    a = str(record(tmp_path / "a.jsonl", [*steps, ("s2c", deep), *END]))
    b = session(tmp_path, "b.jsonl", [ADD], "3")
    assert main(["diff", "--json", a, b]) == 1
    assert json.loads(capsys.readouterr().out)["different"] is True


def test_a_gate_gets_the_difference_in_its_own_form(tmp_path, capsys):
    a, b = session(tmp_path, "a.jsonl", [ADD], "3"), session(tmp_path, "b.jsonl", [ADD, SUB], "3")
    assert main(["diff", "--junit", a, b]) == 1
    root = ElementTree.fromstring(capsys.readouterr().out)
    assert root.get("failures") == "1"
    assert [case.get("name") for case in root.iter("testcase") if case.find("failure") is not None] == [
        "tools"
    ]
    assert main(["diff", "--github", a, a]) == 0
    assert capsys.readouterr().out == ""
