"""What known clients would have shown of a server that works in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from mcptap.clients.table import CLIENTS
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.client_launch import launch_as_client
from mcptap.play.probe.client_report import ClientOutcome, ClientReport
from mcptap.play.probe.client_session import play_client_session
from mcptap.play.server.launch import Launch
from mcptap.recording.format.model import Event, Line
from mcptap.recording.reader import Reader
from tests.play.function_server import answering, run, running
from tests.play.probing import SMALL
from tests.real.measuring import clients, table


def appearance(
    client: str,
    tmp_path: Path,
    *oddities: str,
    environ: Mapping[str, str] | None = None,
    entry: Mapping[str, str] | None = None,
    folder: Path | None = None,
    start_s: float = 30,
) -> ClientReport:
    argv = [*SMALL, *oddities]
    launch, seen = launch_as_client(
        CLIENTS[client],
        Launch(argv, str(folder or tmp_path), {**os.environ, **(environ or {})}),
        entry or {},
    )
    settings = ConnectionSettings(
        launch, timeout_s=20, start_s=start_s, record=f"{tmp_path}/records/", tell=pytest.fail
    )
    trio.run(play_client_session, CLIENTS[client], settings, launch, seen)
    return seen


@pytest.mark.parametrize("client", CLIENTS)
def test_every_client_lists_the_tools_of_a_plain_server(tmp_path, client):
    seen = appearance(client, tmp_path)
    assert seen.outcome is ClientOutcome.LISTED
    assert seen.tools == ["act"]


def test_a_relative_file_is_not_there_for_a_client_that_starts_elsewhere(tmp_path):
    (tmp_path / "small_data.txt").write_text("here")
    assert appearance("claude-code", tmp_path, "needs-file").outcome is ClientOutcome.LISTED
    seen = appearance("claude-desktop", tmp_path, "needs-file")
    assert seen.outcome is ClientOutcome.DISCONNECTED
    assert "small_data.txt" in seen.why
    assert str(tmp_path) in " ".join(seen.remarks)


def test_a_variable_does_not_pass_a_short_list_unless_the_entry_has_it(tmp_path):
    environ = {"MY_API_KEY": "x"}
    assert appearance("opencode", tmp_path, "needs-key", environ=environ).outcome is ClientOutcome.LISTED
    for client in ("codex", "gemini-cli", "typescript-sdk-1"):
        seen = appearance(client, tmp_path, "needs-key", environ=environ)
        assert seen.outcome is ClientOutcome.DISCONNECTED
        assert "MY_API_KEY is required" in seen.why
        assert appearance(client, tmp_path, "needs-key", entry=environ).outcome is ClientOutcome.LISTED


@pytest.mark.parametrize(
    ("client", "oddity", "shown"),
    [
        ("claude-code", "greets", ClientOutcome.LISTED),
        ("opencode", "greets", ClientOutcome.LISTED),
        ("cline", "greets", ClientOutcome.DISCONNECTED),
        ("gemini-cli", "greets", ClientOutcome.LISTED),
        ("gemini-cli", "chatters", ClientOutcome.DISCONNECTED),
        ("cline-cli", "chatters", ClientOutcome.DISCONNECTED),
    ],
)
def test_a_stray_line_does_what_that_client_does_about_it(tmp_path, client, oddity, shown):
    assert appearance(client, tmp_path, oddity).outcome is shown


@pytest.mark.parametrize(
    ("client", "shown"),
    [
        ("typescript-sdk-1", ClientOutcome.NO_TOOLS),
        ("typescript-sdk-2", ClientOutcome.NO_TOOLS),
        ("python-sdk-1", ClientOutcome.LISTED),
        ("python-sdk-2", ClientOutcome.LISTED),
    ],
)
def test_a_null_where_nothing_should_be_costs_the_whole_list_in_a_strict_library(tmp_path, client, shown):
    seen = appearance(client, tmp_path, "null-field")
    assert seen.outcome is shown
    assert ("annotations" in seen.why) is (shown is ClientOutcome.NO_TOOLS)


@pytest.mark.parametrize(
    ("client", "shown"),
    [
        ("claude-code", ClientOutcome.LISTED),
        ("python-sdk-2", ClientOutcome.LISTED),
        ("typescript-sdk-2", ClientOutcome.LISTED),
        ("typescript-sdk-1", ClientOutcome.DISCONNECTED),
        ("gemini-cli", ClientOutcome.DISCONNECTED),
    ],
)
def test_only_clients_that_ask_for_it_can_use_a_stateless_server(tmp_path, client, shown):
    seen = appearance(client, tmp_path, "stateless")
    assert seen.outcome is shown
    assert ("-32022" in seen.why) is (shown is ClientOutcome.DISCONNECTED)


def test_what_a_strict_library_would_do_is_a_remark_where_the_library_is_not_known(tmp_path):
    seen = appearance("cursor", tmp_path, "null-field")
    assert seen.outcome is ClientOutcome.LISTED
    assert any("Its library, if it is the TypeScript SDK" in remark for remark in seen.remarks)


def test_what_an_unknown_client_does_about_a_stray_line_is_not_guessed(tmp_path):
    seen = appearance("cursor", tmp_path, "greets")
    assert seen.outcome is ClientOutcome.LISTED
    assert any("not known" in remark for remark in seen.remarks)
    assert any("environment" in assumption for assumption in seen.assumptions)


def test_a_server_without_declared_tools_shows_none_where_the_client_does_not_ask(tmp_path):
    assert appearance("typescript-sdk-1", tmp_path, "declares-nothing").outcome is ClientOutcome.LISTED
    assert appearance("typescript-sdk-2", tmp_path, "declares-nothing").outcome is ClientOutcome.NO_TOOLS


def test_where_less_was_waited_than_the_client_would_it_is_said(tmp_path):
    seen = appearance("gemini-cli", tmp_path, "silent", start_s=0.5)
    assert seen.why.endswith("within 0.5 s, and it would wait 600 s")
    assert any("--start-timeout" in assumption for assumption in seen.assumptions)


def test_what_a_stray_line_does_comes_with_how_that_is_known(tmp_path):
    seen = appearance("claude-desktop", tmp_path, "greets")
    assert any("second-hand" in remark for remark in seen.remarks)


def test_the_client_names_itself_in_a_stateless_session_too(tmp_path):
    seen = appearance("claude-code", tmp_path)
    with Reader(seen.path) as reader:
        first = next(i.value for i in reader.items() if isinstance(i, Line) and i.channel == "c2s")
    assert first["method"] == "server/discover"
    assert first["params"]["_meta"]["io.modelcontextprotocol/clientInfo"]["name"] == "claude-code"


def test_a_silent_server_hangs(tmp_path):
    seen = appearance("python-sdk-1", tmp_path, "silent", start_s=0.5)
    assert seen.outcome is ClientOutcome.HUNG
    assert "initialize" in seen.why


def test_a_command_that_is_not_there_could_not_be_started(tmp_path):
    launch, seen = launch_as_client(CLIENTS["roo"], Launch(["no-such-command-at-all"], str(tmp_path)), {})
    settings = ConnectionSettings(launch, record=f"{tmp_path}/records/", tell=pytest.fail)
    trio.run(play_client_session, CLIENTS["roo"], settings, launch, seen)
    assert seen.outcome is ClientOutcome.FAILED
    assert "no-such-command-at-all" in seen.why


def test_the_recording_has_the_client_s_first_messages_and_its_way_of_stopping(tmp_path):
    seen = appearance("claude-code", tmp_path, "deaf")
    with Reader(seen.path) as reader:
        items = list(reader.items())
    lines = [i.value for i in items if isinstance(i, Line) and i.channel == "c2s"]
    assert [m["method"] for m in lines][:2] == ["server/discover", "initialize"]
    assert isinstance(lines[0]["id"], str)
    assert lines[1]["params"]["protocolVersion"] == "2025-11-25"
    events = [(i.kind, i.fields.get("signal")) for i in items if isinstance(i, Event)]
    assert [s for kind, s in events if kind == "signal"] == ["SIGINT", "SIGTERM", "SIGKILL"]


def opened_with(seen: ClientReport) -> dict[str, Any]:
    with Reader(seen.path) as reader:
        lines = (i.value for i in reader.items() if isinstance(i, Line) and i.channel == "c2s")
        return next(value["params"] for value in lines if value.get("method") == "initialize")


def test_a_client_declares_what_it_really_declares(tmp_path):
    roots = {"listChanged": True}
    assert opened_with(appearance("inspector", tmp_path))["capabilities"]["roots"] == roots
    seen = appearance("cline-cli", tmp_path)
    assert opened_with(seen)["capabilities"] == {}
    assert "capabilities: not known; none were declared" in seen.assumptions


MEASURED = table.load()


@pytest.mark.parametrize(
    ("client", "case"),
    [
        *(("claude-code", case) for case in ("capabilities-empty", "tools-capability-null", "title-null")),
        *(("claude-code", case) for case in ("mock-error-null", "invalid-utf8")),
        *(("gemini-cli", case) for case in ("revision-2025-11-25", "capabilities-empty")),
        *(("codex", case) for case in ("revision-unknown", "input-schema-missing", "mock-bom")),
        *(("python-sdk-1", case) for case in ("nan", "result-and-error", "input-schema-of-text")),
        ("codex", "server-info-missing"),
        ("inspector", "server-info-missing"),
        ("opencode", "page-error"),
    ],
)
def test_a_client_is_played_as_it_was_measured(tmp_path, client, case):
    shows = {
        clients.HAS_TOOLS: {ClientOutcome.LISTED},
        clients.NO_TOOLS: {ClientOutcome.NO_TOOLS},
        clients.LIST_FAILS: {ClientOutcome.NO_TOOLS},
        clients.NOT_CONNECTED: {ClientOutcome.DISCONNECTED},
        clients.CONNECTED: {ClientOutcome.LISTED, ClientOutcome.NO_TOOLS},
    }
    launch, seen = launch_as_client(CLIENTS[client], Launch(faulty(case, tmp_path), str(tmp_path)), {})
    settings = ConnectionSettings(launch, timeout_s=20, record=f"{tmp_path}/records/", tell=pytest.fail)
    trio.run(play_client_session, CLIENTS[client], settings, launch, seen)
    assert seen.outcome in shows[MEASURED[client]["cases"][case]["outcome"]], seen.words
    assert not seen.doubtful
    assert client != "claude-code" or seen.lead == "would have shown"


def test_what_only_its_library_would_do_is_said_as_that(tmp_path):
    launch, seen = launch_as_client(CLIENTS["roo"], Launch(faulty("title-null", tmp_path), str(tmp_path)), {})
    settings = ConnectionSettings(launch, timeout_s=20, record=f"{tmp_path}/records/", tell=pytest.fail)
    trio.run(play_client_session, CLIENTS["roo"], settings, launch, seen)
    assert seen.outcome is ClientOutcome.NO_TOOLS
    assert "Its library, if it is the TypeScript SDK, throws, and has no result" in seen.why
    assert seen.doubtful
    assert seen.lead == "as far as known"


def test_a_fault_in_another_list_costs_no_tools(tmp_path):
    server = tmp_path / "server.py"
    server.write_text(RESOURCE_WITHOUT_URI)
    launch, seen = launch_as_client(
        CLIENTS["opencode"], Launch([sys.executable, str(server)], str(tmp_path)), {}
    )
    settings = ConnectionSettings(launch, timeout_s=20, record=f"{tmp_path}/records/", tell=pytest.fail)
    trio.run(play_client_session, CLIENTS["opencode"], settings, launch, seen)
    assert (seen.outcome, seen.tools) == (ClientOutcome.LISTED, ["a"])


RESOURCE_WITHOUT_URI = """
import json, sys
RESULTS = {
    "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "resources": {}},
                   "serverInfo": {"name": "s", "version": "1"}},
    "tools/list": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]},
    "resources/list": {"resources": [{"name": "no URI", "description": None}]},
    "resources/templates/list": {"resourceTemplates": []},
}
for line in sys.stdin:
    request = json.loads(line)
    if "id" in request and request.get("method") in RESULTS:
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": RESULTS[request["method"]]}
        print(json.dumps(answer), flush=True)
