"""The forms of a check: text, JSON, SARIF, GitHub annotations."""

import io
import json
import re
from pathlib import Path

import jsonschema
import pytest
from rich.cells import cell_len

from mcptap.protocol.statistics.counts import Statistics
from mcptap.report import findings_json, findings_text, github, sarif
from mcptap.text.terminal import Terminal
from tests.report.samples import EVIL, UNUSABLE, checked, foreign


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def text(width: int = 0, colour: bool = False) -> str:
    terminal = Terminal(io.StringIO(), {})
    terminal.width, terminal.has_colour = width, colour
    return "\n".join(findings_text.report(checked(), terminal))


def test_the_text_opens_with_the_launch_then_the_verdict_then_the_root_cause():
    shown = text()
    places = [
        shown.index(piece)
        for piece in (
            "a/x.jsonl",
            "weather (weather 2.0)",
            "agent 1.2.3, started by agent",
            "python 'weather server.py'",
            "/usr/bin/python",
            "/home/someone/project",
            "The server does not declare tools; this client never asked.",
            "error: capability-undeclared-tools  records 3, 5, 9 and 4 more",
            "Effect: TypeScript 2.x clients never ask.",
            "Remedy: Declare capabilities.tools.",
            "warning: launch-cwd",
            "info: crlf  record 4",
            "Tool design",
            "warning: tool-error-as-text  record 8",
            "1 record took no part in this: it is not a JSON object.",
            "Ignored: blank-line (2)",
        )
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("colour", [False, True])
def test_recorded_text_never_drives_a_terminal(colour):
    shown = text(80, colour)
    if colour:
        shown = re.sub(r"\x1b\[[0-9;]*m", "", text(80, colour).replace(EVIL, "EVIL"))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)


def test_there_is_no_colour_in_a_pipe():
    assert "\x1b" not in text()


def test_lines_keep_to_the_width():
    assert max(map(cell_len, text(60).splitlines())) <= 60


def test_a_foreign_capture_says_what_it_cannot_tell():
    shown = "\n".join(findings_text.report(foreign(), Terminal(io.StringIO(), {})))
    assert "source    bare JSON-RPC lines" in shown
    assert "unknown   times, how it ended" in shown
    assert "assumed   senders" in shown


def test_the_summary_counts_files_and_levels():
    assert findings_text.summary([checked()], 1) == (
        "2 files, 1 error, 1 warning, 1 note, 1 remark on tool design, 1 unusable"
    )


@pytest.mark.parametrize("statistics", [None, Statistics()])
def test_json_fits_its_schema(statistics):
    one = checked()
    one.statistics = statistics
    shown = json.loads(findings_json.dumps(findings_json.report([one, foreign()], [UNUSABLE])))
    schema = findings_json.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(shown, schema, cls=jsonschema.Draft202012Validator)
    assert [(f["rule"], f["line"], f["file"]) for f in shown["findings"]][:2] == [
        ("capability-undeclared-tools", 3, "a/x.jsonl"),
        ("launch-cwd", None, "a/x.jsonl"),
    ]
    assert shown["files"][2] == {"file": "b.jsonl", "error": UNUSABLE.why}


def test_the_schema_names_every_field_of_a_finding():
    finding = findings_json.report([checked()], [])["findings"][0]
    described = findings_json.schema()["$defs"]["finding"]
    assert set(finding) == set(described["properties"]) == set(described["required"])


def test_json_is_ascii_and_keeps_the_exact_text():
    shown = findings_json.dumps(findings_json.report([checked()], []))
    assert shown.isascii()
    assert "\x1b" not in shown
    assert EVIL in json.loads(shown)["findings"][1]["message"]


def test_sarif_has_the_structure_that_the_standard_asks_for():
    log = sarif.report([checked(), checked("/abs/ü y.jsonl")], [UNUSABLE], {"crlf": "Lines end with CRLF."})
    json.dumps(log)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "mcptap"
    ids = [rule["id"] for rule in driver["rules"]]
    assert ids == sorted(set(ids))
    assert driver["rules"][ids.index("crlf")]["shortDescription"] == {"text": "Lines end with CRLF."}
    assert len(run["results"]) == 8
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert re.fullmatch(r"a/x\.jsonl|file:///abs/%C3%BC%20y\.jsonl", place["artifactLocation"]["uri"])
        assert place.get("region", {"startLine": 1})["startLine"] >= 1
    first = run["results"][0]
    assert first["occurrenceCount"] == 7
    related = [place["physicalLocation"]["region"]["startLine"] for place in first["relatedLocations"]]
    assert related == [5, 9]
    assert "region" not in run["results"][1]["locations"][0]["physicalLocation"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["level"] == "error"


def test_github_commands_are_escaped_and_one_a_line():
    lines = list(github.report([checked("a,b:c.jsonl")], [UNUSABLE]))
    assert lines[0].startswith(
        "::error file=a%2Cb%3Ac.jsonl,line=3,title=mcptap capability-undeclared-tools::The server"
    )
    assert lines[1].startswith("::warning file=a%2Cb%3Ac.jsonl,title=mcptap launch-cwd::")
    assert lines[2].startswith("::notice ")
    assert "100%25" in lines[2]
    assert lines[-1].startswith("::error title=mcptap::b.jsonl: is empty")
    assert not any(re.search("[\x00-\x1f]", line) for line in lines)


def test_the_document_shows_every_field_of_a_finding():
    document = Path(__file__).parents[2] / "mcptap" / "report" / "README.md"
    block = document.read_text().split("```json\n", 1)[1].split("```", 1)[0]
    finding = findings_json.report([checked()], [])["findings"][0]
    assert set(json.loads(block)["findings"][0]) == set(finding)


@pytest.mark.parametrize(
    ("with_design", "command", "level"), [(False, "notice", "note"), (True, "warning", "warning")]
)
def test_tool_design_is_a_note_in_ci_unless_it_counts(with_design, command, level):
    lines = list(github.report([checked()], [], with_design))
    assert lines[3].startswith(f"::{command} file=a/x.jsonl,line=8,title=mcptap tool-error-as-text::")
    results = sarif.report([checked()], [], {}, with_design)["runs"][0]["results"]
    assert [r["level"] for r in results if r["ruleId"] == "tool-error-as-text"] == [level]
