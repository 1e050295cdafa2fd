"""Parts of a value that differ from run to run and mean nothing: times, process ids, ports, UUIDs …

One place for what a comparison takes as the same by default, for what `FILE.ignore` names behind `~`,
and for the placeholders of `mcptap send --write-expect`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from mcptap.play.compare.moments import UNKNOWN, Moment, is_of_clock, is_of_day, moved_along
from mcptap.recording.paths import temporary_directory

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
    for folder in dict.fromkeys(["/private/tmp", "/tmp", "/var/tmp", temporary_directory(os.environ)])
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
    unless: re.Pattern[str] | None = None
    """What stands before such a part (up to 40 characters) that makes a promise of it."""


KINDS: Final = {
    kind.name: kind
    for kind in (
        Kind(
            "times",
            "time",
            "dates with a time of day, times of day with seconds or AM/PM, seconds since 1970 (or ms …), "
            "if they are of the day of each session, or moved as far as the session did",
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
                r"|(?i:\b(?:took|elapsed|duration|uptime)\b\W{1,3})"
                r"(?P<v>\d+(?:\.\d+)? ?(?:s|secs?|seconds?|min|minutes?|hours?))\b"
                r"|(?i:\b(?:in|after)\b\W{1,3})(?P<w>\d+(?:\.\d+)? ?(?:s|secs?|seconds?))\b"
            ),
            re.compile(
                r"(?i)(?:^|[a-z_])(?:duration|elapsed|latency|uptime|took)(?:_?(?:ms|us|ns|s|seconds|millis))?$"
            ),
            in_offers=False,
            shape=r"\d+(?:\.\d+)? ?[a-zµ]+",
            unless=re.compile(
                r"(?i)\b(?:time-?outs?|times out|expir\w+|retry\w*|valid|limit\w*|interval|every|delay|ttl"
                r"|wait\w*|max\w*|min\w*|at (?:most|least)|up to|within|deadline|default\w*|starts"
                r"|begins|ends)\b[^.!?\n]*$"
            ),
        ),
        Kind(
            "uuids",
            "uuid",
            "UUIDs, also without hyphens",
            re.compile(
                r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"
                # Without hyphens only with a version and a variant (RFC 9562, 4): others may be checksums.
                r"|\b[0-9a-f]{12}[1-8][0-9a-f]{3}[89ab][0-9a-f]{15}\b"
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
            "the name of a file or folder right under the folder for temporary files, if it looks made up",
            re.compile(
                rf"(?:{_TEMPORARY}|/var/folders/\w+/\w+/[TC]|\\AppData\\Local\\Temp)[/\\](?P<v>[^\s/\\\"'<>|:*?]+)"
            ),
            shape=r"[^\s/\\\"'<>|:*?]+",
        ),
        Kind(
            "ports",
            "port",
            "ports of this machine that a system gives out: localhost:49152, port 32768 and above",
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
            re.compile(r"(?i:\b(?:p?pid|process id)\b\W{1,3}|\bprocess ?[\[(#])(?P<v>\d{2,7})\b"),
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


FIRST_GIVEN_PORT: Final = 32768
"""Systems give out ports from here on (Linux), or from 49152 (macOS, Windows); those below are chosen."""

_MADE_UP: Final = re.compile(r"\d|^tmp|[a-z][A-Z]")


def kinds_between(
    old: Any,
    new: Any,
    name: str,
    kinds: Collection[str],
    moments: tuple[Moment, Moment] | None = None,
    asked: Collection[str] = (),
) -> list[str]:
    """The kinds of parts that two values of the member `name` differ in; none if they differ in more.

    `moments`: when the values were said. Of the kinds in `asked` every part counts, of others only those that
    are surely volatile.
    """
    if type(old) is not type(new) and not (_is_number(old) and _is_number(new)):
        return []
    one, other = _text(old), _text(new)
    found = []
    for kind in (kind for kind in KINDS.values() if kind.name in kinds or kind.name in asked):
        every = kind.name in asked
        if kind.member is not None and kind.member.search(name) and one.isdecimal() and other.isdecimal():
            if every or _are_volatile(kind, one, other, moments):
                return [kind.name]
            continue
        one, cut = _blank(one, kind, every=every)
        other, other_cut = _blank(other, kind, every=every)
        if cut != other_cut:
            pairs = [(a, b) for a, b in zip(cut, other_cut, strict=False) if a != b]
            if not every and not all(_are_volatile(kind, a, b, moments) for a, b in pairs):
                return []
            found.append(kind.name)
    return found if one == other else []


def _are_volatile(kind: Kind, old: str, new: str, moments: tuple[Moment, Moment] | None) -> bool:
    """Whether two parts of a kind that differ mean nothing."""
    before, now = moments or (UNKNOWN, UNKNOWN)
    if kind.name in ("times", "dates") and not (before.is_known and now.is_known):
        return kind.name == "times"
    each = (_is_volatile(kind, old, before), _is_volatile(kind, new, now))
    if kind.name == "temp":
        return any(each)
    return all(each) or (kind.name == "times" and moved_along(old, new, before, now))


def _is_volatile(kind: Kind, part: str, moment: Moment) -> bool:
    """Whether a part of a kind, seen once, is likely to be another one in the next run."""
    if kind.name == "ports":
        return int(part) >= FIRST_GIVEN_PORT
    if kind.name == "temp":
        return _MADE_UP.search(part) is not None
    if kind.name == "times":
        return not moment.is_known or is_of_clock(part, moment)
    return kind.name != "dates" or not moment.is_known or is_of_day(part, moment)


def mask(value: Any, kinds: Iterable[str]) -> str:
    """A value as text, in which the volatile parts of these kinds are blank."""
    text = _text(value)
    for kind in [KINDS[kind] for kind in KINDS if kind in kinds]:
        text, _ = _blank(text, kind, every=True)
    return text


def filled(
    value: Any, name: str, kinds: Iterable[str], fill: Callable[[Kind], str], moment: Moment = UNKNOWN
) -> str:
    """A value of the member `name`, said at `moment`, as text with something else in place of its parts of
    these kinds."""
    text = _text(value)
    for kind in [KINDS[kind] for kind in KINDS if kind in kinds]:
        if kind.member is not None and kind.member.search(name) and text.isdecimal():
            if _is_volatile(kind, text, moment):
                return fill(kind)
            continue
        text, _ = _blank(text, kind, fill(kind), moment)
    return text


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _blank(
    text: str, kind: Kind, blank: str = BLANK, moment: Moment | None = None, *, every: bool = False
) -> tuple[str, list[str]]:
    """The text with blanks, and what stood there; if `moment` is given, only what is volatile then."""
    cut: list[str] = []

    def replace(found: re.Match[str]) -> str:
        group = found.lastgroup or 0
        before = found.string[max(0, found.start() - 40) : found.start()]
        if kind.unless is not None and not every and kind.unless.search(before):
            return found[0]
        if moment is not None and not _is_volatile(kind, found[group], moment):
            return found[0]
        start, end = (place - found.start() for place in found.span(group))
        cut.append(found[group])
        return found[0][:start] + blank + found[0][end:]

    return kind.expression.sub(replace, text), cut
