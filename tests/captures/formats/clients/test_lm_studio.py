"""LM Studio's developer log, beside the samples."""

from tests.captures.reading import read


def test_stderr_goes_on_until_the_next_heading_and_errors_of_the_bridge_are_not_of_it():
    text = (
        "2026-03-14 09:26:53  [ERROR]\n [Plugin(mcp/a)] stderr: Traceback\n  File x\n"
        "2026-03-14 09:26:54 [ERROR]\n [Plugin(mcp/a)] stderr: _0x1 [McpError]: MCP error -32000: "
        "Connection closed\n"
        "    at x\n2026-03-14 09:26:55 [INFO]\n[LM STUDIO SERVER] Streaming response...\n"
    )
    source, items = read(text)
    assert [getattr(item, "data", b"-") for item in items] == [b"Traceback", b"  File x", b"-"]
    assert (source.header.name, source.passed_over) == ("a", 1)
