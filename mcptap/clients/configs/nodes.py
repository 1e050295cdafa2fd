"""A configuration file as a tree whose values know where they stand in the bytes, read only as far as asked.

Offsets are those of the file as it is, byte order mark and all. Of an object all members are kept in file
order, also those whose key stands twice.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Protocol

from mcptap.clients.configuration import Syntax
from mcptap.errors import UserError

BOM = b"\xef\xbb\xbf"


TOO_DEEP = "its values nest too deep"
"""What is said of a file that would take more memory or time than any configuration."""


class Kind(StrEnum):
    """What a value is, in all syntaxes. A table of TOML is an object, a time of TOML or YAML a string."""

    OBJECT = "object"
    ARRAY = "array"
    STRING = "string"
    NUMBER = "number"
    TRUE = "true"
    FALSE = "false"
    NULL = "null"


class UnreadableDocument(UserError):  # noqa: N818
    """A file that can't be read as its syntax. `line` and `column` count from 1; 0 if there is no place."""

    def __init__(self, what: str, line: int = 0, column: int = 0) -> None:
        super().__init__(what if not line else f"{what} (line {line}, column {column})")
        self.what = what
        self.line = line
        self.column = column


class Node(Protocol):
    """A value: `[start, end)` are its bytes in the file.

    A table of TOML that stands in no one place has the start -1.
    """

    @property
    def kind(self) -> Kind: ...  # noqa: D102

    @property
    def start(self) -> int: ...  # noqa: D102

    @property
    def end(self) -> int: ...  # noqa: D102

    @property
    def value(self) -> Any:
        """The Python value; of members with the same key the last."""

    @property
    def members(self) -> Sequence[Member]:
        """Of an object, in file order, those with the same key too; else none."""

    @property
    def items(self) -> Sequence[Node]:
        """Of an array; else none."""


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A key with its value. `[key_start, key_end)` are the key's bytes, quotes included.

    In TOML the key is all of `a.b.c`, where it is so spelled.
    """

    key: str
    key_start: int
    key_end: int
    value: Node


@dataclass(frozen=True, slots=True)
class Violation:
    """What the syntax of the client does not allow, though it can be read: a comment, a trailing comma."""

    what: str
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A file that was read. `root` is None if there is nothing in it but space and comments."""

    data: bytes
    syntax: Syntax
    root: Node | None
    violations: tuple[Violation, ...] = ()
    references: tuple[int, ...] = ()
    """In YAML, the offsets of anchors, of aliases and of merge keys."""

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, from 1; a column is a character."""
        return position(self.data, offset)


def position(data: bytes, offset: int) -> tuple[int, int]:
    """Line and column of an offset, from 1; a column is a character."""
    starts = _line_starts(data)
    line = bisect_right(starts, offset)
    begun = data[starts[line - 1] : offset]
    if line == 1:
        begun = begun.removeprefix(BOM)
    return line, len(begun.decode(errors="replace")) + 1


@lru_cache(maxsize=4)
def _line_starts(data: bytes) -> list[int]:
    """The offset of each line. A file of megabytes is asked for hundreds of places."""
    return [0, *(newline.end() for newline in re.finditer(b"\n", data))]


def member(node: Node | None, key: str) -> Member | None:
    """The member of an object with this key, the last if there are several; None if there is none."""
    found = None
    for one in node.members if node is not None else ():
        if one.key == key:
            found = one
    return found


def at(node: Node | None, *path: str | int) -> Node | None:
    """The value at the end of a path of keys and indices; None if there is none."""
    for step in path:
        if node is None:
            return None
        if isinstance(step, int):
            node = node.items[step] if step < len(node.items) else None
        else:
            found = member(node, step)
            node = found.value if found else None
    return node
