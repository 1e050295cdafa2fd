"""Times in texts beside the time at which they were said: which tell the clock, and which something else.

A server that says what time it is says another one in each session, and the two lie as far apart as the
sessions. The time of a commit, or at which a shop opens, does not move with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = re.compile(r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)")
_SINCE_1970: Final = re.compile(r"(\d{10})\d*(?:\.\d+)?")
_CLOCK: Final = re.compile(
    r"(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:\s?([AaPp])\.?[Mm]\b\.?)?"
    r"(?: ?(?:Z|UTC|GMT|[A-Z]{1,4}T|[+-]\d\d:?\d\d))?"
)
_DAY_S: Final = 86_400
CLOSE_S: Final = 120
DATED_CLOSE_S: Final = 5
"""How far two times may lie apart from what their sessions lie apart. With a date it is less: sessions that
follow each other closely would make every small difference one that moved with them."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When something was said. `start_us`: of its session, in µs since 1970; 0 if that is not known."""

    start_us: int = 0
    elapsed_us: int = 0
    """Since the start of the session."""

    @property
    def is_known(self) -> bool:
        """Whether it is known when it was."""
        return self.start_us > 0

    @property
    def seconds(self) -> tuple[float, float]:
        """The moment itself, and the start of its session: seconds since 1970."""
        return (self.start_us + self.elapsed_us) / 1e6, self.start_us / 1e6


UNKNOWN: Final = Moment()


def is_of_day(text: str, moment: Moment) -> bool:
    """Whether a date may be the day of the session, or one beside it, as a server may be in any zone."""
    return bool(days_of(text) & days_around(moment.start_us))


def is_of_clock(text: str, moment: Moment) -> bool:
    """Whether a time may tell when it was said: one with a date, the day; one without, the time of day.

    The time of day is known in UTC and in the zone of this machine.
    """
    if found := _SINCE_1970.fullmatch(text):
        return abs(int(found[1]) - moment.seconds[1]) <= _DAY_S
    clock, rest = _clock(text)
    if any(letter.isdigit() for letter in rest):
        return is_of_day(rest, moment)
    for second in moment.seconds:
        zone = datetime.fromtimestamp(second).astimezone().utcoffset() or timedelta()
        if any(_apart(clock - second - shift) <= CLOSE_S for shift in (0, zone.total_seconds())):
            return True
    return False


def moved_along(old: str, new: str, before: Moment, now: Moment) -> bool:
    """Whether two times lie as far apart as the moments at which they were said, or as their sessions."""
    dated = _is_dated(old)
    if dated != _is_dated(new):
        return False
    for then, later in zip(before.seconds, now.seconds, strict=True):
        for one, other in zip(_readings(old), _readings(new), strict=False):
            off = (other - later) - (one - then)
            if (abs(off) <= DATED_CLOSE_S) if dated else (_apart(off) <= CLOSE_S):
                return True
    return False


def days_of(text: str) -> set[date]:
    """The days that a date in a text may mean: with 3/4/2026, two."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    month = _MONTH.search(text)
    if month is not None:
        day, year = numbers
        readings = [(year, _MONTHS.index(month[0].lower()) + 1, day)]
    elif numbers[0] > 31:
        readings = [(numbers[0], numbers[1], numbers[2])]
    else:
        readings = [(numbers[2], numbers[0], numbers[1]), (numbers[2], numbers[1], numbers[0])]
    found = set()
    for year, month_number, day in readings:
        try:
            found.add(date(year, month_number, day))
        except ValueError:
            continue
    return found


@lru_cache(16)
def days_around(wall_us: int) -> frozenset[date]:
    """The day of a time (µs since 1970) and those beside it; none for 0."""
    if not wall_us:
        return frozenset()
    day = datetime.fromtimestamp(wall_us / 1e6, UTC).date()
    return frozenset(day + timedelta(days=apart) for apart in (-1, 0, 1))


def _is_dated(text: str) -> bool:
    return _SINCE_1970.fullmatch(text) is not None or any(letter.isdigit() for letter in _clock(text)[1])


def _readings(text: str) -> Iterator[float]:
    """What a time may mean: seconds since 1970 (as if it were in UTC), without a date since midnight."""
    if found := _SINCE_1970.fullmatch(text):
        yield float(found[1])
        return
    clock, rest = _clock(text)
    if not any(letter.isdigit() for letter in rest):
        yield clock
        return
    for day in sorted(days_of(rest)):
        yield datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() + clock


def _clock(text: str) -> tuple[float, str]:
    """The time of day in seconds, and the text without it."""
    found = _CLOCK.search(text)
    if found is None:
        return 0.0, text
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4]:
        hour = hour % 12 + (12 if found[4] in "pP" else 0)
    return float(hour * 3600 + minute * 60 + second), text[: found.start()] + " " + text[found.end() :]


def _apart(seconds: float) -> float:
    """How far two times of day lie apart that differ by so many seconds."""
    return min(seconds % _DAY_S, -seconds % _DAY_S)
