"""What a comparison is to overlook: patterns kept in a file beside the recording (FILE.ignore).

One pattern a line; `#` begins a comment.

    result.serverInfo.version            # this value, in any answer
    tools/call  result.content[*].text   # only in answers to this method
    **.createdAt                         # at any depth
    ** ~ times uuids temp                # everywhere, but only these volatile parts of a text

`*` stands for one member, `[*]` for one item, `**` for any number of steps; within a name, `*`
and `?` match as in file names. What follows `~` names kinds of volatile parts, which are
overlooked within the text while the rest of it is compared: see `volatile.KINDS`. Most of them are
overlooked without being asked.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from mcptap.errors import UserError
from mcptap.jsontext.diff import CHANGED, Change, Steps
from mcptap.play.compare import placeholders, volatile
from mcptap.play.compare.moments import UNKNOWN, Moment
from mcptap.protocol.revisions.names import LISTS, OPENERS

SUFFIX = ".ignore"
CARRIED = "carried over"
"""The reason for a value that the client's later lines had from the fresh server."""
EXPECTED = "placeholders"
"""The reason for a value that fits a placeholder."""

_WORDS = ("description", "title", "default", "examples")
"""Members of a schema that promise nothing."""

_STEP = re.compile(r'\.?([^.\[\]"]+)|(\["(?:[^"\\]|\\.)*"\])|(\[[^\]]*\])')
_METHOD = re.compile(r"[\w$]+(?:/[\w$*]+)+|ping|initialize")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of the file, `text`. Without `masks` the whole value at the path is overlooked."""

    steps: Steps
    method: str = "*"
    masks: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Ignore:
    """All that is to be overlooked.

    `same_as` are values that stand for others: those carried over. `kinds` are those of `volatile.KINDS`
    that need no pattern, `moments` when the values of the two sessions were said.
    """

    patterns: tuple[Pattern, ...] = ()
    same_as: dict[Any, Any] = field(default_factory=dict)
    kinds: tuple[str, ...] = volatile.DEFAULTS
    moments: tuple[Moment, Moment] = (UNKNOWN, UNKNOWN)
    placeholders: bool = False
    """Whether the old values are expectations, in which placeholders stand."""

    def between(self, old_wall_us: int, new_wall_us: int) -> Ignore:
        """The same for two sessions that were started at these times (µs since 1970, 0: unknown)."""
        return replace(self, moments=(Moment(old_wall_us), Moment(new_wall_us)))

    def at(self, old_us: int, new_us: int) -> Ignore:
        """The same for what was said so long after the start of each session."""
        before, now = self.moments
        return replace(self, moments=(replace(before, elapsed_us=old_us), replace(now, elapsed_us=new_us)))

    def reason(self, change: Change, method: str) -> str:
        """As what a difference in an answer to `method` is taken as the same; empty if it is not."""
        if change.kind == CHANGED and self.is_carried(change.old, change.new):
            return CARRIED
        if self.placeholders and change.kind == CHANGED and placeholders.match(change.old, change.new):
            return EXPECTED
        masks: set[str] = set()
        for pattern in self.patterns:
            if fnmatchcase(method, pattern.method) and matches(pattern.steps, change.steps):
                if not pattern.masks:
                    return f"pattern {pattern.text}"
                masks.update(pattern.masks)
        if change.kind != CHANGED:
            return ""
        if self.kinds and volatile.is_state(change.steps) and type(change.old) is type(change.new):
            return volatile.STATE
        name = next((step for step in reversed(change.steps) if not step.startswith("[")), "")
        kinds = kinds_at(change.steps, method, self.kinds)
        return " and ".join(
            volatile.kinds_between(change.old, change.new, name, kinds, self.moments, asked=masks)
        )

    def is_carried(self, old: Any, new: Any) -> bool:
        """Whether the new value is known to stand for the old one."""
        return isinstance(old, str | int) and old in self.same_as and bool(self.same_as[old] == new)


def kinds_at(steps: Steps, method: str, kinds: Iterable[str]) -> list[str]:
    """Those of the kinds that may stand at a path of an answer to `method`.

    What a server promises is no matter of its clock.
    """
    if method not in LISTS and method not in OPENERS:
        return list(kinds)
    if steps[-1:] in (("protocolVersion",), ("version",)) or "supportedVersions" in steps:
        return []
    if any(name.endswith("Schema") for name in steps) and steps[-1] not in _WORDS:
        return []
    return [name for name in kinds if volatile.KINDS[name].in_offers]


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
    if tilde and (not masks or (unknown := [kind for kind in masks if kind not in volatile.KINDS])):
        what = unknown[0] if masks else "nothing"
        raise UserError(
            f"{place}: {what!r} is no kind of volatile part; there are {', '.join(volatile.KINDS)}"
        )
    words = path.split(None, 1)
    method = "*"
    if len(words) == 2 and _METHOD.fullmatch(words[0]):
        method, path = words
    return Pattern(parse_path(path, place), method, masks, line)


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
