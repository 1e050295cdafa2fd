"""Start limits of clients: which of them the start of a server broke."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from mcptap.clients.client import Since, StartLimit, Until
from mcptap.clients.table import CLIENTS
from mcptap.protocol.statistics.startup import Startup


@dataclass(frozen=True, slots=True)
class NamedLimit:
    """A start limit, and the names of the clients that have it as their default."""

    client: str
    limit: StartLimit

    @property
    def seconds(self) -> float:
        """The limit."""
        return self.limit.seconds

    @property
    def words(self) -> str:
        """`Continue (20 s for the answer to initialize)`."""
        return f"{self.client} ({self.seconds:g} s for {self.limit.until.value})"


def _limits() -> Iterator[tuple[str, StartLimit]]:
    for client in CLIENTS.values():
        limit = client.start_limit.value
        if limit is None or limit.seconds == math.inf:
            continue
        yield client.name, limit
        if limit.older_s is not None:
            yield f"{client.name} (older versions)", StartLimit(limit.older_s, limit.since, limit.until)


def _counted(named: tuple[str, StartLimit]) -> tuple[float, str, str]:
    limit = named[1]
    return limit.seconds, limit.until.value, limit.since.value


START_LIMITS = tuple(
    NamedLimit(
        ", ".join(dict.fromkeys(name for name, _ in same)), StartLimit(seconds, Since(since), Until(until))
    )
    for (seconds, until, since), same in groupby(sorted(_limits(), key=_counted), key=_counted)
)
"""All that are known, shortest first; a limit that several clients have stands once."""


def exceeded(startup: Startup, now_us: int) -> list[tuple[NamedLimit, int]]:
    """The limits that this start broke, each with the microseconds it took.

    A step that was never reached has lasted until `now_us`, the last that is known; its
    limit is broken only if even that is too long. Without a spawn nothing can be said.
    """
    if startup.spawn_us is None or startup.asked_us is None:
        return []
    broken = []
    for named in START_LIMITS:
        opened = named.limit.until is Until.OPENED
        reached_us = startup.answered_us if opened else startup.listed_us
        if reached_us is None and not opened and startup.answered_us is not None:
            continue  # the client may not have asked for the list, or late
        began_us = startup.spawn_us if named.limit.since is Since.SPAWN else startup.asked_us
        took_us = (now_us if reached_us is None else reached_us) - began_us
        if took_us > named.seconds * 1_000_000:
            broken.append((named, took_us))
    return broken


def shortest(until: Until = Until.OPENED) -> NamedLimit:
    """The shortest start limit that counts until this."""
    return next(named for named in START_LIMITS if named.limit.until is until)


SHORTEST_REQUEST_S = min(c.request_limit.value.seconds for c in CLIENTS.values() if c.request_limit.value)
"""After so many seconds the first clients give a request up."""
