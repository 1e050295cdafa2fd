"""Entries of a log: a line that begins with a time, and the lines without one that continue it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from mcptap.captures.lines import from_local

LOCAL_STAMP = rb"(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d{3})"
"""A time of day without a zone, as VS Code and its forks write it."""
UTC_STAMP = rb"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)"

LEVEL = rb"\[(?P<level>trace|debug|info|notice|warn|warning|error|critical|DEBUG|INFO|WARN|ERROR|TRACE)\]"

EDITOR = re.compile(rb"^" + LOCAL_STAMP + rb" " + LEVEL + rb" ?(?P<text>.*)$", re.DOTALL)
"""An entry of an output channel of VS Code or a fork of it."""

MAX_LINES = 1000
MAX_BYTES = 1 << 20
"""An entry of more lines or bytes is given in pieces."""


@dataclass(slots=True)
class Entry:
    """One entry: the number of its first line, its time, level, text, and what its pattern names `name`."""

    number: int
    wall_us: int
    """When it was written, in microseconds since 1970; 0 if it has no time."""
    level: str
    text: bytes
    """Its lines, joined by LF."""
    name: str = ""


class Times:
    """Times of a log in microseconds since 1970. Of those within a second only the first is parsed."""

    def __init__(self, when: Callable[[str], int]) -> None:
        self._when = when
        self._second = b""
        self._base = 0

    def of(self, stamp: bytes) -> int:
        """A time whose first 19 characters are date and time of day to the second; 0 if it is none."""
        rest = stamp[20:].removesuffix(b"Z")
        if len(rest) != 3:
            return self._when(stamp.decode().replace(",", "."))
        if stamp[:19] != self._second:
            end = "Z" if stamp.endswith(b"Z") else ""
            self._second, self._base = stamp[:19], self._when(stamp[:19].decode() + end)
        return self._base + int(rest) * 1000 if self._base else 0


class Entries:
    """Puts entries together. `pattern` has the groups `time`, `level`, `text`, and perhaps `name`."""

    def __init__(self, pattern: re.Pattern[bytes], when: Callable[[str], int] = from_local) -> None:
        self._match = pattern.match
        self._groups = ("time", "level", "text", *(("name",) if "name" in pattern.groupindex else ()))
        self._times = Times(when)
        self._entry: Entry | None = None
        self._more: list[bytes] = []
        self._size = 0
        self.leading = 0
        """How many lines that are not blank stood before the first entry."""

    def feed(self, raw: bytes, number: int) -> Entry | None:
        """Take one line; give the entry that ended before it."""
        if raw.endswith(b"\r"):
            raw = raw[:-1]
        found = self._match(raw)
        if found is None:
            return self._continue(raw, number)
        ended = self.finish() if self._more else self._entry
        self._entry = self._of(found, number)
        return ended

    def finish(self) -> Entry | None:
        """The entry that is still held."""
        entry, self._entry = self._entry, None
        if entry is not None and self._more:
            entry.text = b"\n".join((entry.text, *self._more))
            self._more, self._size = [], 0
        return entry

    def _continue(self, raw: bytes, number: int) -> Entry | None:
        entry = self._entry
        if entry is None:
            self.leading += bool(raw.strip())
            return None
        self._more.append(raw)
        self._size += len(raw)
        if len(self._more) < MAX_LINES and self._size < MAX_BYTES:
            return None
        ended = self.finish()
        self._entry = Entry(number, entry.wall_us, entry.level, b"", entry.name)
        return ended

    def _of(self, found: re.Match[bytes], number: int) -> Entry:
        time, level, text, *names = found.group(*self._groups)
        name = names[0].decode(errors="replace") if names and names[0] else ""
        return Entry(number, self._times.of(time) if time else 0, _spelled(level), text, name)


@lru_cache(maxsize=64)
def _spelled(level: bytes) -> str:
    """The level in small letters; a log has only some."""
    return level.decode().lower()


def entries_of(
    lines: Iterable[bytes], pattern: re.Pattern[bytes], when: Callable[[str], int] = from_local
) -> Iterator[Entry]:
    """The entries in some lines, numbered from 1."""
    entries = Entries(pattern, when)
    for number, line in enumerate(lines, 1):
        if (entry := entries.feed(line, number)) is not None:
            yield entry
    if (last := entries.finish()) is not None:
        yield last


def is_log(lines: list[bytes], entries: int, pattern: re.Pattern[bytes]) -> bool:
    """Whether lines, of which so many are entries, are a log and not a page that shows a piece of one.

    Of a program that prints much most lines of a log have no time; but the first has one, or every fifth.
    """
    if not entries:
        return False
    if entries * 2 >= len(lines):
        return True
    if any(line.lstrip().startswith((b"```", b"~~~")) for line in lines):
        return False
    return pattern.match(lines[0]) is not None or entries * 5 >= len(lines)
