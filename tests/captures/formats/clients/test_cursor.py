"""Cursor's logs of MCP servers."""

from mcptap.recording.format.lines import BEGINS
from mcptap.recording.format.model import Event, Item, Line
from tests.captures.reading import read

START = "2026-03-14 09:26:53.589 [info] Starting new stdio process with command: npx -y harbour-mcp\n"
CONNECTED = "2026-03-14 09:26:53.900 [info] Successfully connected to stdio server\n"


def entry(text: str, level: str = "info", at: str = "09:26:54.000") -> str:
    return f"2026-03-14 {at} [{level}] {text}\n"


def items(*entries: str) -> list[Item]:
    return read("".join((START, CONNECTED, *entries)))[1]


def lines(*entries: str) -> list[Line]:
    """Lines behind the handshake."""
    return [item for item in items(*entries) if isinstance(item, Line)][2:]


def ends(*entries: str) -> list[str]:
    return [
        i.fields.get("ch", i.kind)
        for i in items(*entries)
        if isinstance(i, Event) and i.kind in ("eof", "exit")
    ]


def test_words_that_are_not_cursors_are_stderr_line_by_line():
    found = lines(
        entry("loading 3 stations\n", "error"),
        entry("Traceback:\n  File x", "error"),
        entry("not an error", "info"),
    )
    assert [(line.channel, line.data) for line in found] == [
        ("stderr", b"loading 3 stations"),
        ("stderr", b"Traceback:"),
        ("stderr", b"  File x"),
    ]


def test_cursors_own_errors_are_no_stderr():
    own = ["No server info found", "Error in MCP: Client closed", "Failed to reload client: MCP error -32000"]
    assert lines(*(entry(text, "error") for text in own)) == []


def test_an_error_that_is_told_twice_is_one_line():
    told = "Unexpected token 'h', \"harbour da\"... is not valid JSON"
    twice = [entry(f"Client error: {told}", "error")] * 2
    assert [(line.data, line.known) for line in lines(*twice)] == [(b"harbour da", BEGINS)]
    assert len(lines(*twice, *twice)) == 2
    assert len(lines(twice[0], entry(f"Client error: {told}", "error", "09:26:55.000"))) == 2
    old = [entry(f"Client error for command {told}", "error"), entry(f"Error in MCP: {told}", "error")]
    assert len(lines(*old, *old)) == 2


def test_who_ended_is_told_by_what_cursor_did_before():
    closed = entry("Client closed for command")
    assert ends(closed) == ["exit"]
    assert ends(entry("Handling DeleteClient action"), closed) == ["c2s"]
    assert ends(entry("Cleaning up"), closed, closed) == ["c2s"]


def test_a_call_that_the_end_cut_off_has_no_answer():
    asked = entry("Calling tool 'moorings' with toolCallId: tool_1")
    gone = entry("Error calling tool 'moorings': MCP error -32000: Connection closed", "error")
    late = entry("Error calling tool 'moorings': MCP error -32001: Request timed out", "error")
    assert [line.channel for line in lines(asked, gone)] == ["c2s"]
    assert [line.channel for line in lines(asked, late)] == ["c2s"]
    refused = entry("Error calling tool 'moorings': MCP error -32602: no such harbour", "error")
    answer = lines(asked, refused)[1]
    assert answer.value["error"] == {"code": -32602}
    assert lines(asked, entry("Error calling tool 'moorings': no", "error"))[1].value["result"] == {}


def test_a_command_that_was_not_found_was_asked_nothing():
    _, found = read(
        START + entry("Connection failed: spawn npx ENOENT", "error") + entry("Client closed for command")
    )
    assert [item.kind for item in found if isinstance(item, Event) and item.kind != "log"] == ["spawn"]
    assert not [item for item in found if isinstance(item, Line)]


def test_two_processes_at_once_are_not_told_apart():
    source, _ = read(START + START + CONNECTED)
    assert not source.evidence.one_process


def test_the_server_has_the_name_that_its_client_was_stored_under():
    source, _ = read(START + CONNECTED + entry("Storing stdio client user-harbour"))
    assert source.header.name == "harbour"
    assert source.header.argv == ["npx", "-y", "harbour-mcp"]