"""


def faulty(case: str, folder: Path) -> list[str]:
    return [sys.executable, str(clients.SERVER), case, str(folder / "heard")]


REFUSED = -32022


def slow_to_discover(answers_again: bool, handshake_after: bool) -> Any:
    """A server that answers server/discover too late, and refuses initialize in that process."""
    processes: list[int] = []

    @asynccontextmanager
    async def started(launch: Any, *hearers: Any) -> AsyncIterator[Any]:
        processes.append(0)
        asked: list[str] = []

        def discover(_: Any) -> Any:
            asked.append("")
            modern = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **MODERN}
            return modern if answers_again and len(asked) > 1 else None

        fresh = handshake_after and len(processes) > 1
        initialize = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": INFO}
        tools = {"tools": [{"name": "act", "inputSchema": {"type": "object"}}], **MODERN}
        answers = {
            "server/discover": discover,
            "initialize": initialize if fresh else REFUSED,
            "tools/list": tools,
        }
        async with running(answering(answers))(launch, *hearers) as server:
            yield server

    return started


INFO = {"name": "x", "version": "1"}
MODERN = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "serverInfo": INFO}


@pytest.mark.parametrize(
    ("answers_again", "handshake_after", "shown"),
    [
        (True, False, ClientOutcome.LISTED),
        (False, True, ClientOutcome.LISTED),
        (False, False, ClientOutcome.DISCONNECTED),
    ],
)
def test_claude_code_asks_a_server_that_was_slow_to_discover_once_more_and_then_a_fresh_one(
    tmp_path, monkeypatch, answers_again, handshake_after, shown
):
    server = slow_to_discover(answers_again, handshake_after)
    monkeypatch.setattr("mcptap.play.client.connection.running", server)
    client = CLIENTS["claude-code"]
    launch, seen = launch_as_client(client, Launch(["x"], str(tmp_path), {}), {})
    settings = ConnectionSettings(launch, record=f"{tmp_path}/records/", tell=pytest.fail)
    run(play_client_session, client, settings, launch, seen)
    assert seen.outcome is shown
