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

ADDED: Final = "added"
REMOVED: Final = "removed"
CHANGED: Final = "changed"

Steps = tuple[str, ...]
"""A path: member names as they are, items in brackets."""

NAMING = ("name", "uri", "uriTemplate")
"""Members that tell the objects of an array apart."""

_PLAIN = re.compile(r"[\w$@/-]+")
_NOTHING: Any = object()


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


def differences(old: Any, new: Any, steps: Steps = ()) -> Iterator[Change]:
    """All differences, in the order of the old value. Numbers are equal if their values are.

    Values may nest as deep as a parser gives them: nothing here recurses into them.
    """
    todo: list[tuple[Any, Any, Steps] | Change] = [(old, new, steps)]
    while todo:
        task = todo.pop()
        if isinstance(task, Change):
            yield task
            continue
        old, new, steps = task
        if isinstance(old, dict) and isinstance(new, dict):
            todo += reversed(_members(old, new, steps, lambda name: name))
        elif isinstance(old, list) and isinstance(new, list):
            todo += reversed(_items(old, new, steps))
        elif not _equal(old, new):
            yield from _texts(old, new, steps)


def _members(
    old: Mapping[Any, Any], new: Mapping[Any, Any], steps: Steps, step: Callable[[Any], str]
) -> list[tuple[Any, Any, Steps] | Change]:
    """What has to be compared or told of two objects; `step` makes a name a step of the path."""
    todo: list[tuple[Any, Any, Steps] | Change] = []
    for name, value in old.items():
        path = (*steps, step(name))
        todo.append((value, new[name], path) if name in new else Change(path, REMOVED, value))
    todo += [Change((*steps, step(name)), ADDED, new=value) for name, value in new.items() if name not in old]
    return todo


def _items(old: list[Any], new: list[Any], steps: Steps) -> list[tuple[Any, Any, Steps] | Change]:
    """The same of two arrays: by the names of their items, else by place."""
    for naming in NAMING:
        old_by, new_by = _by_name(old, naming), _by_name(new, naming)
        if old_by is not None and new_by is not None and (old_by or new_by):
            return _members(old_by, new_by, steps, lambda name: f"[{name}]")
    return _members(dict(enumerate(old)), dict(enumerate(new)), steps, lambda index: f"[{index}]")


def _texts(old: Any, new: Any, steps: Steps) -> Iterator[Change]:
    """Two values that differ; texts that hold JSON are compared by what they hold."""
    if isinstance(old, str) and isinstance(new, str):
        inner, inner_new = _held(old), _held(new)
        if inner is not _NOTHING and inner_new is not _NOTHING:
            changes = list(differences(inner, inner_new, steps))
            if changes:
                yield from changes
                return
    yield Change(steps, CHANGED, old, new)


def _held(text: str) -> Any:
    """The object or array that a text holds, as the text of a tool's result often does."""
    if text[:1] in ("{", "["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass
    return _NOTHING


def _equal(old: Any, new: Any) -> bool:
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    return bool(old == new)


def _by_name(items: list[Any], naming: str) -> dict[str, Any] | None:
    """The items by name, None if not all have one of their own."""
    found: dict[str, Any] = {}
    for item in items:
        name = item.get(naming) if isinstance(item, dict) else None
        if not isinstance(name, str) or name in found:
            return None
        found[name] = item
    return found
