"""Whole reports, as somebody would read them aloud: at least one for each outcome."""

from __future__ import annotations

import io
import json
from contextlib import closing
from pathlib import Path

import pytest

from mcptap.captures.open import open_source
from mcptap.diagnosis.engine.selection import Selection
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.report.check_file import check_file
from mcptap.report.formats.text import file_lines
from mcptap.text.terminal import Terminal
from tests.helpers import (
    END,
    START_WALL_US,
    Step,
    Tape,
    as_bytes,
    call,
    handshake,
    request,
    result,
    text_result,
)

TOOL = {"name": "forecast", "description": "The weather of a day.", "inputSchema": {"type": "object"}}
LISTED: list[Step] = [
    *handshake(client="gemini-cli-mcp-client", client_version="0.9.0"),
    ("c2s", request(1, "tools/list")),
    ("s2c", result(1, {"tools": [TOOL]})),
]
CALLED: list[Step] = [
    *LISTED,
    ("wait", 400_000),
    ("c2s", call(2, "forecast", {"city": "Oslo"})),
    ("wait", 1_200_000),
]

GLUED = b"fetching Oslo... " + as_bytes(text_result(2, "sunny"))
TRACEBACK = (
    b"Traceback (most recent call last):\n  File \"weather.py\", line 9, in forecast\nKeyError: 'Oslo'\n"
)

HEALTHY: list[Step] = [*CALLED, ("s2c", text_result(2, "sunny")), *END]
FAILED: list[Step] = [*CALLED, ("s2c", text_result(2, "There is no station in Oslo.", is_error=True)), *END]
CRASHED: list[Step] = [*CALLED, ("stderr", TRACEBACK), ("end", "s2c"), ("exit", {"code": 1, "us": 2_000_000})]

FACTS = """
file      weather.jsonl
server    weather (weather 2.0)
client    gemini-cli-mcp-client 0.9.0 (Gemini CLI), started by agent
command   python weather.py
program   /usr/bin/python
cwd       /home/someone/project
session   2026-11-29 21:17:03 UTC, """


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.time_ns", lambda: (START_WALL_US + 31_607_000) * 1000)


def read(path: str = "weather.jsonl") -> tuple[Outcome, str]:
    """The outcome, and the report in 100 columns."""
    with closing(open_source(path)) as source:
        checked = check_file(source, Selection(), lambda: None)
    terminal = Terminal(io.StringIO(), {})
    terminal.width = 100
    return checked.outcome, "\n".join(file_lines(checked, terminal))


def recorded(steps: list[Step], *, live: bool = False) -> tuple[Outcome, str]:
    with Tape("weather.jsonl") as tape:
        tape.play(steps)
        if not live:
            tape.close()
        return read()


def test_nothing_is_wrong():
    outcome, report = recorded(HEALTHY)
    assert outcome is Outcome.HEALTHY
    assert report == (
        """\
Nothing is wrong: 1 tool was listed, 1 call was made. If the agent ignores a tool, look at its
description, and whether the client hides it.
"""
        + FACTS
        + "1.61 s, 7 messages, revision 2025-11-25, finished"
    )


def test_something_waits():
    outcome, report = recorded(CALLED, live=True)
    assert outcome is Outcome.WAITING
    assert report == (
        """\
`forecast` has waited 31.2 s for its answer; Gemini CLI gives up after 10 minutes.
"""
        + FACTS
        + "407 ms, 6 messages, revision 2025-11-25, live"
    )


def test_nothing_is_broken_but_calls_failed():
    outcome, report = recorded(FAILED)
    assert outcome is Outcome.CALLS_FAILED
    assert report == (
        """\
Nothing is broken, but the only call failed: `forecast` ("There is no station in Oslo").
"""
        + FACTS
        + "1.61 s, 7 messages, revision 2025-11-25, finished"
    )


def test_a_recording_that_breaks_off_does_not_tell_enough():
    outcome, report = recorded(CALLED)
    assert outcome is Outcome.UNCLEAR
    assert report == (
        """\
`forecast` had no answer yet where the recording breaks off.
The recording ends in the middle: the tap was killed at 2026-11-29 21:17:03 UTC or later, or this is
a copy of a live recording; the last record is 407 ms after the start.
"""
        + FACTS
        + "407 ms, 6 messages, revision 2025-11-25, cut off"
    )


def test_a_capture_of_another_tool_does_not_tell_enough():
    lines = [content for channel, content in HEALTHY if channel in ("c2s", "s2c")]
    Path("trace.txt").write_text("".join(json.dumps(line) + "\n" for line in lines))
    outcome, report = read("trace.txt")
    assert outcome is Outcome.UNCLEAR
    assert (
        report
        == """\
What this capture shows is in order (1 tool was listed, 1 call was made), but it does not show
everything.
Read as bare JSON-RPC lines: 7 lines. It does not tell times, senders, exact bytes, how the server
was started, how it ended, its exit status, stderr and whether it is the whole session; that was not
judged.

file      trace.txt
server    server (weather 2.0)
client    gemini-cli-mcp-client 0.9.0 (Gemini CLI)
session   7 messages, revision 2025-11-25
assumed   who sent a message was assumed from its method, or from the request it answers; lines that
          are no JSON-RPC message show no sender and were left out"""
    )


def test_an_answer_is_spoilt_by_a_print():
    outcome, report = recorded([*CALLED, ("s2c", GLUED), ("wait", 3_000_000), *END])
    assert outcome is Outcome.BROKEN
    assert report == (
        """\
`forecast` never returned: the server printed "fetching Oslo" in front of its reply, so the line is
no JSON.

error: stdout-glued  record 9
  Text without a newline of its own is glued to the reply to tools/call (id 2) in record 9
  ("fetching Oslo... {"jsonrpc":"2.0","id":2,"result":…"); clients drop the whole line, and the
  answer in it: tools/call of 'forecast' (record 8) was answered in record 9, in a form that no
  client can read.
  Effect: Gemini CLI uses the TypeScript SDK, which waits as if nothing had come (seen in 1.32.2).
  The same in TypeScript SDK 2.4.0, Python SDK, C# SDK, Rust SDK, Claude Code, Codex and opencode.
  Remedy: Remove the print, or send it to stderr.
"""
        + FACTS
        + "4.61 s, 6 messages, revision 2025-11-25, finished"
    )


def test_the_server_dies_during_a_call():
    outcome, report = recorded(CRASHED)
    assert outcome is Outcome.BROKEN
    assert report == (
        """\
`forecast` never returned: the server ended with exit status 1: "KeyError: 'Oslo'".

error: server-crashed  records 8, 13
  The server ended with exit status 1 during tools/call of 'forecast' (record 13); its last words:
  "KeyError: 'Oslo'"; the agent gets an error, or waits.
    | File "weather.py", line 9, in forecast
    | KeyError: 'Oslo'
  Effect: Other clients: Claude Code marks it as failed and does not start it again (/mcp does).
  Remedy: Find the failure in its stderr; catch it, and answer with an error.
"""
        + FACTS
        + "1.61 s, 6 messages, revision 2025-11-25, finished"
    )
