"""The output of VS Code about a server."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcptap.recording.format.lines import BEGINS, TOLD
from mcptap.recording.format.model import Damaged, Event, Item, Line
from tests.captures.reading import ANSWER, INITIALIZE, judged, read

START = "2026-03-14 09:26:53.589 [info] Starting server harbour\n"
RUNNING = "2026-03-14 09:26:53.600 [info] Connection state: Running\n"


def entry(text: str, level: str = "info") -> str:
    return f"2026-03-14 09:26:54.000 [{level}] {text}\n"


def items(*entries: str) -> list[Item]:
    return read("".join((START, RUNNING, *entries)))[1]


def lines(*entries: str) -> list[Line]:
    return [item for item in items(*entries) if isinstance(item, Line)]


def events(*entries: str) -> list[dict[str, Any]]:
    return [i.fields for i in items(*entries) if isinstance(i, Event) and i.kind != "log"]


@pytest.mark.parametrize(
    ("client", "server"), [("editor -> server", "server -> editor"), ("Client Says", "Server Says")]
)
def test_messages_of_both_generations_are_read(client: str, server: str):
    asked, answered = lines(
        entry(f"[{client}] {INITIALIZE}", "debug"), entry(f"[{server}] {ANSWER}", "debug")
    )
    assert (asked.channel, asked.data, asked.known) == ("c2s", INITIALIZE.encode(), "")
    assert (answered.channel, answered.data) == ("s2c", ANSWER.encode())


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("harbour\n", b"harbour"),
        ("harbour\r\n", b"harbour"),
        ("", b""),
        ('a "quoted" \\ text\n', b'a "quoted" \\ text'),
        ("ship: 🚢\n", "ship: 🚢".encode()),
        ("half a ship: \ud83d\n", "half a ship: \ud83d".encode(errors="surrogatepass")),
        (ANSWER + ANSWER + "\n", (ANSWER + ANSWER).encode()),
    ],
)
def test_text_on_stdout_is_there_whole(text: str, data: bytes):
    (line,) = lines(entry(f"Failed to parse message: {json.dumps(text)}", "warning"))
    assert (line.channel, line.data, line.known) == ("s2c", data, "")


def test_text_that_the_log_cut_is_a_beginning():
    (line,) = lines(entry('Failed to parse message: "harbour da', "warning"))
    assert (line.data, line.known) == (b"harbour da", BEGINS)


def test_a_message_that_was_cut_is_damage():
    found = items(entry('[editor -> server] {"jsonrpc":', "debug"))
    assert len([item for item in found if isinstance(item, Damaged)]) == 1


def test_stderr_stands_behind_its_mark():
    assert [
        line.data for line in lines(entry("[server stderr] one", "warning"), entry("[server stderr] "))
    ] == [
        b"one",
        b"",
    ]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Connection state: Error Process exited with code 127", {"k": "exit", "code": 127}),
        ("Connection state: Error Process exited with signal SIGSEGV", {"k": "exit", "signal": "SIGSEGV"}),
        ("Stopping server harbour", {"k": "eof", "ch": "c2s"}),
    ],
)
def test_how_the_process_ended_is_told_once(text: str, fields: dict[str, Any]):
    assert events(entry(text), entry("Connection state: Stopped"), entry(text)) == [fields]


def test_an_end_that_the_editor_may_have_wanted_is_nobodys():
    assert events(entry("Connection state: Stopped")) == []


def test_a_log_without_messages_tells_of_the_handshake():
    source, found = read(START + RUNNING + entry("Discovered 2 tools"))
    told = [item for item in found if isinstance(item, Line)]
    assert [line.value.get("method", "answer") for line in told] == [
        "initialize",
        "answer",
        "tools/list",
        "answer",
    ]
    assert {line.known for line in told} == {TOLD}
    assert told[0].number == 2
    assert told[3].value["result"] == {}
    assert not source.evidence.messages


def test_a_log_with_messages_tells_of_none():
    found = lines(entry(f"[editor -> server] {INITIALIZE}", "debug"), entry("Discovered 2 tools"))
    assert [line.known for line in found] == [""]


def test_a_server_without_tools_has_an_empty_list():
    assert lines(entry("Discovered 0 tools"))[-1].value["result"] == {"tools": []}


def test_each_start_is_a_session_of_its_own():
    source, found = read(START + RUNNING + entry("Connection state: Stopped") + START + RUNNING)
    assert [item.number for item in found if isinstance(item, Event)] == [4, 5]
    assert source.evidence.whole


def test_a_paste_without_a_start_is_no_whole_session():
    source, _ = read(entry("Waiting for server to respond to `initialize` request...") * 3)
    assert not source.evidence.whole
    assert source.header.name == "server"


def test_two_sessions_without_a_start_between_them_are_not_judged_as_one(tmp_path: Path):
    said = "2026-03-14 09:26:53.589 [info] [{}] {}\n"
    once = said.format("Client Says", INITIALIZE) + said.format("Server Says", ANSWER)
    log = tmp_path / "output.log"
    log.write_text(once + once)
    assert not {"id-reused", "initialize-twice"} & {finding.rule for finding in judged(log)}


def test_that_no_tools_were_found_is_told(tmp_path: Path):
    told = ["Starting server harbour", "Connection state: Running", "Discovered 0 tools"]
    log = tmp_path / "output.log"
    log.write_text("".join(f"2026-03-14 09:26:53.589 [info] {text}\n" for text in told))
    (finding,) = (f for f in judged(log) if f.rule == "tools-list-empty")
    assert finding.message.startswith("The log tells that the client found no tools (record 3)")
