"""What a comparison is to overlook: patterns kept in a file beside the recording (FILE.ignore).

One pattern a line; `#` begins a comment.

    result.serverInfo.version            # this value, in any answer
    tools/call  result.content[*].text   # only in answers to this method
    **.createdAt                         # at any depth
    ** ~ times uuids temp                # everywhere, but only these volatile parts of a text

`*` stands for one member, `[*]` for one item, `**` for any number of steps; within a name, `*`
and `?` match as in file names. What follows `~` names kinds of volatile parts, which are
overlooked within the text while the rest of it is compared: see `KINDS`.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from mcptap.errors import UserError
from mcptap.jsontext.diff import CHANGED, Change, Steps

SUFFIX = ".ignore"

_TEMPORARY = "|".join(
    re.escape(folder)
    for folder in dict.fromkeys(["/private/tmp", "/tmp", "/var/folders", tempfile.gettempdir()])
)
KINDS = {
    "times": re.compile(
        r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?"
        r"|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b|\b1\d{9}(?:\d{3}|\d{6})?(?:\.\d+)?\b"
        r"|\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|sec|seconds?|minutes?)\b"
    ),
    "uuids": re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"),
    "ids": re.compile(r"\b(?:0x)?(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{8,}\b|\b[0-9A-HJKMNP-TV-Z]{26}\b"),
    "temp": re.compile(rf"(?:{_TEMPORARY})(?:/[^\s\"'<>|:*?]*)?"),
    "numbers": re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"),
}
"""Kinds of volatile parts: dates, times of day, epochs and durations; UUIDs; long hexadecimal
numbers and ULIDs; paths under the temporary folders; all numbers."""

_STEP = re.compile(r'\.?([^.\[\]"]+)|(\["(?:[^"\\]|\\.)*"\])|(\[[^\]]*\])')
_METHOD = re.compile(r"[\w$]+(?:/[\w$*]+)+|ping|initialize")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of the file. Without `masks` the whole value at the path is overlooked."""

    steps: Steps
    method: str = "*"
    masks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ignore:
    """All that is to be overlooked. `same_as` are values that stand for others: those carried over."""

    patterns: tuple[Pattern, ...] = ()
    same_as: dict[Any, Any] = field(default_factory=dict)

    def overlooks(self, change: Change, method: str) -> bool:
        """Whether a difference in an answer to `method` is none."""
        if change.kind == CHANGED and self.is_carried(change.old, change.new):
            return True
        masks: set[str] = set()
        for pattern in self.patterns:
            if fnmatchcase(method, pattern.method) and matches(pattern.steps, change.steps):
                if not pattern.masks:
                    return True
                masks.update(pattern.masks)
        if not masks or change.kind != CHANGED:
            return False
        return mask(change.old, masks) == mask(change.new, masks)

    def is_carried(self, old: Any, new: Any) -> bool:
        """Whether the new value is known to stand for the old one."""
        return isinstance(old, str | int) and old in self.same_as and bool(self.same_as[old] == new)


def mask(value: Any, kinds: Iterable[str]) -> str:
    """A value as text, in which the volatile parts of these kinds are blank."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    for kind, expression in KINDS.items():  # in their order: a number in a date is no number
        if kind in kinds:
            text = expression.sub("·", text)
    return text


def matches(pattern: Steps, steps: Steps) -> bool:
    """Whether a pattern covers a path. What it covers includes all that lies below."""
    if not pattern:
        return True
    if pattern[0] == "**":
        return any(matches(pattern[1:], steps[at:]) for at in range(len(steps) + 1))
    if not steps or pattern[0].startswith("[") != steps[0].startswith("["):
        return False
    fits = (
        pattern[0] == "[*]"
        or pattern[0] == steps[0]
        or (not pattern[0].startswith("[") and fnmatchcase(steps[0], pattern[0]))
    )
    return fits and matches(pattern[1:], steps[1:])


def parse(text: str, place: str) -> tuple[Pattern, ...]:
    """The patterns in a file's text; `place` names the file. Raises UserError."""
    patterns = []
    for number, line in enumerate(text.splitlines(), 1):
        wanted = line.partition("#")[0].strip()
        if wanted:
            patterns.append(_pattern(wanted, f"{place}, line {number}"))
    return tuple(patterns)


def load(recording: str, extra: str | None) -> tuple[Pattern, ...]:
    """The patterns beside a recording, and those of a file that the user names. Raises UserError."""
    beside = recording + SUFFIX
    names = [name for name in (beside if os.path.exists(beside) else None, extra) if name is not None]
    patterns: tuple[Pattern, ...] = ()
    for name in names:
        try:
            with open(name, encoding="utf-8") as file:
                patterns += parse(file.read(), name)
        except OSError as error:
            raise UserError(f"{name}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise UserError(f"{name}: is not UTF-8 text") from error
    return patterns


def _pattern(line: str, place: str) -> Pattern:
    path, tilde, kinds = (part.strip() for part in line.partition("~"))
    masks = tuple(kinds.replace(",", " ").split())
    if tilde and (not masks or (unknown := [kind for kind in masks if kind not in KINDS])):
        what = unknown[0] if masks else "nothing"
        raise UserError(f"{place}: {what!r} is no kind of volatile part; there are {', '.join(KINDS)}")
    words = path.split(None, 1)
    method = "*"
    if len(words) == 2 and _METHOD.fullmatch(words[0]):
        method, path = words
    return Pattern(parse_path(path, place), method, masks)


def parse_path(path: str, place: str) -> Steps:
    """The steps of a pattern. Raises UserError."""
    steps = []
    at = 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            raise UserError(f"{place}: {path!r} is no path; write it as in result.content[0].text")
        name, quoted, item = match.groups()
        steps.append(name or (str(json.loads(quoted[1:-1])) if quoted else item))
        at = match.end()
    return tuple(steps)
