"""Ids of requests, and progress tokens, as keys."""

from __future__ import annotations

import json
from typing import Any


class OddId:
    """An id of a type that JSON-RPC or MCP does not allow, by its JSON spelling."""

    __slots__ = ("spelling",)

    def __init__(self, value: Any) -> None:
        self.spelling = json.dumps(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OddId) and other.spelling == self.spelling

    def __hash__(self) -> int:
        return hash((OddId, self.spelling))

    def __repr__(self) -> str:
        return self.spelling


MAX_IDS = 200_000
"""So many ids of usual length are kept; see `id_size`."""
LONG_ID = 200

Id = int | str | OddId
"""An id as a key: `1` and `"1"` differ, as they do on the wire."""


def id_size(key: Id) -> int:
    """How much an id costs, in ids of usual length."""
    if isinstance(key, int):
        return 1 + key.bit_length() // (8 * LONG_ID)
    return 1 + len(key.spelling if isinstance(key, OddId) else key) // LONG_ID


def spell_id(key: Id | None) -> str:
    """An id as JSON writes it."""
    if isinstance(key, str):
        return json.dumps(key, ensure_ascii=False)
    return "null" if key is None else str(key)


def as_id(value: Any) -> Id | None:
    """A value that names a request or token, as a key; None if there is none."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | str):
        return OddId(value)
    return value


def other_type(key: Id) -> Id | None:
    """The same id in the other type (`1` for `"1"` and the reverse), if there is one."""
    if isinstance(key, int):
        return str(key)
    if isinstance(key, str) and key.lstrip("-").isdecimal() and key.isascii() and len(key) < 40:
        return int(key)
    return None


class IdSet:
    """A set of ids that is small for the ids that real senders use, which count up.

    Integers are kept as ranges while they come in order, everything else one by one, up to `MAX_IDS` of
    them: then `is_full`, and what is added is forgotten.
    """

    __slots__ = ("_high", "_low", "_others", "_size", "is_full")

    def __init__(self) -> None:
        self._low = self._high = self._size = 0
        self._others: set[Id] = set()
        self.is_full = False

    def add(self, key: Id) -> None:
        """Put an id into the set."""
        if type(key) is int:
            if key == self._high:
                if self._low == self._high:
                    self._low = key
                self._high = key + 1
                self._join_others()
                return
            if self._low <= key < self._high:
                return
            if self._low == self._high:
                self._low, self._high = key, key + 1
                return
        self._size += id_size(key)
        if self._size > MAX_IDS:
            self.is_full = True
        else:
            self._others.add(key)

    def _join_others(self) -> None:
        """Take into the range what follows it."""
        while self._others and self._high in self._others:
            self._others.remove(self._high)
            self._high += 1

    def __contains__(self, key: Id) -> bool:
        return (type(key) is int and self._low <= key < self._high) or key in self._others

    def __bool__(self) -> bool:
        return self._low != self._high or bool(self._others)
