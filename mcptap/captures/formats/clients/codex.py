"""Codex CLI's log (`~/.codex/log/codex-tui.log`).

It has stderr of servers, failed starts, and lines that Codex could not read. Messages are in it as Rust
prints objects, without JSON, and only where RUST_LOG asks for that. A line of stderr has the program, not
the server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import HEAD, Beginning, Certainty, Format
from mcptap.captures.lines import from_rfc3339
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.recording.format.model import Item, RecordingError
from mcptap.wire import SERVER_TO_CLIENT, STDERR

LINE = re.compile(
    rb"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z) +(TRACE|DEBUG|INFO|WARN|ERROR) (.*)$", re.DOTALL
)
WROTE = re.compile(rb"\bMCP server stderr \([^)\n]*\): ?(.*)$", re.DOTALL)
UNREADABLE = re.compile(rb"\bFailed to parse message[^:]*: (.*?)(?: \| Error: .*)?$", re.DOTALL)
ABOUT = re.compile(rb"(?i)\bmcp|\brmcp\b")
OWN = re.compile(rb"\bcodex_\w+")

EVIDENCE = Evidence(
    origin="Codex's log",
    framing=False,
    messages=False,
    contents=False,
    launch=False,
    process=False,
    status=False,
    one_process=False,
    client=False,
    whole=False,
)


class CodexDecoder(LogDecoder):
    """Decodes the log of all servers of a Codex."""

    def __init__(self) -> None:
        super().__init__(EVIDENCE)

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """What this line tells of a server."""
        found = LINE.match(raw.rstrip(b"\r"))
        if found is None or ABOUT.search(found[3]) is None:
            yield from self.pass_over(raw)
            return
        wall_us, level, text = from_rfc3339(found[1].decode()), found[2], found[3]
        wrote, unreadable = WROTE.search(text), UNREADABLE.search(text)
        if wrote is not None:
            yield self.line(number, STDERR, wrote[1], wall_us)
        elif unreadable is not None:
            yield self.line(number, SERVER_TO_CLIENT, unreadable[1], wall_us)
        else:
            yield self.log(number, text.decode(errors="replace"), wall_us, level.decode().lower())


def recognise(beginning: Beginning) -> CodexDecoder | None:
    """A decoder if most lines are entries of Codex, and some about MCP.

    Raises RecordingError for a log of Codex without any.
    """
    entries = [found for found in map(LINE.match, beginning.lines) if found]
    if len(entries) * 3 < len(beginning.lines) or not any(OWN.search(e[3]) for e in entries):
        return None
    if any(ABOUT.search(entry[3]) for entry in entries) or len(beginning.head) >= HEAD:
        return CodexDecoder()
    raise RecordingError(
        "looks like Codex's log; of it mcptap reads what it says of MCP servers, and none of that is in it: "
        "run codex with RUST_LOG=info,rmcp=debug, and use the server again"
    )


FORMAT = Format("codex-tui.log", Certainty.MARKED, recognise)
