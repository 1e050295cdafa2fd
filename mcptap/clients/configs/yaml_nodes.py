"""YAML as nodes with places, by the marks of PyYAML, which is an extra.

What plain words mean is taken from YAML 1.2, which the clients read: `yes` is a string. Anchors, aliases and
merge keys are told by their places, since what hangs on them can't be changed in one place alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from mcptap.clients.configs.nodes import TOO_DEEP, Document, Kind, Member, Node, UnreadableDocument
from mcptap.clients.configuration import Syntax
from mcptap.text.units import size

MOST_BYTES = 1 << 18
"""A larger file is not read: PyYAML takes seconds for it."""
MOST_VALUES = 100_000
"""With what its aliases stand for, a file has no more values than this."""
WITHOUT_PACKAGE = "it is YAML, which needs the package PyYAML beside mcptap (pip install PyYAML)"

_number = re.compile(
    r"[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?", re.ASCII
)
_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), (Kind.TRUE, True)),
    **dict.fromkeys(("false", "False", "FALSE"), (Kind.FALSE, False)),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), (Kind.NULL, None)),
}


class YamlNode:
    """A value of a YAML file: `Node`. A block of it ends where its last value ends."""

    __slots__ = ("_inner", "_node", "_places", "end", "kind", "start")

    def __init__(self, node: Any, places: _Places) -> None:
        self._node = node
        self._places = places
        self._inner: tuple[Any, ...] | None = None
        self.kind = _kind(node)
        self.start = places.offset(node.start_mark.index)
        self.end = places.end(node)

    @property
    def value(self) -> Any:
        """The Python value; of members with the same key the last."""
        if self.kind is Kind.OBJECT:
            return {one.key: one.value.value for one in self.members}
        if self.kind is Kind.ARRAY:
            return [item.value for item in self.items]
        return _scalar(self._node)

    @property
    def members(self) -> Sequence[Member]:
        """Of an object, in file order, those with the same key too; else none."""
        if self.kind is not Kind.OBJECT:
            return ()
        if self._inner is None:
            self._inner = tuple(self._member(key, value) for key, value in self._node.value)
        return self._inner

    def _member(self, key: Any, value: Any) -> Member:
        start, end = self._places.offset(key.start_mark.index), self._places.end(key)
        name = key.value if isinstance(key.value, str) else ""
        return Member(name, start, end, YamlNode(value, self._places))

    @property
    def items(self) -> Sequence[Node]:
        """Of an array; else none."""
        if self.kind is not Kind.ARRAY:
            return ()
        if self._inner is None:
            self._inner = tuple(YamlNode(item, self._places) for item in self._node.value)
        return self._inner


def read_yaml(data: bytes) -> Document:
    """The document of bytes that are UTF-8. Raises UnreadableDocument, also if PyYAML is not there."""
    try:
        import yaml
    except ImportError:
        raise UnreadableDocument(WITHOUT_PACKAGE) from None
    if len(data) > MOST_BYTES:
        raise UnreadableDocument(f"it is YAML of more than {size(MOST_BYTES)}, too large for a configuration")
    text = data.decode()
    references: list[int] = []

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        def compose_node(self, parent: Any, index: Any) -> Any:
            event = self.peek_event()
            if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
                references.append(event.start_mark.index)
            node = super().compose_node(parent, index)
            if node.tag == "tag:yaml.org,2002:merge":
                references.append(node.start_mark.index)
            return node

    try:
        root = Loader(text).get_single_node()
    except RecursionError:
        raise UnreadableDocument(TOO_DEEP) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise UnreadableDocument(f"it is no YAML: {error.problem or error.context}", *place) from None
    except (yaml.YAMLError, ValueError) as error:
        raise UnreadableDocument(f"it is no YAML: {str(error).splitlines()[0]}") from None
    if references and _count(root, {}) > MOST_VALUES:
        raise UnreadableDocument("its aliases stand for more values than any configuration has")
    places = _Places(text, len(data))
    found = None if root is None else YamlNode(root, places)
    return Document(data, Syntax.YAML, found, references=tuple(map(places.offset, references)))


def _count(node: Any, known: dict[int, float]) -> float:
    """How many values a node comes to where an alias counts as what it stands for; infinite in a circle."""
    if id(node) not in known:
        known[id(node)] = float("inf")
        inner = () if node.id == "scalar" else node.value
        pairs = (part for item in inner for part in (item if node.id == "mapping" else (item,)))
        known[id(node)] = 1 + sum(_count(part, known) for part in pairs)
    return known[id(node)]


class _Places:
    """Where in the bytes a text's values stand whose marks count characters."""

    def __init__(self, text: str, length: int) -> None:
        self._text = text
        self._length = length
        self._starts: list[int] = []
        if not text.isascii():
            self._starts = [0, *accumulate(len(sign.encode()) for sign in text)]

    def offset(self, index: int) -> int:
        """The offset in bytes for one in characters. A mark may lie behind the end."""
        if self._starts:
            return self._starts[min(index, len(self._text))]
        return min(index, self._length)

    def end(self, node: Any) -> int:
        """Where a value ends, in bytes. The mark of a block lies behind the space that follows it."""
        while node.id != "scalar" and not node.flow_style and node.value:
            last = node.value[-1]
            node = last[1] if node.id == "mapping" else last
        start, end = node.start_mark.index, min(node.end_mark.index, len(self._text))
        if node.id == "scalar" and node.style in ("|", ">"):
            end = start + len(self._text[start:end].rstrip())
        return self.offset(end)


def _kind(node: Any) -> Kind:
    if node.id == "mapping":
        return Kind.OBJECT
    if node.id == "sequence":
        return Kind.ARRAY
    if node.style is not None:
        return Kind.STRING
    if node.value in _WORDS:
        return _WORDS[node.value][0]
    return Kind.NUMBER if _number.fullmatch(node.value) else Kind.STRING


def _scalar(node: Any) -> Any:
    kind, word = _kind(node), node.value
    if kind is Kind.NUMBER:
        try:
            return int(word, 0) if word[:2] in ("0o", "0x") else int(word)
        except ValueError:
            return float(word)
    return _WORDS[word][1] if kind not in (Kind.STRING, Kind.NUMBER) else word
