"""Several words as one phrase."""

from __future__ import annotations

from collections.abc import Sequence


def listed(words: Sequence[str], limit: int = 5) -> str:
    """`a, b and c`; behind `limit` words `and 3 more`; `none` without any."""
    if not words:
        return "none"
    shown = [*words[:limit], f"{len(words) - limit} more"] if len(words) > limit else words
    return ", ".join(shown[:-1]) + " and " + shown[-1] if len(shown) > 1 else shown[0]
