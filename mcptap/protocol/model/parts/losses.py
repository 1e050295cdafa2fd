"""What is missing of a session: records that could not be read, and those that were never written."""

from __future__ import annotations

from collections import Counter

from mcptap.recording.format.model import Damaged, Event, Item

GAP = "gap"


class Losses:
    """What was lost, counted by the reason."""

    def __init__(self) -> None:
        self.damaged: Counter[str] = Counter()
        """Records, or lines of a capture, that could not be understood."""
        self.missing: Counter[str] = Counter()
        """Records that the tap could not write."""
        self.outlined: list[int] = []
        """Record numbers of lines that are too large to be taken apart: there, but not known in full."""
        self.passed_over = 0
        """Records that are there and were not looked at, by choice of who judges."""
        self.gap_us: int | None = None
        """Where the first of these is missing, in microseconds of the session; None if none is."""

    def take(self, item: Item) -> bool:
        """Take an item that is no line; whether something is missing there."""
        if isinstance(item, Damaged):
            self.damaged[item.why] += 1
            return True
        if not isinstance(item, Event) or item.kind != GAP:
            return False
        why = item.fields.get("why") or "for an unknown reason"
        self.missing[why] += max(1, item.fields.get("records", 1))
        if self.gap_us is None:
            self.gap_us = item.t_us
        return True

    @property
    def total(self) -> int:
        """How many records, or lines of a capture, are missing."""
        return self.damaged.total() + self.missing.total()

    @property
    def any(self) -> bool:
        """Whether anything is missing."""
        return bool(self.damaged or self.missing)
