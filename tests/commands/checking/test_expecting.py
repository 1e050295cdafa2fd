"""What is expected, as a user asks: by options and by the settings file, in every form of the report."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mcptap.commands import main
from mcptap.commands.checking.expecting import OPTIONS
from mcptap.commands.checking.settings import KEYS
from mcptap.protocol.expectations.expectation import expectation
from tests.helpers import END, call, handshake, record, request, result, text_result
from tests.play.probing import SMALL

TOOL = {"name": "forecast", "description": "Says it.", "inputSchema": {"type": "object"}}
LISTING = [("c2s", request(1, "tools/list")), ("s2c", result(1, {"tools": [TOOL]}))]
SLOW_CALL = [("c2s", call(2, "forecast")), ("wait", 811_000), ("s2c", text_result(2, "rain"))]
MISSED = [
    *("--expect-tool", "stations", "--forbid-tool", "fore*", "--max-latency", "tools/call:forecast=500"),
    *("--max-start", "0.0005", "--max-list-tokens", "5"),
]
MET = [
    *("--expect-tool", "fore*", "--forbid-tool", "stations", "--max-latency", "tools/call:forecast=900"),
    *("--max-latency", "tools/list=5", "--max-start", "1", "--max-list-tokens", "50"),
]
RULES = {
    "expectation-tool-missing",
    "expectation-tool-forbidden",
    "expectation-latency",
    "expectation-start",
    "expectation-list-cost",
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    record("session.jsonl", [*handshake(), *LISTING, *SLOW_CALL, *END])
    record("idle.jsonl", [*handshake(), *END])
    return tmp_path


def rules(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, set[tuple[str, str]]]:
    status = main(["check", "--json", *arguments])
    told = json.loads(capsys.readouterr().out)
    found = {(one["rule"], one["level"]) for one in told["findings"]}
    return status, {one for one in found if one[0].startswith("expectation-")}


def test_what_is_so_is_no_finding(capsys):
    assert rules(capsys, "session.jsonl", *MET) == (0, set())


def test_what_is_not_so_is_an_error_that_names_the_record_and_both_figures(capsys):
    status, found = rules(capsys, "session.jsonl", *MISSED)
    assert (status, found) == (1, {(rule, "error") for rule in RULES})
    main(["check", "session.jsonl", *MISSED])
    text = " ".join(capsys.readouterr().out.split())
    assert "tools/call of 'forecast' took 812 ms (record 9); at most 500 ms were asked." in text
    assert 'list of tools (record 7) has no "stations", which was asked for.' in text
    assert 'lists "forecast" (record 7), which must not be there (--forbid-tool fore*).' in text
    assert "The server needed 1.0 ms to answer initialize; at most 500 µs were asked for its start." in text
    assert (
        "(record 7) costs about 19 tokens (76 B); at most 5 were asked; the largest: forecast (19)." in text
    )


def test_every_form_of_the_report_has_them(capsys):
    main(["check", "session.jsonl", *MISSED, "--junit"])
    cases = ElementTree.fromstring(capsys.readouterr().out).iter("testcase")
    assert {case.get("name", "").split()[0] for case in cases if case.find("failure") is not None} == RULES
    main(["check", "session.jsonl", *MISSED, "--github"])
    annotations = capsys.readouterr().out.splitlines()
    assert len([line for line in annotations if line.startswith("::error")]) == len(RULES)
    main(["check", "session.jsonl", *MISSED, "--sarif"])
    [run] = json.loads(capsys.readouterr().out)["runs"]
    assert {one["ruleId"] for one in run["results"]} == RULES


def test_a_session_that_does_not_show_it_is_no_pass(capsys):
    status, found = rules(capsys, "idle.jsonl", "--expect-tool", "forecast")
    assert (status, found) == (1, {("expectation-unjudged", "error")})
    assert rules(capsys, "idle.jsonl", "--expect-tool", "x", "--only", "stdout-*")[0] == 1
    assert rules(capsys, "idle.jsonl", "--expect-tool", "x", "--fail-on", "never")[0] == 0


def test_of_several_files_one_that_shows_it_is_enough_and_all_that_show_it_count(capsys):
    assert rules(capsys, "idle.jsonl", "session.jsonl", *MET) == (0, set())
    status, found = rules(capsys, "idle.jsonl", "session.jsonl", "--expect-tool", "stations")
    assert (status, found) == (1, {("expectation-tool-missing", "error")})


def test_a_log_with_whole_seconds_proves_no_latency_that_lies_between(capsys, project: Path):
    lines = [
        "2026-11-29 21:17:03 [DEBUG] Received: " + json.dumps(request(1, "initialize", {})),
        "2026-11-29 21:17:03 [DEBUG] Sent: " + json.dumps(result(1, {"protocolVersion": "2025-11-25"})),
        "2026-11-29 21:17:04 [DEBUG] Received: " + json.dumps(request(2, "tools/list")),
        "2026-11-29 21:17:07 [DEBUG] Sent: " + json.dumps(result(2, {"tools": []})),
    ]
    (project / "server.log").write_text("\n".join(lines) + "\n")
    ours = {
        limit: {rule for rule, _ in rules(capsys, "server.log", f"--max-latency=tools/list={limit}")[1]}
        for limit in (1900, 2500, 3500, 4000)
    }
    late, unknown = {"expectation-latency"}, {"expectation-unjudged"}
    assert ours == {1900: late, 2500: unknown, 3500: unknown, 4000: set()}


SETTINGS = """
[tool.mcptap.check]
expect-tool = ["stations"]
forbid-tool = ["fore*"]
max-start = 0.0005
max-list-tokens = 5

