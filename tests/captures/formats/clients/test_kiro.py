"""Kiro's log of MCP servers."""

import pytest

from mcptap.recording.format.model import Event, Line
from tests.captures.reading import read


def entry(text: str, level: str = "info", name: str = "harbour") -> str:
    return f"2026-03-14 09:26:54.000 [{level}] [{name}] {text}\n"


START = entry("Registering MCP server and starting connection")


def test_a_connection_is_told_with_what_the_server_said_meanwhile():
    source, found = read(
        START
        + entry("Log from MCP Server: one\ntwo\n", "warning")
        + entry("Registering MCP server and starting connection", name="tides")
        + entry("Connected to server with transport type: Stdio")
        + entry("Successfully connected and synced tools and resources for MCP server")
        + entry("Successfully connected and synced tools and resources for MCP server", name="tides")
    )
    assert source.header.name == "tides"
    assert source.evidence.whole
    assert [item.channel for item in found if isinstance(item, Line)] == ["c2s", "s2c"]


@pytest.mark.parametrize(
    ("why", "kinds"),
    [
        ("MCP error -32000: Connection closed", [("exit", None)]),
        ("MCP error -32001: Request timed out", [("eof", "c2s")]),
        ("spawn npx ENOENT", [("spawn", None)]),
        ("odd", [("eof", "c2s")]),
    ],
)
def test_why_no_connection_came_about(why: str, kinds: list[tuple[str, str | None]]):
    _, found = read(
        START
        + entry(f"Error connecting to MCP server: {why}", "error")
        + entry("MCP connection closed successfully")
    )
    events = [item for item in found if isinstance(item, Event) and item.kind != "log"]
    assert [(event.kind, event.fields.get("ch")) for event in events] == kinds


def test_stderr_is_given_line_by_line():
    _, found = read(
        START
        + entry("Log from MCP Server: one\n\ntwo\n", "warning")
        + entry("Error connecting to MCP server: x")
    )
    assert [(i.number, i.data) for i in found if isinstance(i, Line)] == [(2, b"one"), (2, b""), (2, b"two")]
