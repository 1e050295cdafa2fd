"""Claude Code's logs of servers, as lines of JSON and as an array."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.open import open_source
from mcptap.recording.format.lines import BEGINS
from mcptap.recording.format.model import Damaged, Event, Line
from tests.captures.reading import judged, read

START = "Starting connection with timeout of 30000ms"
CONNECTED = "Successfully connected (transport: stdio) in 412ms"


def entry(text: str, key: str = "debug") -> dict[str, Any]:
    return {key: text, "timestamp": "2026-03-14T09:26:53.589Z", "sessionId": "a", "cwd": "/home/you/sea"}


def log(*texts: str) -> str:
    return "".join(json.dumps(entry(text, "error" if ":" in text[:20] else "debug")) + "\n" for text in texts)


def lines(*texts: str) -> list[Line]:
    return [item for item in read(log(START, CONNECTED, *texts))[1] if isinstance(item, Line)]


def events(*texts: str) -> list[tuple[str, str | None]]:
    found = [i for i in read(log(START, *texts))[1] if isinstance(i, Event) and i.kind != "log"]
    return [(event.kind, event.fields.get("ch")) for event in found]


def test_capabilities_are_told_as_those_that_are_there():
    told = {"hasTools": True, "hasPrompts": False, "hasResources": True, "hasResourceSubscribe": True}
    told |= {"serverVersion": {"name": "harbour", "version": "1"}, "negotiatedProtocolVersion": "2025-11-25"}
    _, answer = lines(f"Connection established with capabilities: {json.dumps(told)}")
    assert answer.value["result"] == {
        "capabilities": {"tools": {}, "resources": {"subscribe": True}},
        "serverInfo": {"name": "harbour", "version": "1"},
        "protocolVersion": "2025-11-25",
    }


def test_without_capabilities_nothing_is_told_of_them():
    for text in ("Calling MCP tool: tide_table", "Connection established with capabilities: {"):
        assert lines(text)[1].value["result"] == {}
    assert lines()[1].value["result"] == {}


def test_an_error_of_stderr_is_no_failure():
    (line,) = [line for line in lines("Server stderr: ready\n") if line.channel == "stderr"]
    assert line.data == b"ready"


@pytest.mark.parametrize("before", ["Connection error: ", "Ignoring non-JSON line on stdout: "])
def test_text_on_stdout_is_known_by_its_error(before: str):
    told = "Unexpected token 'h', \"harbour da\"... is not valid JSON"
    (line,) = [line for line in lines(f"{before}{told}") if line.known == BEGINS]
    assert (line.channel, line.data) == ("s2c", b"harbour da")


def test_a_call_is_answered_by_its_outcome():
    asked = "Calling MCP tool: tide_table"
    assert lines(asked, "Tool 'tide_table' completed successfully in 40ms")[-1].value["result"] == {}
    refused = lines(asked, "Tool 'tide_table' failed after 1s: MCP error -32602: no such harbour")
    assert refused[-1].value["error"] == {"code": -32602}
    for open_end in (
        "still running (30s elapsed)",
        "failed after 1m 2s: MCP error -32001: Request timed out",
    ):
        assert lines(asked, f"Tool 'tide_table' {open_end}")[-1].value["method"] == "tools/call"


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (
            ["Connection failed after 73ms (CONNECTION_CLOSED): MCP error -32000: Connection closed"],
            [("exit", None)],
        ),
        (["Connection failed after 5ms: spawn harbour ENOENT"], [("spawn", None)]),
        (['Connection failed after 5ms: Executable not found in $PATH: "harbour"'], [("spawn", None)]),
        (["Connection timeout triggered after 30001ms (limit: 30000ms)"], [("eof", "c2s")]),
        ([CONNECTED, "STDIO connection closed after 9s (cleanly)"], [("exit", None)]),
        (
            [CONNECTED, "Sending SIGINT to MCP server process", "STDIO connection closed after 9s"],
            [("eof", "c2s")],
        ),
        (
            [CONNECTED, "Closing transport (stdout overflow)", "STDIO connection closed after 9s"],
            [("eof", "c2s")],
        ),
        ([CONNECTED, "STDIO connection dropped after 9s uptime", "Connection error: read EPIPE"], []),
    ],
)
def test_who_ended_is_told_by_words(texts: list[str], found: list[tuple[str, str | None]]):
    assert events(*texts) == found


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_is_read_as_lines_are(indent: int | None):
    entries = [entry(START), entry(CONNECTED), entry("Server stderr: {ready}\n}", "error")]
    source, found = read(json.dumps(entries, indent=indent))
    assert [item.channel for item in found if isinstance(item, Line)] == ["c2s", "s2c", "stderr", "stderr"]
    assert source.header.cwd == "/home/you/sea"
    assert source.evidence.whole
    assert source.passed_over == 0


def test_an_array_of_two_sessions_has_two():
    entries = [
        entry(START),
        entry("Connection failed after 5ms: spawn x ENOENT"),
        entry(START),
        entry(CONNECTED),
    ]
    for text in (json.dumps(entries), json.dumps(entries, indent=2)):
        _, found = read(text)
        assert [item.channel for item in found if isinstance(item, Line)] == ["c2s", "s2c"]


def test_what_is_no_entry_is_passed_over_or_damage():
    source, found = read(log(START, CONNECTED) + '{"other": 1}\nnonsense\n')
    assert len([item for item in found if isinstance(item, Damaged)]) == 1
    assert source.passed_over == 1


@given(st.text(alphabet='[]{}",:\\ \n' + "debugrort", max_size=60))
def test_any_rest_is_read(rest: str):
    for text in (log(*[START, CONNECTED] * 40), json.dumps([entry(START), entry(CONNECTED)], indent=1)[:-1]):
        assert read(text + rest)[0].evidence.origin == "Claude Code's log of an MCP server"


def test_the_server_is_named_by_the_folder_of_its_logs_and_no_id_is_invented(tmp_path: Path):
    folder = tmp_path / "mcp-logs-harbour town"
    folder.mkdir()
    file = folder / "2026-03-14.jsonl"
    later = {**entry("Tool 'moorings' still running (90s elapsed)"), "timestamp": "2026-03-14T09:28:54.000Z"}
    file.write_text(log(START, CONNECTED, "Calling MCP tool: moorings") + json.dumps(later) + "\n")
    with closing(open_source(str(file))) as source:
        assert source.header.name == "harbour town"
    assert "log-" not in " ".join(finding.message for finding in judged(file))
