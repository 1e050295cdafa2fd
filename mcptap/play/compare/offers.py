"""Differences between what a server lists or says of itself: what is a set in it is compared as one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mcptap.jsontext.diff import Change, Steps, differences
from mcptap.play.compare.severity import SETS
from mcptap.protocol.revisions.names import LISTS, OPENERS

DEEPEST = 100
"""Sets that lie deeper are compared as lists."""


def answer_differences(old: Any, new: Any, method: str) -> Iterator[Change]:
    """The differences between two answers to `method` (bodies without their ids)."""
    if method in OPENERS or method in LISTS:
        return offer_differences(old, new)
    return differences(old, new, in_order=True)  # of what was found, say, the best comes first


def offer_differences(old: Any, new: Any, steps: Steps = ()) -> Iterator[Change]:
    """The differences between two values that hold JSON Schema; an item of a set is its own step."""
    for change in differences(_with_sets(old, DEEPEST), _with_sets(new, DEEPEST), steps):
        if change.steps and change.steps[-1].startswith(_ITEM):
            yield replace(change, steps=(*change.steps[:-1], f"[{change.steps[-1].removeprefix(_ITEM)}]"))
        else:
            yield replace(change, old=_without_sets(change.old), new=_without_sets(change.new))


_ITEM = "\0"


class _Set(dict[str, Any]):
    """The items of a list by how they are spelled, behind a mark that tells them from names of members."""


def _with_sets(value: Any, depth: int) -> Any:
    if depth == 0:
        return value
    if isinstance(value, list):
        return [_with_sets(item, depth - 1) for item in value]
    if isinstance(value, dict):
        return {
            name: _as_set(inner) if name in SETS and _is_set(inner) else _with_sets(inner, depth - 1)
            for name, inner in value.items()
        }
    return value


def _is_set(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(item, dict | list) for item in value)


def _as_set(items: list[Any]) -> _Set:
    return _Set((_ITEM + (item if isinstance(item, str) else json.dumps(item)), item) for item in items)


def _without_sets(value: Any, depth: int = DEEPEST) -> Any:
    if isinstance(value, _Set):
        return list(value.values())
    if depth and isinstance(value, dict):
        return {name: _without_sets(inner, depth - 1) for name, inner in value.items()}
    if depth and isinstance(value, list):
        return [_without_sets(item, depth - 1) for item in value]
    return value
