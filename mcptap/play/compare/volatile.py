"""Parts of a value that differ from run to run and mean nothing: times, process ids, ports, UUIDs …

One place for what a comparison takes as the same by default, for what `FILE.ignore` names behind `~`,
and for the placeholders of `mcptap send --write-expect`.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?"
_DATE = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}"
    rf"|{_DAY}\d{{1,2}}\.? {_MONTH},? \d{{4}}|{_DAY}{_MONTH} +\d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}})"
)
_ZONE = r"(?: ?(?:Z|UTC|GMT|[A-Z]{1,4}T|[+-]\d\d:?\d\d))?"
_HALF = r"\s?[AaPp]\.?[Mm]\b\.?"
_CLOCK = rf"(?:\d{{1,2}}:\d\d:\d\d(?:[.,]\d+)?(?:{_HALF})?|\d{{1,2}}:\d\d{_HALF}){_ZONE}"
_TEMPORARY = "|".join(
    re.escape(folder.rstrip("/"))
    for folder in dict.fromkeys(["/private/tmp", "/tmp", "/var/tmp", tempfile.gettempdir()])
)
BLANK: Final = "·"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of volatile parts. Of what `expression` finds, the group `v` is volatile, else all of it."""

    name: str
    one: str
    """What one such part is called, as in a placeholder."""
    text: str
    """What it is, for people."""
    expression: re.Pattern[str]
    member: re.Pattern[str] | None = None
    """Names of members whose whole value (a number, or digits) is such a part."""
    always: bool = True
    """Whether a comparison takes it as the same by default."""
    in_offers: bool = True
    """Whether also in what a server lists and says of itself: a time limit there is a promise."""
    shape: str = ""
    """A regular expression for the volatile part alone, where `expression` finds more."""


KINDS: Final = {
    kind.name: kind
    for kind in (
        Kind(
            "times",
            "time",
            "dates with a time of day, times of day with seconds or AM/PM, seconds since 1970 (or ms …)",
            re.compile(
                rf"\b{_DATE}(?:T|,? +(?:at +)?){_CLOCK}|\b{_DAY}{_MONTH} +\d{{1,2}} {_CLOCK} \d{{4}}\b"
                rf"|\b\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d{_ZONE}|\b{_CLOCK}"
                r"|(?<![\w.-])1[5-9]\d{8}(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?\b(?![\w-])"
            ),
        ),
        Kind(
            "dates",
            "date",
            "dates; by default only that of the day of each session",
            re.compile(rf"\b{_DATE}\b"),
        ),
        Kind(
            "durations",
            "duration",
            "milliseconds and less, seconds with decimals, and what stands behind in, took, after, elapsed",
            re.compile(
                r"\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms)\b|\b\d+\.\d+ ?(?:s|secs?|seconds?|minutes?)\b"
                r"|(?i:\b(?:in|took|after|elapsed|duration|uptime)\b\W{1,3})"
                r"(?P<v>\d+(?:\.\d+)? ?(?:s|secs?|seconds?|min|minutes?|hours?))\b"
            ),
            re.compile(
                r"(?i)(?:^|[a-z_])(?:duration|elapsed|latency|uptime|took)(?:_?(?:ms|us|ns|s|seconds|millis))?$"
            ),
            in_offers=False,
            shape=r"\d+(?:\.\d+)? ?[a-zµ]+",
        ),
        Kind(
            "uuids",
            "uuid",
            "UUIDs, also without hyphens",
            re.compile(
                r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"
                r"|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{32}\b"
            ),
        ),
        Kind(
            "ids",
            "id",
            "long hexadecimal numbers and ULIDs",
            re.compile(
                r"\b(?:0x)?(?=[0-9a-fA-F]*\d)(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{8,}\b|\b[0-9A-HJKMNP-TV-Z]{26}\b"
            ),
            always=False,
        ),
        Kind(
            "temp",
            "temp",
            "the name of a file or folder right under the folder for temporary files",
            re.compile(
                rf"(?:{_TEMPORARY}|/var/folders/\w+/\w+/[TC]|\\AppData\\Local\\Temp)[/\\](?P<v>[^\s/\\\"'<>|:*?]+)"
            ),
            shape=r"[^\s/\\\"'<>|:*?]+",
        ),
        Kind(
            "ports",
            "port",
            "ports of this machine: localhost:49152, port 49152",
            re.compile(
                r"(?i:\bport\b\W{1,3}|(?:\blocalhost|\b127(?:\.\d+){3}|\b0\.0\.0\.0|\[::1?\]):)(?P<v>\d{4,5})\b"
            ),
            re.compile(r"(?:^p|[_-]p|P)ort$"),
            shape=r"\d{2,5}",
        ),
        Kind(
            "pids",
            "pid",
            "ids of processes: pid 4711",
            re.compile(r"(?i:\b(?:p?pid|process(?: id)?)\b\W{1,3})(?P<v>\d{2,7})\b"),
            re.compile(r"(?i)^(?:p?pid|(?:parent_?)?process_?id)$"),
            shape=r"\d{1,7}",
        ),
        Kind(
            "numbers", "number", "all numbers", re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"), always=False
        ),
    )
}
"""By name, in the order in which they are looked for: a number in a date is no number."""