[tool.mcptap.check.max-latency]
"tools/call:forecast" = 500
"prompts/get" = 10
"""


def test_the_settings_file_says_the_same(capsys, project: Path):
    (project / "pyproject.toml").write_text(SETTINGS)
    status, found = rules(capsys, "session.jsonl")
    assert status == 1
    assert found == {*((rule, "error") for rule in RULES), ("expectation-unjudged", "info")}
    assert rules(capsys, "session.jsonl", "--no-config") == (0, set())


def test_an_option_goes_before_what_the_settings_say_of_the_same(capsys, project: Path):
    (project / "pyproject.toml").write_text('[tool.mcptap.check.max-latency]\n"tools/call" = 500\n')
    assert rules(capsys, "session.jsonl")[0] == 1
    assert rules(capsys, "session.jsonl", "--max-latency", "tools/call=1000")[0] == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("expect-tool = 'x'", "expect-tool has to be a list of names"),
        ("forbid-tool = [1]", "forbid-tool has to be a list of names"),
        ("forbid-tool = ['']", "forbid-tool: it takes the name of a tool"),
        ("max-start = '5'", "max-start has to be a number"),
        ("max-start = true", "max-start has to be a number"),
        ("max-start = -1", "max-start: '-1' is not a number of seconds"),
        ("max-list-tokens = 1.5", "max-list-tokens: '1.5' is not a whole number"),
        ("max-latency = 5", "max-latency has to be a table"),
        ("max-latency = {'tools/list' = 'x'}", "max-latency has to be a table"),
        ("max-latency = {'tools/list' = -1}", "max-latency: '-1' is not a number of milliseconds"),
    ],
)
def test_a_wrong_line_of_the_settings_is_one_sentence(capsys, project: Path, text: str, why: str):
    (project / ".mcptap.toml").write_text(f"[check]\n{text}\n")
    assert main(["check", "session.jsonl"]) == 2
    told = capsys.readouterr().err
    assert why in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("command", ["check", "probe"])
@pytest.mark.parametrize("value", ["foo", "tools/list=-5", "tools/list=x"])
def test_a_wrong_option_is_one_sentence_and_status_2(capsys, command: str, value: str):
    with pytest.raises(SystemExit) as ended:
        main([command, "--max-latency", value])
    assert ended.value.code == 2
    assert "error: argument --max-latency: " in capsys.readouterr().err.splitlines()[-1]


def test_each_option_is_a_setting_of_the_same_name_and_an_expectation():
    samples = {"NAME": "x", "METHOD=MS": "ping=1", "S": "1", "N": "1"}
    for name, (form, _) in OPTIONS.items():
        assert name in KEYS
        assert expectation(name, samples[form]).name == name


def test_a_probe_judges_them_over_all_its_sessions(capsys, project: Path):
    (project / ".mcptap.toml").write_text("[check]\nmax-list-tokens = 5\n")
    met = ["--expect-tool", "act", "--max-latency", "tools/list=60000", "--max-start", "600"]
    probe = ["probe", "--no-record", "--json"]
    assert main([*probe, *met, "--no-config", "--", *SMALL]) == 0
    capsys.readouterr()
    assert main([*probe, "--expect-tool", "stations", "--max-latency", "tools/call=5", "--", *SMALL]) == 1
    found = {(one["rule"], one["subject"]) for one in json.loads(capsys.readouterr().out)["findings"]}
    assert {subject for rule, subject in found if rule == "expectation-unjudged"} == {
        "--max-latency tools/call=5"
    }
    assert ("expectation-tool-missing", "stations") in found
    assert any(rule == "expectation-list-cost" for rule, _ in found)


def test_a_probe_of_several_servers_refuses_them(capsys):
    assert main(["probe", "--as", "all", "--expect-tool", "x", "--", *SMALL]) == 2
    assert "leave out --expect-tool" in capsys.readouterr().err
