"""Items of a recording made one by one, and what is said about them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Finding
from mcptap.recording.format.model import Event, Header, Item, Line


def line(number: int, channel: str, data: bytes, t_us: int = 0, eol: bytes = b"\n") -> Line:
    """One line of a channel."""
    return Line(number, channel, data, eol, t_us, t_us, t_us)


def event(number: int, kind: str, t_us: int = 0, **fields: Any) -> Event:
    """One event."""
    return Event(number, kind, t_us, t_us, fields)


def judged(items: Iterable[Item], header: Header | None = None, **options: Any) -> list[Finding]:
    """The findings of a session."""
    diagnosis = Diagnosis(header, **options)
    for item in items:
        diagnosis.feed(item)
    return diagnosis.finish()


def plain(findings: list[Finding]) -> list[tuple[Any, ...]]:
    """Findings as values that compare."""
    return [
        (f.rule, f.level, f.line, f.message, f.subject, tuple(f.records), f.count, f.side, f.consequence)
        for f in findings
    ]


def message(**members: Any) -> bytes:
    """A message of JSON-RPC."""
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def opening(client: str, version: str = "1.0", **server: object) -> list[bytes]:
    """A handshake: the lines of a client of this name and of a server with these capabilities."""
    info = {"name": client, "version": version}
    asked = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
    answer = {
        "protocolVersion": "2025-11-25",
        "capabilities": server,
        "serverInfo": {"name": "s", "version": "1"},
    }
    return [
        message(id=0, method="initialize", params=asked),
        message(id=0, result=answer),
        message(method="notifications/initialized"),
    ]


def diagnosed(lines: list[bytes], header: Header | None = None) -> Diagnosis:
    """A session of these lines that ended in order: what has a method comes from the client."""
    diagnosis = Diagnosis(header)
    for number, data in enumerate(lines, 2):
        value = json.loads(data) if data.startswith(b"{") else {}
        from_client = "method" in value
        diagnosis.feed(line(number, "c2s" if from_client else "s2c", data, number * 1000))
    diagnosis.feed(event(len(lines) + 2, "eof", 3_000_000, ch="c2s"))
    diagnosis.feed(event(len(lines) + 3, "exit", 3_001_000, code=0))
    diagnosis.finish()
    return diagnosis
