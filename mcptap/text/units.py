"""Times and sizes as people read them."""

from __future__ import annotations

from datetime import UTC, datetime


def duration(us: int) -> str:
    """A duration in two to four digits: `840 µs`, `7.0 ms`, `1.25 s`, `2 m 05 s`, `3 h 12 m`."""
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


def size(count: int) -> str:
    """A number of bytes: `512 B`, `3.4 kB`, `12 MB`; a kB is 1024 bytes."""
    if count < 1024:
        return f"{count} B"
    value = float(count)
    for unit in ("kB", "MB", "GB", "TB"):
        value /= 1024
        if value < 999.5 or unit == "TB":
            break
    return f"{value:.{1 if value < 9.95 else 0}f} {unit}"


def clock(us: int) -> str:
    """A time since the start, in seconds with milliseconds: `0.013`, `75.200`."""
    return f"{us / 1_000_000:.3f}"


def date_time(wall_us: int, local: bool = True) -> str:
    """A wall-clock time to the second, in local time or UTC: `2026-11-29 21:17:03`."""
    moment = datetime.fromtimestamp(wall_us // 1_000_000, UTC)
    return f"{moment.astimezone() if local else moment:%Y-%m-%d %H:%M:%S}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """A count with its noun: `1 message`, `3 messages`, `1,204 messages`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
