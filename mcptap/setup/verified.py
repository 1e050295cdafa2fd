"""The check before anything is written: nothing may differ between old and new file but some entries' words.

It reads with other parsers than those that found the places, so that a mistake of theirs is seen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mcptap.clients.configs.entry import ServerEntry, Shape
from mcptap.clients.configs.nodes import BOM
from mcptap.clients.configuration import Syntax

_STRING = r'("(?:[^"\\]|\\.)*")'
_COMMENT = re.compile(_STRING + r"|//[^\n\r]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(_STRING + r"|,(?=\s*[}\]])", re.DOTALL)

Pairs = tuple[tuple[str, Any], ...]
"""An object, with the members whose key stands twice. An array is a list."""


def is_exact(
    old: bytes, new: bytes, syntax: Syntax, changed: Sequence[tuple[ServerEntry, Sequence[str]]]
) -> bool:
    """Whether the new file differs from the old one in nothing but the command lines of these entries."""
    try:
        expected, after = _parsed(old, syntax), _parsed(new, syntax)
        for entry, argv in changed:
            change = partial(_with_argv, entry, list(argv), after)
            expected = _changed(expected, _holder_path(entry), change)
        return bool((_sorted(expected) if syntax is Syntax.TOML else expected) == after)
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        return False


def _holder_path(entry: ServerEntry) -> tuple[str | int, ...]:
    """Keys and indices that lead to the object in which command and args stand."""
    if entry.holder is entry.node:
        return entry.where
    inner = next(member.key for member in entry.node.members if member.value is entry.holder)
    return (*entry.where, inner)


def _with_argv(entry: ServerEntry, argv: list[str], after: Any, held: Any) -> Pairs:
    assert entry.holder is not None
    key = next(member.key for member in entry.holder.members if member.value is entry.command_node)
    if entry.shape is Shape.ARRAY:
        return tuple((name, argv if name == key else value) for name, value in held)
    now = _at(after, _holder_path(entry))
    has_args = any(name == entry.args_key for name, _ in now)
    if not has_args and len(argv) > 1:
        raise ValueError("the arguments are gone")
    changed: list[tuple[str, Any]] = []
    for name, value in held:
        if name == entry.args_key:
            changed += [(name, argv[1:])] if has_args else []
        elif name == key:
            changed.append((name, argv[0]))
            if entry.args_node is None and has_args:
                changed.append((entry.args_key, argv[1:]))
        else:
            changed.append((name, value))
    return tuple(changed)


def _changed(value: Any, path: tuple[str | int, ...], change: Callable[[Any], Any]) -> Any:
    """The value with another one at a path; of members with the same key at the last."""
    if not path:
        return change(value)
    step, *rest = path
    if isinstance(step, int):
        return [_changed(item, tuple(rest), change) if i == step else item for i, item in enumerate(value)]
    last = max(i for i, (name, _) in enumerate(value) if name == step)
    return tuple(
        (name, _changed(inner, tuple(rest), change) if i == last else inner)
        for i, (name, inner) in enumerate(value)
    )


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step] if isinstance(step, int) else [inner for name, inner in value if name == step][-1]
    return value


def _parsed(data: bytes, syntax: Syntax) -> Any:
    text = data.removeprefix(BOM).decode()
    if syntax is Syntax.TOML:
        import tomllib

        return _sorted(_tables(tomllib.loads(text)))
    if syntax is Syntax.YAML:
        return _composed(text)
    try:
        return _json(text)
    except ValueError:
        bare = _COMMENT.sub(lambda found: found[1] or " ", text)
        return _json(_LAST_COMMA.sub(lambda found: found[1] or " ", bare))


def _json(text: str) -> Any:
    # Numbers as spelled, so that none is changed and none is too long for Python.
    return json.loads(text, object_pairs_hook=tuple, parse_int=_Number, parse_float=_Number)


@dataclass(frozen=True, slots=True)
class _Number:
    """A number, as it is spelled; or another scalar that is no string."""

    spelled: str


def _sorted(value: Any) -> Any:
    """Tables in the order of their keys: one that is added need not come where it is spelled."""
    if isinstance(value, tuple):
        return tuple(sorted((name, _sorted(inner)) for name, inner in value))
    return [_sorted(inner) for inner in value] if isinstance(value, list) else value


def _tables(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple((name, _tables(inner)) for name, inner in value.items())
    if isinstance(value, list):
        return [_tables(inner) for inner in value]
    return value if isinstance(value, str) else _Number(f"{type(value).__name__} {value!r}")


def _composed(text: str) -> Any:
    import yaml

    def plain(node: Any) -> Any:
        if isinstance(node, yaml.MappingNode):
            return tuple((plain(key), plain(value)) for key, value in node.value)
        if isinstance(node, yaml.SequenceNode):
            return [plain(item) for item in node.value]
        return str(node.value) if node.tag.endswith(":str") else _Number(f"{node.tag} {node.value}")

    return plain(yaml.compose(text, Loader=yaml.SafeLoader))
