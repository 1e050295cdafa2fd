"""TOML as nodes with places. `tomllib` says what the file means; what is here says where each value stands.

The scanner takes for granted what tomllib has checked. Both must come to the same values: a file in which
they do not is refused.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any

from mcptap.clients.configs.nodes import BOM, TOO_DEEP, Document, Kind, Member, Node, UnreadableDocument
from mcptap.clients.configuration import Syntax
from mcptap.text.units import size

MOST_BYTES = 1 << 20
"""A larger file is not read: it would take seconds."""

_gap = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_key = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*+"|'[^']*+'""")
_dot = re.compile(r"[ \t]*+\.[ \t]*+")
_string = re.compile(
    r'''"""(?:[^"\\]|\\.|"{1,2}(?!"))*+"{3,5}|\'\'\'(?:[^']|'{1,2}(?!'))*+'{3,5}'''
    r"""|"(?:[^"\\]|\\.)*+"|'[^']*+\'""",
    re.DOTALL,
)
_bare = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*+|[^\s,\]}#]++")
_place = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)$")


class TomlNode:
    """A value of a TOML file: `Node`. A table's place is its header with what follows it."""

    __slots__ = ("end", "items", "kind", "members", "raw", "start")

    def __init__(self, kind: Kind, start: int = -1, end: int = -1, raw: Any = None) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.raw = raw
        self.members: list[Member] = []
        self.items: list[Node] = []

    @property
    def value(self) -> Any:
        """The Python value; a time is its text."""
        if self.kind is Kind.OBJECT:
            return {one.key: one.value.value for one in self.members}
        if self.kind is Kind.ARRAY:
            return [item.value for item in self.items]
        return self.raw if isinstance(self.raw, str | bool | int | float) else str(self.raw)


def read_toml(data: bytes) -> Document:
    """The document of bytes that are UTF-8. Raises UnreadableDocument."""
    if len(data) > MOST_BYTES:
        raise UnreadableDocument(f"it is TOML of more than {size(MOST_BYTES)}, too large for a configuration")
    text = data.decode().removeprefix(BOM.decode())
    try:
        meant = tomllib.loads(text)
        root = _Scanner(data).root
    except RecursionError:
        raise UnreadableDocument(TOO_DEEP) from None
    except (ValueError, IndexError) as error:
        raise _error(error) from None
    if not _same(root, meant):
        raise UnreadableDocument("mcptap can't tell for certain where its values stand")
    return Document(data, Syntax.TOML, root if root.members else None)


def _error(error: ValueError | IndexError) -> UnreadableDocument:
    found = _place.search(str(error))
    what = str(error)[: found.start()].rstrip() if found else str(error)
    line, column = (int(found[1]), int(found[2])) if found and found[1] else (0, 0)
    return UnreadableDocument(f"it is no TOML: {what[:1].lower()}{what[1:]}", line, column)


def _same(node: Node, meant: Any) -> bool:
    """Whether the values of a node are those of tomllib."""
    assert isinstance(node, TomlNode)
    if isinstance(meant, dict):
        names = [member.key for member in node.members]
        return (
            node.kind is Kind.OBJECT
            and sorted(names) == sorted(meant)
            and all(_same(member.value, meant[member.key]) for member in node.members)
        )
    if isinstance(meant, list):
        return (
            node.kind is Kind.ARRAY
            and len(node.items) == len(meant)
            and all(_same(item, one) for item, one in zip(node.items, meant, strict=True))
        )
    return type(node.raw) is type(meant) and repr(node.raw) == repr(meant)