DEFAULTS: Final = tuple(kind.name for kind in KINDS.values() if kind.always)
"""The kinds that a comparison takes as the same without being asked."""

STATE: Final = "states"
"""The reason for values that only mean something to the server that made them (see `is_state`)."""

_STATES = (
    ("result", "requestState"),
    ("result", "nextCursor"),
    ("result", "task", "taskId"),
    ("result", "taskId"),
)


def is_state(steps: tuple[str, ...]) -> bool:
    """Whether the protocol calls the value at this path opaque: a cursor, a `requestState`, a task's id."""
    return steps in _STATES


def kinds_between(
    old: Any,
    new: Any,
    name: str,
    kinds: Collection[str],
    days: tuple[Collection[date], Collection[date]] = ((), ()),
) -> list[str]:
    """The kinds of parts that two values of the member `name` differ in; none if they differ in more.

    `days`: the days of the two sessions; if they are given, no other date alone is a volatile part.
    """
    if type(old) is not type(new) and not (_is_number(old) and _is_number(new)):
        return []
    one, other = _text(old), _text(new)
    found = []
    for kind in (kind for kind in KINDS.values() if kind.name in kinds):
        if kind.member is not None and kind.member.search(name) and one.isdecimal() and other.isdecimal():
            return [kind.name]
        one, cut = _blank(one, kind, days[0])
        other, other_cut = _blank(other, kind, days[1])
        if cut != other_cut:
            found.append(kind.name)
    return found if one == other else []


def mask(value: Any, kinds: Iterable[str]) -> str:
    """A value as text, in which the volatile parts of these kinds are blank."""
    return filled(value, "", kinds, lambda _: BLANK)


def filled(
    value: Any, name: str, kinds: Iterable[str], fill: Callable[[Kind], str], days: Collection[date] = ()
) -> str:
    """A value of the member `name` as text, with something else in place of its parts of these kinds.

    Of dates alone, if `days` are given, only these are such parts.
    """
    text = _text(value)
    for kind in [KINDS[kind] for kind in KINDS if kind in kinds]:
        if kind.member is not None and kind.member.search(name) and text.isdecimal():
            return fill(kind)
        text, _ = _blank(text, kind, days, fill(kind))
    return text


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _blank(text: str, kind: Kind, days: Collection[date], blank: str = BLANK) -> tuple[str, list[str]]:
    """The text with blanks, and what stood there; of dates alone only `days`, if there are any."""
    cut: list[str] = []

    def replace(found: re.Match[str]) -> str:
        if kind.name == "dates" and days and not days_of(found[0]) & set(days):
            return found[0]
        group = "v" if found.re.groupindex and found["v"] is not None else 0
        start, end = (place - found.start() for place in found.span(group))
        cut.append(found[group])
        return found[0][:start] + blank + found[0][end:]

    return kind.expression.sub(replace, text), cut


def days_of(text: str) -> set[date]:
    """The days that a date in a text may mean: with 3/4/2026, two."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    month = re.search(_MONTH, text)
    if month is not None:
        day, year = numbers
        readings = [(year, _MONTHS.index(month[0][:3].lower()) + 1, day)]
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


def days_around(wall_us: int) -> frozenset[date]:
    """The day of a time (µs since 1970) and those beside it, as a server may be in any zone; none for 0."""
    if not wall_us:
        return frozenset()
    day = datetime.fromtimestamp(wall_us / 1e6, UTC).date()
    return frozenset(day + timedelta(days=apart) for apart in (-1, 0, 1))
