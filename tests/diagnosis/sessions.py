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
