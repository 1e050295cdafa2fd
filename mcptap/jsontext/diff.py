"""How one JSON value differs from another, path by path, for people to read.

A path is written as in `result.tools[add].description`: members by name, items by index, and
where the items of both arrays are objects with names (or URIs) of their own, by that, so that
a tool that was put in front does not make every other one look changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mcptap.jsontext.bounded import parse

ADDED: Final = "added"
REMOVED: Final = "removed"
CHANGED: Final = "changed"

Steps = tuple[str, ...]
"""A path: member names as they are, items in brackets."""

NAMING = ("name", "uri", "uriTemplate")
"""Members that tell the objects of an array apart."""

_PLAIN = re.compile(r"[\w$@/-]+")
ABSENT: Any = object()
"""What one of the two lacks."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `old` and `new` mean nothing for what was added or removed."""

    steps: Steps
    kind: str
    old: Any = None
    new: Any = None

    @property
    def path(self) -> str:
        """The path as text; of the whole value, an empty one."""
        return spell(self.steps)


def spell(steps: Steps) -> str:
    """A path as text."""
    text = ""
    for step in steps:
        if step.startswith("["):
            text += step
        elif _PLAIN.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step, ensure_ascii=False)}]"
    return text


def differences(old: Any, new: Any, steps: Steps = (), *, in_order: bool = False) -> Iterator[Change]:
    """All differences, in the order of the old value. Numbers are equal if their values are.

    `in_order`: items that are told apart by their names also differ if they stand in another order; the
    change has the names of those that both arrays hold.

    Values may nest as deep as a parser gives them: nothing here recurses into them.
    """
    todo: list[tuple[Any, Any, Steps] | Change] = [(old, new, steps)]
    while todo:
        task = todo.pop()
        if isinstance(task, Change):
            yield task
            continue
        old, new, steps = task
        if (isinstance(old, dict) and isinstance(new, dict)) or (
            isinstance(old, list) and isinstance(new, list)
        ):
            todo += reversed(_inner(old, new, steps))
            if in_order and isinstance(old, list) and isinstance(new, list):
                yield from _order(old, new, steps)
        elif not equal(old, new):
            yield from _texts(old, new, steps, in_order)


def paired(
    old: Mapping[str, Any] | list[Any], new: Mapping[str, Any] | list[Any]
) -> list[tuple[str, Any, Any]]:
    """The members of two objects, or the items of two arrays, side by side: step of the path, old, new.

    What one of the two lacks is `ABSENT` there. In the order of the old ones, then what is new.
    """
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return _side_by_side(old, new, lambda name: name)
    assert isinstance(old, list)
    assert isinstance(new, list)
    if (named := _named(old, new)) is not None:
        return _side_by_side(*named, lambda name: f"[{name}]")
    return _side_by_side(dict(enumerate(old)), dict(enumerate(new)), lambda index: f"[{index}]")


def _side_by_side(
    old: Mapping[Any, Any], new: Mapping[Any, Any], step: Callable[[Any], str]
) -> list[tuple[str, Any, Any]]:
    both = [(step(name), value, new.get(name, ABSENT)) for name, value in old.items()]
    return both + [(step(name), ABSENT, value) for name, value in new.items() if name not in old]


def _inner(
    old: dict[str, Any] | list[Any], new: dict[str, Any] | list[Any], steps: Steps
) -> list[tuple[Any, Any, Steps] | Change]:
    """What has to be compared or told of two objects or two arrays."""
    todo: list[tuple[Any, Any, Steps] | Change] = []
    for step, before, after in paired(old, new):
        path = (*steps, step)
        if before is ABSENT:
            todo.append(Change(path, ADDED, new=after))
        elif after is ABSENT:
            todo.append(Change(path, REMOVED, before))
        else:
            todo.append((before, after, path))
    return todo


def _order(old: list[Any], new: list[Any], steps: Steps) -> Iterator[Change]:
    """What both arrays hold by name, if it stands in another order."""
    old_by, new_by = _named(old, new) or ({}, {})
    before, now = [name for name in old_by if name in new_by], [name for name in new_by if name in old_by]
    if before != now:
        yield Change(steps, CHANGED, before, now)


def _texts(old: Any, new: Any, steps: Steps, in_order: bool) -> Iterator[Change]:
    """Two values that differ; texts that hold JSON are compared by what they hold."""
    if isinstance(old, str) and isinstance(new, str):
        inner, inner_new = _held(old), _held(new)
        if inner is not ABSENT and inner_new is not ABSENT:
            changes = list(differences(inner, inner_new, steps, in_order=in_order))
            if changes:
                yield from changes
                return
    yield Change(steps, CHANGED, old, new)


def _held(text: str) -> Any:
    """The object or array that a text holds, as the text of a tool's result often does."""
    if text[:1] in ("{", "["):
        try:
            return parse(text.encode(errors="surrogatepass"))
        except ValueError:
            pass
    return ABSENT


def equal(old: Any, new: Any) -> bool:
    """Whether two values are the same; numbers are if their values are, and no number is a boolean."""
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    return bool(old == new)


def _named(old: list[Any], new: list[Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The items of both arrays by name, None if they can't be told apart by one."""
    for naming in NAMING:
        old_by, new_by = _by_name(old, naming), _by_name(new, naming)
        if old_by is not None and new_by is not None and (old_by or new_by):
            return old_by, new_by
    return None


def _by_name(items: list[Any], naming: str) -> dict[str, Any] | None:
    """The items by name, None if not all have one of their own."""
    found: dict[str, Any] = {}
    for item in items:
        name = item.get(naming) if isinstance(item, dict) else None
        if not isinstance(name, str) or name in found:
            return None
        found[name] = item
    return found
