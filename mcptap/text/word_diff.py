"""Two texts that differ, word by word, in one line: `Echoes [-back-]{+and sends home+} the input`."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
AROUND = 5
"""So many words stand around what differs; the rest is `…`."""
MOST_WORDS = 3_000
"""Of longer texts only where they begin and cease to differ is looked for."""


def word_diff(old: str, new: str) -> str:
    """What differs, with a few words around it; what is gone in `[-…-]`, what came in `{+…+}`."""
    before, now = _WORD.findall(old), _WORD.findall(new)
    pieces: list[str] = []
    blocks = _blocks(before, now)
    for at, (kind, i, i_end, j, j_end) in enumerate(blocks):
        if kind == "equal":
            pieces.append(_shared(before[i:i_end], is_first=at == 0, is_last=at == len(blocks) - 1))
            continue
        pieces += [f"[-{''.join(before[i:i_end])}-]"] if i_end > i else []
        pieces += [f"{{+{''.join(now[j:j_end])}+}}"] if j_end > j else []
    return " ".join("".join(pieces).split())


def _blocks(before: list[str], now: list[str]) -> list[tuple[str, int, int, int, int]]:
    if max(len(before), len(now)) <= MOST_WORDS:
        return SequenceMatcher(None, before, now, autojunk=False).get_opcodes()  # type: ignore[return-value]
    start = 0
    while start < min(len(before), len(now)) and before[start] == now[start]:
        start += 1
    end = 0
    while end < min(len(before), len(now)) - start and before[-1 - end] == now[-1 - end]:
        end += 1
    last, last_now = len(before) - end, len(now) - end
    return [
        ("equal", 0, start, 0, start),
        ("replace", start, last, start, last_now),
        ("equal", last, len(before), last_now, len(now)),
    ]


def _shared(words: list[str], *, is_first: bool, is_last: bool) -> str:
    """Words that both have: those next to a difference."""
    keep = 2 * AROUND
    if is_first:
        return "".join(words) if len(words) <= keep else "… " + "".join(words[-keep:])
    if is_last:
        return "".join(words) if len(words) <= keep else "".join(words[:keep]) + " …"
    return (
        "".join(words) if len(words) <= 2 * keep else "".join(words[:keep]) + " … " + "".join(words[-keep:])
    )
