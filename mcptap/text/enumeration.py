"""Several words as one phrase."""

from __future__ import annotations

from collections.abc import Sequence


def listed(words: Sequence[str], limit: int = 5, last: str = "and") -> str:
    """`a, b and c`, or with another `last` word; behind `limit` words `and 3 more`; `none` without any."""
    if not words:
        return "none"
    shown = [*words[:limit], f"{len(words) - limit} more"] if len(words) > limit else words
    return ", ".join(shown[:-1]) + f" {last} {shown[-1]}" if len(shown) > 1 else shown[0]
