"""What Claude Code writes with `--debug`."""

from mcptap.recording.format.model import Line
from tests.captures.reading import read

TIME = "2026-03-14T09:26:53.589Z "


def log(time: str = TIME) -> str:
    return (
        f"{time}[DEBUG] Watching for changes in setting files\n"
        f'{time}[DEBUG] MCP server "harbour": Starting connection with timeout of 30000ms\n'
        f'{time}[DEBUG] MCP server "tides": Starting connection with timeout of 30000ms\n'
        f'{time}[ERROR] MCP server "harbour" Server stderr: Traceback:\n'
        "  File x\n"
        f'{time}[DEBUG] MCP server "tides": Successfully connected (transport: stdio) in 1ms\n'
        f"{time}[DEBUG] Stream started\n"
        "and more of it\n"
    )


def test_the_sessions_of_servers_are_told_apart_by_their_names():
    source, found = read(log())
    assert source.header.name == "tides"
    assert [item.channel for item in found if isinstance(item, Line)] == ["c2s", "s2c"]
    assert source.passed_over == 2
    assert source.evidence.times
    assert source.evidence.whole


def test_without_times_only_the_order_counts():
    source, found = read(log("").replace('"tides"', '"harbour"'))
    assert not source.evidence.times
    stderr = [item for item in found if isinstance(item, Line) and item.channel == "stderr"]
    assert [(line.data, line.t_us, line.wall_us) for line in stderr] == [
        (b"Traceback:", 0, 0),
        (b"  File x", 0, 0),
    ]
