"""The clock of a session that is played: no timer of its own, no screen."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

SPEEDS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
IDLE_LIMITS = (2_000_000, 500_000, 10_000_000, None)
"""Pauses of more microseconds are cut to so many; None: played in full."""


class Playback:
    """A moment in a session, and how fast it goes on.

    `times` are those of the records in microseconds, never falling; it may grow. `head` is the
    index of the last record that has come.
    """

    def __init__(self, times: Sequence[int], head: int = 0) -> None:
        self._times = times
        self.playing = False
        self.speed = 1.0
        self.idle_limit: int | None = IDLE_LIMITS[0]
        self.head = max(0, min(head, len(times) - 1))
        self.position_us = float(times[self.head]) if times else 0.0

    @property
    def end_us(self) -> int:
        """The time of the last record."""
        return self._times[-1] if self._times else 0

    @property
    def at_end(self) -> bool:
        """Whether all records have come."""
        return self.head >= len(self._times) - 1

    def advance(self, elapsed: float) -> bool:
        """Let so many seconds of the viewer's time pass; whether further records came."""
        if not self.playing:
            return False
        before = self.head
        self.position_us += elapsed * self.speed * 1_000_000
        self._skip_idle()
        self.head = max(before, bisect_right(self._times, self.position_us) - 1)
        if self.at_end:
            self.position_us = float(self.end_us)
            self.playing = False
        return self.head != before

    def _skip_idle(self) -> None:
        if self.idle_limit is None or self.at_end:
            return
        now = max(self.head, bisect_right(self._times, self.position_us) - 1)
        if now + 1 >= len(self._times):
            return
        coming = self._times[now + 1]
        # A viewer's pause at ×100 is a hundredth of the session's: the limit is the viewer's.
        limit = self.idle_limit * self.speed
        if coming - self._times[now] > limit and self.position_us - self._times[now] >= limit:
            self.position_us = float(coming)

    def play_or_pause(self) -> None:
        """Go on, or hold; at the end, from the start again."""
        if not self.playing and self.at_end:
            self.to_record(0)
        self.playing = not self.playing

    def change_speed(self, steps: int) -> None:
        """To the next faster or slower speed."""
        at = min(range(len(SPEEDS)), key=lambda k: abs(SPEEDS[k] - self.speed))
        self.speed = SPEEDS[max(0, min(at + steps, len(SPEEDS) - 1))]

    def next_idle_limit(self) -> None:
        """To the next limit for pauses, the last being none."""
        at = IDLE_LIMITS.index(self.idle_limit)
        self.idle_limit = IDLE_LIMITS[(at + 1) % len(IDLE_LIMITS)]

    def to_record(self, index: int) -> None:
        """To the moment at which this record had come."""
        self.head = max(0, min(index, len(self._times) - 1))
        self.position_us = float(self._times[self.head]) if self._times else 0.0

    def to_time(self, t_us: int) -> None:
        """To this time of the session."""
        self.head = max(0, bisect_right(self._times, t_us) - 1)
        self.position_us = float(max(0, min(t_us, self.end_us)))

    def step(self, records: int) -> None:
        """So many records forward or back, and hold."""
        self.playing = False
        self.to_record(self.head + records)
