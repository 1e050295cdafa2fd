"""Runs: the sessions that one client started, one for each of its servers.

A client starts its servers as processes of its own, so the taps have one parent (which when it began tells
from others that had its pid), and they live at the same time. Where each server has a launcher in between
(`npx`), or the parent isn't known, sessions count as one run if the same client started them within moments,
each server once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mcptap.captures.summary import Summary

GAP_US = 10_000_000
"""A client that lost its only server may take so long to start it once more."""

NEAR_US = 3_000_000
"""Within so long a client starts all servers that it has at its own start."""


@dataclass(slots=True)
class Run:
    """One run. Its sessions are the oldest first."""

    sessions: list[Summary] = field(default_factory=list)

    @property
    def start_wall_us(self) -> int:
        """When its first session began."""
        return self.sessions[0].start_wall_us

    @property
    def end_wall_us(self) -> int:
        """When the last of what is recorded happened, or now."""
        return max(s.start_wall_us + s.length_us for s in self.sessions)

    @property
    def client(self) -> str:
        """The client, as it named itself to a server; else its process."""
        named = next((s for s in self.sessions if s.client_name), self.sessions[0])
        return named.client

    @property
    def servers(self) -> list[str]:
        """The names of its servers, each once, in the order of their start."""
        return list(dict.fromkeys(s.name for s in self.sessions))

    def holds(self, path: str) -> bool:
        """Whether the recording at this path is one of its sessions."""
        return any(s.path == path for s in self.sessions)


def runs_of(summaries: Iterable[Summary]) -> list[Run]:
    """All sessions as runs, the newest first; a session that stands alone is a run of one."""
    runs: list[Run] = []
    of_parent: dict[tuple[int, int, str], tuple[Run, int]] = {}
    """The last run of each parent, and when it ended."""
    alone: list[Run] = []
    for summary in sorted(summaries, key=lambda s: s.start_wall_us):
        parent = summary.header.parent
        pid, name = parent.get("pid", 0), parent.get("name", "")
        key: tuple[int, int, str] = pid, parent.get("start", 0), name
        if not summary.start_wall_us or summary.header.probe or name.startswith("mcptap "):
            alone.append(Run([summary]))  # it is not known when it was, or mcptap played the client
            continue
        end_us = summary.start_wall_us + summary.length_us
        if pid and key in of_parent:
            before, until_us = of_parent[key]
            if summary.start_wall_us <= until_us + GAP_US:
                before.sessions.append(summary)
                of_parent[key] = before, max(until_us, end_us)
                continue
        runs.append(Run([summary]))
        of_parent[key] = runs[-1], end_us
    return sorted([*_joined(runs), *alone], key=lambda run: run.start_wall_us, reverse=True)


def _joined(runs: list[Run]) -> list[Run]:
    """Runs that began within moments of each other, by the same client and with other servers, as one."""
    made: list[Run] = []
    for run in runs:
        near = _begun_since(run.start_wall_us - NEAR_US, made)
        earlier = next((e for e in near if _is_same_start(e, run)), None)
        if earlier is None:
            made.append(run)
        else:
            both = [*earlier.sessions, *run.sessions]
            earlier.sessions = sorted(both, key=lambda s: s.start_wall_us)
    return made


def _begun_since(wall_us: int, runs: list[Run]) -> Iterator[Run]:
    """The last of these runs, from the end on, that began at this time or later."""
    for run in reversed(runs):
        if run.start_wall_us < wall_us:
            return
        yield run


def _is_same_start(earlier: Run, later: Run) -> bool:
    one, other = earlier.sessions[0], later.sessions[0]
    same = (one.client_name, one.client_version, one.parent_name) == (
        other.client_name,
        other.client_version,
        other.parent_name,
    )
    return same and bool(one.client_name) and not set(earlier.servers) & set(later.servers)
