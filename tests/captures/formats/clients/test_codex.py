"""Codex's log, beside the samples."""

from tests.captures.reading import lines

HEAD = "2026-03-14T09:26:53.589000Z  INFO "


def test_stderr_and_unreadable_lines_are_lines_of_the_session():
    text = (
        f"{HEAD}codex_rmcp_client::rmcp_client: MCP server stderr (npx): a: b\n"
        f"{HEAD}rmcp::transport: Failed to parse message from stream: x | y | Error: expected value\n"
        f"{HEAD}codex_core::config: loaded\n"
    )
    assert lines(text) == [(1, "stderr", b"a: b"), (2, "s2c", b"x | y")]
