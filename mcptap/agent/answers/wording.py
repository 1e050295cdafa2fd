"""What the answers say alike: a session in a line, the next call, cut texts."""

from __future__ import annotations

import time

from mcptap.agent.shelf import Known
from mcptap.text.units import counted, duration


def ago(wall_us: int) -> str:
    """How long ago something was, in two digits or so: `3 m ago`; empty if it is not known when."""
    if wall_us <= 0:
        return ""
    seconds = max(0, round(time.time() - wall_us / 1_000_000))
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"


def heading(known: Known, state: str, last_us: int, messages: int) -> str:
    """A session in our own words: its name, its age, how far it is."""
    start = known.header.start_wall_us
    if state == "live":
        told = f"live, last record {ago(start + last_us)}"
    else:
        told = f"started {ago(start)}, {duration(last_us)}, {state}"
    return f"{known.name}: {told}, {counted(messages, 'message')}"


def next_call(tool: str, **arguments: object) -> str:
    """A call as it can be made."""
    said = " ".join(f"{name}={value}" for name, value in arguments.items())
    return f"Next: {tool} {said}"
