"""Runs: the sessions that one client started, one for each of its servers.

A client starts its servers as processes of its own, so the taps have one parent, and they live at the same
time. Where each server has a launcher in between (`npx`), or the parent isn't known, sessions count as one
run if the same client started them within moments, each server once.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    of_parent: dict[tuple[int, str], Run] = {}
    alone: list[Run] = []
    for summary in sorted(summaries, key=lambda s: s.start_wall_us):
        if not _is_of_client(summary):
            alone.append(Run([summary]))
            continue
        pid: int = summary.header.parent.get("pid", 0)
        before = of_parent.get((pid, summary.parent_name)) if pid else None
        if before is not None and summary.start_wall_us <= before.end_wall_us + GAP_US:
            before.sessions.append(summary)
            continue
        runs.append(Run([summary]))
        of_parent[pid, summary.parent_name] = runs[-1]
    return sorted([*_joined(runs), *alone], key=lambda run: run.start_wall_us, reverse=True)


def _is_of_client(summary: Summary) -> bool:
    """Whether a client started it, not mcptap (`probe`, `send`, `demo`), and it is known when."""
    played = summary.parent_name.startswith("mcptap ")
    return bool(summary.start_wall_us) and not summary.header.probe and not played


def _joined(runs: list[Run]) -> list[Run]:
    """Runs that began within moments of each other, by the same client and with other servers, as one."""
    made: list[Run] = []
    for run in runs:
        near = (e for e in reversed(made) if run.start_wall_us - e.start_wall_us <= NEAR_US)
        earlier = next((e for e in near if _is_same_start(e, run)), None)
        if earlier is None:
            made.append(run)
        else:
            both = [*earlier.sessions, *run.sessions]
            earlier.sessions = sorted(both, key=lambda s: s.start_wall_us)
    return made


def _is_same_start(earlier: Run, later: Run) -> bool:
    one, other = earlier.sessions[0], later.sessions[0]
    same = (one.client_name, one.client_version, one.parent_name) == (
        other.client_name,
        other.client_version,
        other.parent_name,
    )
    return same and bool(one.client_name) and not set(earlier.servers) & set(later.servers)
