"""How long clients wait for a server to start, and what a start-up means to each of them.

Limits are those that the clients' documentation or source gives, or that were seen. They
run from the spawn to the point named; settings of the user may change most of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mcptap.protocol.statistics.statistics import Startup

OPENED: Final = "the answer to initialize"
LISTED: Final = "the tool list"


@dataclass(frozen=True, slots=True)
class Limit:
    """A client's patience: `seconds` from the spawn until `until` has come."""

    client: str
    seconds: float
    until: str
    setting: str = ""
    """What changes it."""


LIMITS = (
    Limit("Cline CLI", 3, OPENED, "timeout"),
    Limit("Codex (older versions)", 10, LISTED, "startup_timeout_sec"),
    Limit("Continue", 20, OPENED),
    Limit("Claude Code", 30, OPENED, "MCP_TIMEOUT"),
    Limit("Codex", 30, LISTED, "startup_timeout_sec"),
    Limit("Cline, Roo, Zed", 60, OPENED),
    Limit("TypeScript SDK, C# SDK", 60, OPENED),
    Limit("Gemini CLI", 600, OPENED, "timeout"),
)
"""Shortest first. What a client's text says and its runs disprove (opencode: 5 s) is left out."""


def exceeded(startup: Startup, now_us: int) -> list[tuple[Limit, int]]:
    """The limits that this start broke, each with the microseconds it took.

    A step that was never reached has lasted until `now_us`, the last that is known; its
    limit is broken only if even that is too long. Without a spawn nothing can be said.
    """
    if startup.spawn_us is None or startup.asked_us is None:
        return []
    broken = []
    for limit in LIMITS:
        reached = startup.answered_us if limit.until == OPENED else startup.listed_us
        if reached is None and limit.until == LISTED and startup.answered_us is not None:
            continue  # whether the list was asked for in time is the client's affair
        took = (now_us if reached is None else reached) - startup.spawn_us
        if took > limit.seconds * 1_000_000:
            broken.append((limit, took))
    return broken
