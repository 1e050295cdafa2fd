"""Text from a recording, made fit for a terminal: nothing in it may drive one, and its width is known."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime

from rich.cells import cell_len, set_cell_size

ELLIPSIS = "…"

_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)
"""What a terminal obeys, hides or turns round: controls, bidirectional marks, joiners, surrogates."""

_JOINERS = {"\u200d": "", "\ufe0e": "", "\ufe0f": ""}
"""Left out rather than spelled out: with them terminals disagree about the width of an emoji."""


def _picture(found: re.Match[str]) -> str:
    char = found[0]
    code = ord(char)
    if char in _JOINERS:
        return _JOINERS[char]
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text: str) -> str:
    """The text with everything that a terminal would obey or hide written out (`␛`, `\\u202e`)."""
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub(_picture, text)


def visible_bytes(data: bytes) -> str:
    """Bytes as visible text; what is not UTF-8 as `\\xff`."""
    return visible(data.decode(errors="backslashreplace"))


def width(text: str) -> int:
    """Columns that a visible text takes."""
    return len(text) if text.isascii() else cell_len(text)


def fit(text: str, columns: int) -> str:
    """A visible text cut with `…` or filled with spaces to exactly so many columns."""
    if columns <= 0:
        return ""
    if text.isascii():
        if len(text) <= columns:
            return text.ljust(columns)
        return text[: columns - 1] + ELLIPSIS
    if cell_len(text) <= columns:
        return set_cell_size(text, columns)
    return set_cell_size(text[:columns], columns - 1) + ELLIPSIS


def fit_right(text: str, columns: int) -> str:
    """Like `fit`, but set to the right."""
    short = columns - width(text)
    return " " * short + text if short >= 0 else fit(text, columns)


def cut(text: str, columns: int) -> str:
    """A visible text cut with `…` if it is wider, never filled."""
    return text if width(text) <= columns else fit(text, columns)


def wrap(text: str, columns: int) -> list[str]:
    """A visible text in pieces of at most so many columns, broken at spaces where there are any."""
    columns = max(columns, 4)
    lines = []
    while width(text) > columns:
        end, used = 0, 0
        for end, char in enumerate(text):  # noqa: B007 - `end` is what is wanted
            used += 1 if char < "\u0300" else cell_width(char)
            if used > columns:
                break
        space = text.rfind(" ", max(1, end // 2), end + 1)
        if space > 0:
            lines.append(text[:space])
            text = text[space + 1 :]
        else:
            lines.append(text[: max(end, 1)])
            text = text[max(end, 1) :]
    lines.append(text)
    return lines


def cell_width(char: str) -> int:
    """Columns of one character."""
    return 0 if unicodedata.combining(char) else cell_len(char)


def duration(us: int) -> str:
    """A span of time in at most six columns: `850µs`, `12ms`, `3.4s`, `2m05s`, `3h12m`, `5d04h`."""
    if us < 1_000:
        return f"{us}µs"
    if us < 999_500:
        ms = us / 1000
        return f"{ms:.1f}ms" if ms < 9.95 else f"{ms:.0f}ms"
    seconds = us / 1_000_000
    if seconds < 9.95:
        return f"{seconds:.1f}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02}s"
    if whole < 86400:
        return f"{whole // 3600}h{whole % 3600 // 60:02}m"
    return f"{whole // 86400}d{whole % 86400 // 3600:02}h"


def clock(us: int, fraction: int = 3) -> str:
    """A time since the start: `+0.204`, `+1:05.000`, `+1:02:03.500`; `fraction` digits, cut not rounded."""
    seconds, rest = divmod(us, 1_000_000)
    tail = f".{rest:06}"[: fraction + 1] if fraction else ""
    if seconds < 60:
        return f"+{seconds}{tail}"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"+{minutes}:{seconds:02}{tail}"
    hours, minutes = divmod(minutes, 60)
    return f"+{hours}:{minutes:02}:{seconds:02}{tail}"


def wall_clock(us: int) -> str:
    """A wall-clock time in local time, to the millisecond."""
    try:
        when = datetime.fromtimestamp(us / 1_000_000, UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        return "an impossible time"
    return when.strftime("%Y-%m-%d %H:%M:%S.") + f"{us // 1000 % 1000:03}"


def size(count: int) -> str:
    """A number of bytes in at most five columns: `812`, `4.5k`, `120k`, `1.2M`."""
    if count < 1000:
        return str(count)
    for unit in "kMGT":
        value = count / 1000
        if value < 9.95:
            return f"{value:.1f}{unit}"
        if value < 999.5:
            return f"{value:.0f}{unit}"
        count = round(value)
    return f"{count}P"


def count(number: int, noun: str) -> str:
    """`1 record`, `2,000 records`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
