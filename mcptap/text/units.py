"""Durations, sizes, counts and times as people read them. Each number has one look everywhere."""

from __future__ import annotations

from datetime import UTC, datetime

KILO = 1_000
"""Bytes in a kB, everywhere: on the screen, in reports, in filters."""

_AGES_US = 1 << 62


def duration(us: int, short: bool = False, fineness_us: int = 1) -> str:
    """A duration in two to four digits: `840 µs`, `7.0 ms`, `1.25 s`, `2 m 05 s`, `3 h 12 m`, `5 d 04 h`.

    `short` leaves out the spaces for a narrow cell, of six columns up to 99 days: `1.25s`, `2m05s`. Of times
    that are known to a millisecond or a second no more is told: `< 1 ms`, `3 s`.
    """
    us = min(us, _AGES_US)
    words = _duration(us) if fineness_us == 1 else _coarse(us, fineness_us)
    return words.replace(" ", "") if short else words


def _coarse(us: int, fineness_us: int) -> str:
    for unit_us, unit, most_us in ((1_000_000, "s", 59_950_000), (1_000, "ms", 9_995)):
        if fineness_us >= unit_us:
            if us < fineness_us:
                return f"< {fineness_us // unit_us} {unit}"
            return f"{us // unit_us} {unit}" if us < most_us else _duration(us)
    return _duration(us)


def _duration(us: int) -> str:
    if us < 1_000:
        return f"{us} µs"
    if us < 9_995:
        return f"{us / 1_000:.1f} ms"
    if us < 999_500:
        return f"{us / 1_000:.0f} ms"
    if us < 59_950_000:
        return f"{us / 1_000_000:.{2 if us < 9_995_000 else 1}f} s"
    seconds = round(us / 1_000_000)
    if seconds < 3600:
        return f"{seconds // 60} m {seconds % 60:02} s"
    minutes = seconds // 60
    if minutes < 60 * 24:
        return f"{minutes // 60} h {minutes % 60:02} m"
    return f"{minutes // 1440} d {minutes // 60 % 24:02} h"


def size(count: int, short: bool = False) -> str:
    """A number of bytes: `812 B`, `4.5 kB`, `120 kB`, `11.2 MB`; a kB is 1,000 bytes.

    `short`, for a cell of five columns, has the unit's first letter only: `812`, `4.5k`, `11.2M`.
    """
    if count < KILO:
        return f"{count}" if short else f"{count} B"
    value = float(min(count, 10**18))
    for unit in ("k", "M", "G", "T"):
        value /= KILO
        if value < 999.5 or unit == "T":
            break
    digits = f"{value:.{1 if value < 99.95 else 0}f}"
    return f"{digits}{unit}" if short else f"{digits} {unit}B"


def clock(us: int) -> str:
    """A time since the start, in seconds with milliseconds: `0.013`, `75.200`."""
    return f"{us / 1_000_000:.3f}"


def elapsed(us: int, fraction: int = 3) -> str:
    """A time since the start, as the screen's `:` reads it: `+0.204`, `+1:05.000`, `+1:02:03.500`.

    With `fraction` digits, cut and not rounded.
    """
    seconds, rest = divmod(us, 1_000_000)
    tail = f".{rest:06}"[: fraction + 1] if fraction else ""
    if seconds < 60:
        return f"+{seconds}{tail}"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"+{minutes}:{seconds:02}{tail}"
    hours, minutes = divmod(minutes, 60)
    return f"+{hours}:{minutes:02}:{seconds:02}{tail}"


def date_time(wall_us: int, local: bool = True) -> str:
    """A wall-clock time to the second, in local time or UTC: `2026-11-29 21:17:03`."""
    return _spelled(wall_us, local, "seconds")


def wall_clock(wall_us: int) -> str:
    """A wall-clock time to the millisecond, in local time: `2026-11-29 21:17:03.250`."""
    return _spelled(wall_us, True, "milliseconds")


def when(wall_us: int) -> str:
    """A wall-clock time for a list, in local time: `21:17:03` today, else `29 Nov 21:17` or `29 Nov 2025`."""
    if not wall_us:
        return "unknown"
    moment, now = _moment(wall_us, local=True), datetime.now()
    if moment is None:
        return "impossible"
    if moment.date() == now.date():
        return f"{moment:%H:%M:%S}"
    return f"{moment:%d %b %H:%M}" if moment.year == now.year else f"{moment:%d %b %Y}"


def _spelled(wall_us: int, local: bool, precision: str) -> str:
    moment = _moment(wall_us, local)
    return "an impossible time" if moment is None else moment.isoformat(" ", precision)


def _moment(wall_us: int, local: bool) -> datetime | None:
    """The time, without its zone; None if no calendar has it."""
    try:
        moment = datetime.fromtimestamp(wall_us // 1_000_000, UTC).replace(microsecond=wall_us % 1_000_000)
        return (moment.astimezone() if local else moment).replace(tzinfo=None)
    except (OverflowError, OSError, ValueError):
        return None


def counted(count: int, noun: str, plural: str = "") -> str:
    """A count with its noun: `1 message`, `3 messages`, `1,204 messages`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
