"""Values that a server makes up and its client sends back: those of the fresh server take their place.

A cursor, a `requestState`, the id of a task or of a note that a tool made: the recorded
client's lines hold those of the recorded server, and a fresh server knows nothing of them.
So the two answers to the same request are laid side by side, and where they differ in such a
value, the later lines of the client get the fresh one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from mcptap.jsontext.bounded import parse
from mcptap.jsontext.scanner import Path
from mcptap.jsontext.splice import SAME, change_values, rename_members

SERVER_VALUE_NAME = re.compile(
    r"(?:^|[_-])(?:id|uuid|guid|token|cursor|handle|session)$"
    r"|(?:Id|ID|Uuid|UUID|Guid|GUID|Token|Cursor|Handle|Session)$|^requestState$"
)
"""Names of members whose values only mean something to the server that made them."""

OPAQUE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,}", re.IGNORECASE
)
"""Values that nobody else makes up either: UUIDs and long hexadecimal numbers."""

RETURNED_MEMBERS = ("nextCursor", "requestState", "inputRequests")
"""Members of a result that the client's next request answers to; without one there is none."""


class ValueSubstitution:
    """What the fresh server made up, by what the recorded server had instead.

    Only values that the client's lines (`lines`, parsed) hand back are looked for.
    """

    def __init__(self, lines: Iterable[Any]) -> None:
        self._wanted: set[str | int] = {
            value for line in lines for _, value in _scalars(line) if _can_be_substituted(value)
        }
        self._wanted_ids = {
            key for value in self._wanted if isinstance(value, str) for key in OPAQUE.findall(value)
        }
        self._fresh: dict[str | int, str | int] = {}
        self._keys: dict[str, str] = {}
        self.missing: set[str] = set()
        """Recorded cursors and states that the fresh server gave nothing for."""

    @property
    def substitutes(self) -> dict[str | int, str | int]:
        """The fresh value for each recorded one."""
        return dict(self._fresh)

    def learn(self, recorded: Any, fresh: Any) -> None:
        """Lay a recorded value (a result, or params of a request) beside its fresh counterpart."""
        for path, old, new in _side_by_side(recorded, fresh):
            if _can_be_substituted(old) and _can_be_substituted(new) and old != new:
                self._learn_scalar(path, old, new)
        if isinstance(recorded, dict):
            self._learn_returned_members(recorded, fresh if isinstance(fresh, dict) else {})

    def apply(self, data: bytes) -> bytes:
        """A line of the client with the fresh values in it, and no other byte changed."""
        if not self._fresh and not self._keys:
            return data
        data = change_values(data, self._change)
        return rename_members(data, ("params", "inputResponses"), self._keys)

    def needs_missing_value(self, value: Any) -> bool:
        """Whether a line of the client hands back what the fresh server never gave."""
        params = value.get("params") if isinstance(value, dict) else None
        if not self.missing or not isinstance(params, dict):
            return False
        given = (params.get(name) for name in ("cursor", "requestState"))
        return any(isinstance(value, str) and value in self.missing for value in given)

    def is_source_of(self, answer: Any, lines: Iterable[Any]) -> bool:
        """Whether one of these lines hands back a value of this recorded answer."""
        given = {value for path, value in _scalars(answer) if self._is_server_value(path, value)}
        return bool(given) and any(
            value in given for line in lines for _, value in _scalars(line) if _can_be_substituted(value)
        )

    def _is_server_value(self, path: Path, value: Any) -> bool:
        if not _can_be_substituted(value) or value not in self._wanted:
            return False
        named = bool(path) and isinstance(path[-1], str) and SERVER_VALUE_NAME.search(path[-1]) is not None
        return named or (isinstance(value, str) and OPAQUE.fullmatch(value) is not None)

    def _learn_scalar(self, path: Path, old: Any, new: Any) -> None:
        if self._is_server_value(path, old):
            self._fresh[old] = new
        elif isinstance(old, str) and isinstance(new, str):
            inner, inner_new = _as_json(old), _as_json(new)
            if inner is not None and inner_new is not None:
                self.learn(inner, inner_new)
            else:
                self._learn_from_text(old, new)

    def _learn_from_text(self, old: str, new: str) -> None:
        """Ids in running text, if both texts have as many."""
        old_ids, new_ids = OPAQUE.findall(old), OPAQUE.findall(new)
        if len(old_ids) == len(new_ids):
            pairs = zip(old_ids, new_ids, strict=True)
            self._fresh.update({a: b for a, b in pairs if a != b and a in self._wanted_ids})

    def _learn_returned_members(self, recorded: dict[str, Any], fresh: dict[str, Any]) -> None:
        for name in RETURNED_MEMBERS:
            old, new = recorded.get(name), fresh.get(name)
            if isinstance(old, str) and not isinstance(new, str):
                self.missing.add(old)
            elif isinstance(old, str):
                self.missing.discard(old)
            elif isinstance(old, dict) and isinstance(new, dict):
                self._keys.update(_pair_keys(old, new))

    def _change(self, path: Path, value: Any) -> Any:
        if not path or path[0] not in ("params", "result"):
            return SAME
        if isinstance(value, str):
            if value in self._fresh:
                return self._fresh[value]
            changed = OPAQUE.sub(lambda match: str(self._fresh.get(match.group(), match.group())), value)
            return SAME if changed == value else changed
        name = path[-1]
        if (
            _can_be_substituted(value)
            and value in self._fresh
            and isinstance(name, str)
            and SERVER_VALUE_NAME.search(name)
        ):
            return self._fresh[value]
        return SAME


def with_id(raw: bytes, key: Any) -> bytes:
    """A response with another id, and no other byte changed."""

    def change(path: Path, value: Any) -> Any:
        return key if path == ("id",) and (value != key or type(value) is not type(key)) else SAME

    return change_values(raw, change)


def _can_be_substituted(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


def _scalars(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    todo: list[tuple[Path, Any]] = [(path, value)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, dict):
            todo += [((*path, name), inner) for name, inner in value.items()]
        elif isinstance(value, list):
            todo += [((*path, index), inner) for index, inner in enumerate(value)]
        else:
            yield path, value


def _side_by_side(one: Any, other: Any) -> Iterator[tuple[Path, Any, Any]]:
    """The scalars that stand at the same path in both values."""
    todo: list[tuple[Path, Any, Any]] = [((), one, other)]
    while todo:
        path, a, b = todo.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            todo += [((*path, name), a[name], b[name]) for name in a if name in b]
        elif isinstance(a, list) and isinstance(b, list):
            todo += [((*path, i), x, y) for i, (x, y) in enumerate(zip(a, b, strict=False))]
        else:
            yield path, a, b


def _pair_keys(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Keys of `inputRequests` that mean the same: the n-th request of each method."""
    free = [name for name in new if name not in old]
    for name, request in old.items():
        if name in new:
            continue
        for other in free:
            if _method_of(request) == _method_of(new[other]):
                free.remove(other)
                yield name, other
                break


def _method_of(request: Any) -> Any:
    return request.get("method") if isinstance(request, dict) else None


def _as_json(text: str) -> Any:
    """The object or array that a text holds, if it holds one."""
    if text[:1] not in ("{", "["):
        return None
    try:
        return parse(text.encode(errors="surrogatepass"))
    except ValueError:
        return None
