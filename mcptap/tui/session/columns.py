"""The columns of the timeline: which fit into a width, and what stands above them."""

from __future__ import annotations

from mcptap.text.columns import fit, fit_right

LABEL, LABEL_NARROW = 22, 12
"""Columns for what a row without a message is, before its text."""

NARROW = 100
"""With fewer columns a row has no id and no size, and its state, if there is one, stands before its text."""

LEAST_EXCERPT = 16


class Columns:
    """Which columns fit into a width, and how wide they are. `name` is what the longest name takes."""

    def __init__(self, columns: int, number: int, time: int, name: int = 30) -> None:
        is_narrow = columns < NARROW
        self.number = number if columns >= 60 else 0
        self.time = time
        self.latency = 7
        self.state = 0 if is_narrow else 12
        self.size = 0 if is_narrow else 6
        self.id = 0 if is_narrow else 7
        self.label = LABEL_NARROW if is_narrow else LABEL
        rest = columns - self.number - self.time - 3 - self.latency - self.state - self.size - self.id
        self.name = max(10, min(name + 1, rest * 9 // 20 if rest < 90 else rest // 2))
        self.excerpt = max(0, rest - self.name - 1)
        if self.excerpt < LEAST_EXCERPT:
            self.state = 12
            self.name, self.excerpt = max(10, rest - (12 if is_narrow else 0)), 0

    def headings(self) -> str:
        """What stands in the columns, above them."""
        words = "  "
        if self.number:
            words += fit_right("#", self.number - 1) + " "
        words += fit_right("time", self.time - 1) + "   " + fit("message", self.name)
        if self.id:
            words += fit_right("id", self.id - 1) + " "
        words += fit_right("took", self.latency - 1) + " "
        words += fit("  state", self.state) if self.state else ""
        if self.size:
            words += fit_right("size", self.size - 1) + " "
        return words + (" content" if self.excerpt and self.state else "content" if self.excerpt else "")
