"""Logs of Claude Desktop."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.open import source_of
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.recording.format.lines import BEGINS, OUTLINE
from mcptap.recording.format.model import Damaged, Event, Item, Line
from tests.captures.reading import ANSWER, INITIALIZE, judged, read

TIME = "2026-03-14T09:26:53.589Z"
START = f"{TIME} [harbour] [info] Initializing server...\n"
STARTED = f"{TIME} [harbour] [info] Server started and connected successfully\n"


def entry(text: str, level: str = "info", at: str = TIME, name: str = "harbour") -> str:
    return f"{at} [{name}] [{level}] {text}\n"


def items(*entries: str) -> list[Item]:
    return read("".join((START, STARTED, *entries)))[1]


def lines(*entries: str) -> list[Line]:
    return [item for item in items(*entries) if isinstance(item, Line)]


def ends(*entries: str) -> list[tuple[str, str]]:
    return [
        (i.kind, i.fields.get("ch", ""))
        for i in items(*entries)
        if isinstance(i, Event) and i.kind in ("eof", "exit")
    ]


def test_a_message_is_what_stands_behind_its_side():
    asked, answered = lines(
        entry(f"Message from client: {INITIALIZE}"),
        entry(f"Message from server: {ANSWER} {{ metadata: undefined }}"),
    )
    assert (asked.channel, asked.data, asked.number) == ("c2s", INITIALIZE.encode(), 3)
    assert (answered.channel, answered.data) == ("s2c", ANSWER.encode())


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ('method="tools/call" id=3 params', {"method": "tools/call", "id": 3, "params": {}}),
        ('method="ping" id=4', {"method": "ping", "id": 4}),
        ('method="notifications/initialized"', {"method": "notifications/initialized"}),
        ('method="notifications/cancelled" params', {"method": "notifications/cancelled", "params": {}}),
        ("id=0 result", {"id": 0, "result": {}}),
        ("id=8 result(1 blocks)", {"id": 8, "result": {}}),
        ("id=9 error(code=-32603)", {"id": 9, "error": {"code": -32603}}),
        ('id="a-1" result', {"id": "a-1", "result": {}}),
        ("id=a-1 result", {"id": "a-1", "result": {}}),
    ],
)
def test_of_a_message_without_contents_its_members_are_known(text: str, members: dict[str, object]):
    (line,) = lines(entry(f"Message from server: {text} {{ metadata: undefined }}"))
    assert line.known == OUTLINE
    assert line.value == {"jsonrpc": "2.0", **members}
    source, _ = read(START + entry(f"Message from server: {text}"))
    assert not source.evidence.contents


def test_a_message_that_was_cut_is_damage():
    found = items(
        entry('Message from server: {"jsonrpc":"2.0","id":1,"resu'), entry("Message from server: id=1 resul")
    )
    assert [type(item) for item in found if not isinstance(item, Event)] == [Damaged, Damaged]


def test_lines_without_a_time_are_stderr_with_the_time_before():
    said, json_said = lines("a traceback\n", '{"jsonrpc":"2.0","id":1,"result":{}}\n')
    assert (said.channel, said.t_us, json_said.channel) == ("stderr", 0, "stderr")


def test_an_object_that_an_entry_was_printed_with_is_not_stderr():
    found = lines(
        entry("Using MCP server command: npx with args and path: {").replace("\n", ""),
        "\n  metadata: {\n    args: [ '-y', [length]: 1 ]\n  }\n} %o\n",
        "banner\n",
        entry("spent {", "warn"),
        "}\nafter\n",
    )
    assert [line.data for line in found] == [b"banner", b"after"]


def test_what_follows_an_open_object_unindented_is_stderr():
    assert [line.data for line in lines(entry("odd {"), "banner\n", "  more\n")] == [b"banner", b"  more"]


@pytest.mark.parametrize(
    ("told", "ended"),
    [
        (
            [
                "Server transport closed",
                "Client transport closed",
                "Server transport closed unexpectedly, so",
            ],
            ("exit", ""),
        ),
        (["Server transport closed", "Server transport closed (intentional shutdown)"], ("eof", "c2s")),
        (
            [
                "Client transport closed",
                "Server transport closed",
                "Server transport closed unexpectedly, so",
            ],
            ("eof", "c2s"),
        ),
        (["Shutting down server...", "Server transport closed"], ("eof", "c2s")),
        (["Server transport closed"], ("exit", "")),
    ],
)
def test_who_closed_first_is_told_by_the_order(told: list[str], ended: tuple[str, str]):
    assert ends(*(entry(text) for text in told), entry("Client transport closed")) == [ended]


def test_what_is_told_of_the_process_before_is_not_of_this_one():
    found = read(START + entry("Client transport closed") + entry("Server transport closed") + STARTED)[1]
    assert not [item for item in found if isinstance(item, Event) and item.kind in ("eof", "exit")]


def test_a_rejected_line_is_known_by_its_beginning():
    told = "Unexpected token 'h', \"harbour da\"... is not valid JSON"
    context = json.dumps({"context": "connection", "stack": f"SyntaxError: {told}\n    at JSON.parse"})
    for tail in ("", f" {context}", " { metadata: { context: 'connection', stack: undefined } }"):
        (line,) = lines(entry(f"{told}{tail}", "error"))
        assert (line.channel, line.data, line.known) == ("s2c", b"harbour da", BEGINS)


def test_in_the_log_of_all_servers_each_has_its_own_session():
    log = "".join(
        f"{TIME} [info] [{name}] {text}\n"
        for name, text in [
            ("sea", "Initializing server..."),
            ("land", "Initializing server..."),
            ("sea", f"Message from client: {INITIALIZE}"),
            ("land", "Server started and connected successfully"),
            ("sky", "Message from server: {}"),
        ]
    )
    source, found = read(log)
    assert source.header.name == "land"
    assert not source.evidence.stderr
    assert [item for item in found if isinstance(item, Line)] == []
    names = [source_of("log", log.encode(), number).header.name for number in (1, 2, 3)]
    assert names == ["sky", "sea", "land"]
    assert not source_of("log", log.encode(), 1).evidence.whole


def test_carriage_returns_belong_to_the_file():
    source, found = read(
        (START + STARTED + entry(f"Message from client: {INITIALIZE}") + "x\n").replace("\n", "\r\n")
    )
    assert [i.data for i in found if isinstance(i, Line)] == [INITIALIZE.encode(), b"x"]
    assert source.passed_over == 0


PIECES = st.sampled_from(
    [
        START,
        STARTED,
        entry(f"Message from client: {INITIALIZE}"),
        entry(f"Message from server: {ANSWER}"),
        entry("Message from server: id=1 result"),
        entry("Message from server: {"),
        entry("Server transport closed"),
        entry("Client transport closed"),
        entry("Server transport closed unexpectedly, so"),
        entry("odd {"),
        entry("[", "error"),
        entry("spawn npx ENOENT", "error"),
        "  indented\n",
        "}\n",
        "banner\n",
        "\xff\n",
        "\n",
        TIME,
    ]
)


@given(st.lists(PIECES, max_size=12))
def test_any_mixture_is_read(pieces: list[str]):
    text = "".join((START, STARTED * 12, *pieces))
    _, found = read(text)
    assert [item.number for item in found if isinstance(item, Line)] == sorted(
        item.number for item in found if isinstance(item, Line)
    )


def test_a_rejected_line_of_which_nothing_is_quoted_is_not_said_to_begin_with_nothing(tmp_path: Path):
    log = tmp_path / "mcp-server-harbour.log"
    log.write_text(START + STARTED + entry("Unexpected end of JSON input", "error"))
    (finding,) = (f for f in judged(log) if f.rule == "stdout-not-json")
    assert "the client rejected a line of which its log does not quote anything" in finding.message


def test_asking_for_every_list_is_a_habit_of_this_client_and_no_warning(tmp_path: Path):
    log = tmp_path / "mcp-server-harbour.log"
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "prompts/list"})
    refused = json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}})
    client = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "claude-ai", "version": "1"},
    }
    server = {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "h", "version": "1"},
    }
    said = [
        entry(
            "Message from client: "
            + json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client})
        ),
        entry("Message from server: " + json.dumps({"jsonrpc": "2.0", "id": 0, "result": server})),
        entry(f"Message from client: {asked}"),
        entry(f"Message from server: {refused}"),
    ]
    log.write_text(START + STARTED + "".join(said))
    (finding,) = (f for f in judged(log) if f.rule == "client-uses-undeclared")
    assert finding.level.word == "info"
    assert "Claude Desktop asks so" in finding.remedy


def test_a_byte_order_mark_hides_no_start():
    assert read("\ufeff" + START + STARTED)[0].evidence.whole


def test_an_entry_that_is_cut_with_the_file_is_no_stderr():
    source, found = read(START + STARTED + "loading\n" + f"{TIME} [harb")
    assert [item.data for item in found if isinstance(item, Line)] == [b"loading"]
    assert source.passed_over == 1


def test_of_an_error_without_its_request_nothing_is_missed_that_the_log_leaves_out(tmp_path: Path):
    log = tmp_path / "mcp-server-harbour1.log"
    log.write_text(
        entry('Message from client: method="tools/list" id=1 params')
        + entry("Message from server: id=2 error(code=-32601)")
        + entry("Message from server: id=1 result")
    )
    assert [finding for finding in judged(log) if finding.level.word == "error"] == []


def test_how_many_tools_were_listed_is_not_told_where_answers_are_without_contents():
    told = [
        ("client", 'method="initialize" id=0 params'), ("server", "id=0 result"),
        ("client", 'method="notifications/initialized"'),
        ("client", 'method="tools/list" id=1 params'), ("server", "id=1 result"),
    ]  # fmt: skip
    source, found = read("".join(entry(f"Message from {side}: {text}") for side, text in told))
    diagnosis = Diagnosis(source.header, evidence=source.evidence)
    for item in found:
        diagnosis.feed(item)
    diagnosis.finish(source.state())
    assert "the tools were listed" in diagnosis.verdict(source.lines, source.passed_over).words
