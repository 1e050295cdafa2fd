"""Summaries for tests of the list, made without files."""

from __future__ import annotations

from typing import Any

from mcptap.captures.summary import Summary
from mcptap.recording.format.model import Header
from mcptap.recording.reader import State
from tests.helpers import START_WALL_US


def summary(name: str, at_s: float = 0.0, *, parent: dict[str, Any] | None = None, **fields: Any) -> Summary:
    """A session of a server of this name that began so many seconds after the others' beginning."""
    header = {
        "name": name,
        "argv": [name, "--serve"],
        "wall": START_WALL_US + int(at_s * 1_000_000),
        "parent": {"pid": 7, "name": "agent"} if parent is None else parent,
    }
    given = {
        "path": f"/recordings/{name}-{at_s}.jsonl",
        "size": 1000,
        "header": Header(header),
        "state": State.FINISHED,
        "length_us": 5_000_000,
        "messages": 10,
        "is_exact": True,
        "client_name": "agent",
        "client_version": "1.0",
        "problems": {"error": 0, "warning": 0, "info": 0},
        "outcome": "healthy",
        "verdict": "Nothing is wrong.",
    }
    return Summary(**{**given, **fields})


def broken(name: str, at_s: float = 0.0, **fields: Any) -> Summary:
    """A session with an error."""
    found = {
        "problems": {"error": 1, "warning": 0, "info": 0},
        "outcome": "broken",
        "verdict": f"{name} printed a line that is no message.",
        "remedy": "Print it to stderr.",
    }
    return summary(name, at_s, **{**found, **fields})