class _Scanner:
    """Goes through a file once. Offsets are bytes: the text is taken as Latin-1."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._text = data.decode("latin-1")
        self._at = len(BOM) if data.startswith(BOM) else 0
        self.root = TomlNode(Kind.OBJECT, self._at, len(data))
        self._table = self.root
        self._skip()
        while self._at < len(data):
            if self._text[self._at] == "[":
                self._header()
            else:
                self._pair(self._table)
            self._skip()

    def _skip(self) -> None:
        found = _gap.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _header(self) -> None:
        start = self._at
        is_array = self._text.startswith("[[", start)
        self._at += 2 if is_array else 1
        self._skip()
        keys = self._keys()
        self._skip()
        self._at += 2 if is_array else 1
        parent = self._down(self.root, keys[:-1])
        last, key_start, key_end = keys[-1]
        found = _last(parent, last)
        if is_array:
            if found is None:
                found = TomlNode(Kind.ARRAY, start, self._at)
                parent.members.append(Member(last, key_start, key_end, found))
            self._table = TomlNode(Kind.OBJECT, start, self._at)
            found.items.append(self._table)
        else:
            self._table = found or TomlNode(Kind.OBJECT)
            self._table.start, self._table.end = start, self._at
            if found is None:
                parent.members.append(Member(last, key_start, key_end, self._table))

    def _pair(self, table: TomlNode) -> None:
        """A key, which may have dots, and its value."""
        keys = self._keys()
        start, end = keys[0][1], keys[-1][2]
        self._skip()
        self._at += 1  # =
        self._skip()
        parent = self._down(table, [(key, start, end) for key, _, _ in keys[:-1]])
        value = self._value()
        parent.members.append(Member(keys[-1][0], start, end, value))
        table.end = max(table.end, value.end)

    def _keys(self) -> list[tuple[str, int, int]]:
        """The parts of a key, each with its place."""
        keys: list[tuple[str, int, int]] = []
        while True:
            found = _key.match(self._text, self._at)
            if found is None:
                raise ValueError("a key that can't be placed")
            start, end = found.span()
            name = found[0]
            if name[0] in "\"'":
                name = next(iter(tomllib.loads(self._data[start:end].decode() + " = 0")))
            keys.append((name, start, end))
            dot = _dot.match(self._text, end)
            if dot is None:
                self._at = end
                return keys
            self._at = dot.end()

    def _down(self, table: TomlNode, keys: Sequence[tuple[str, int, int]]) -> TomlNode:
        """The table at the end of some keys, made on the way; of an array of tables the last."""
        for key, start, end in keys:
            found = _last(table, key)
            if found is None:
                found = TomlNode(Kind.OBJECT)
                table.members.append(Member(key, start, end, found))
            elif found.kind is Kind.ARRAY:
                inner = found.items[-1]
                assert isinstance(inner, TomlNode)
                found = inner
            table = found
        return table

    def _value(self) -> TomlNode:
        start = self._at
        mark = self._text[start : start + 1]
        if mark == "[":
            return self._array()
        if mark == "{":
            return self._inline()
        found = (_string if mark in ("'", '"') else _bare).match(self._text, start)
        if found is None:
            raise ValueError("a value that can't be placed")
        self._at = found.end()
        raw = tomllib.loads("v = " + self._data[start : self._at].decode())["v"]
        return TomlNode(_kind(raw), start, self._at, raw)

    def _array(self) -> TomlNode:
        node = TomlNode(Kind.ARRAY, self._at)
        self._at += 1
        self._skip()
        while self._text[self._at] != "]":
            node.items.append(self._value())
            self._comma()
        self._at += 1
        node.end = self._at
        return node

    def _inline(self) -> TomlNode:
        node = TomlNode(Kind.OBJECT, self._at)
        self._at += 1
        self._skip()
        while self._text[self._at] != "}":
            self._pair(node)
            self._comma()
        self._at += 1
        node.end = self._at
        return node

    def _comma(self) -> None:
        self._skip()
        if self._text[self._at] == ",":
            self._at += 1
            self._skip()


def _last(table: TomlNode, key: str) -> TomlNode | None:
    for member in reversed(table.members):
        if member.key == key:
            assert isinstance(member.value, TomlNode)
            return member.value
    return None


def _kind(raw: Any) -> Kind:
    if isinstance(raw, bool):
        return Kind.TRUE if raw else Kind.FALSE
    return Kind.NUMBER if isinstance(raw, int | float) else Kind.STRING
