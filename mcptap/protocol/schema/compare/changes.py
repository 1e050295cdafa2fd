"""What changed between two JSON Schemas, and what each change means for those who relied on the old one.

A schema of arguments may take more than before and break nobody; a schema of results may promise more. So
the same change means the opposite in the two: what is narrower breaks who calls, what is wider breaks who
reads. What can't be judged is said to be so, and counts as a breach.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from mcptap.jsontext.diff import ABSENT, Steps, equal
from mcptap.protocol.schema.compare.apart import are_apart
from mcptap.protocol.schema.compare.normal import WORDS, Schema, bounds, normal, types_of, unwrapped
from mcptap.text.enumeration import listed

DEEPEST = 60
MOST_SCHEMAS = 20_000
"""So many pairs of schemas are compared; what lies behind them can't be judged."""


class Meaning(Enum):
    """What a change means for those who relied on the old schema. Another style is no change at all."""

    TEXT = "text"
    WIDER = "wider"
    BREAKING = "breaking"


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One change: where, what it means, in words, and the two values (`ABSENT` for what was not there)."""

    steps: Steps
    meaning: Meaning
    why: str
    old: Any = ABSENT
    new: Any = ABSENT


def schema_changes(old: Any, new: Any, *, given: bool, steps: Steps = ()) -> list[SchemaChange]:
    """All changes between two schemas. `given`: of results, which the server gives; else of arguments."""
    comparer = _Comparer(old, new, given)
    comparer.compare(old, new, steps)
    return comparer.found


_NARROWER, _WIDER, _OTHER = "narrower", "wider", "other"
_OPPOSITE = {_NARROWER: _WIDER, _WIDER: _NARROWER, _OTHER: _OTHER}

_PLAIN = ("pattern", "format", "contentEncoding", "contentMediaType", "multipleOf", "uniqueItems")
"""Keywords of one value: with it there is less, without it more, with another one something else."""
_LEAST = ("minLength", "minItems", "minProperties", "minContains")
_MOST = ("maxLength", "maxItems", "maxProperties", "maxContains")
_LIMITS = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
_DONE = WORDS.union(
    (*_PLAIN, *_LEAST, *_MOST, *_LIMITS, "type", "enum", "properties", "required", "items", "not"),
    ("additionalProperties", "propertyNames", "contains", "anyOf", "oneOf", "allOf", "prefixItems"),
    ("dependentRequired",),
)
CANNOT_BE_JUDGED = "what this means can't be judged"


class _Comparer:
    """Compares two documents; `found` is what it found."""

    def __init__(self, old_root: Any, new_root: Any, given: bool) -> None:
        self.found: list[SchemaChange] = []
        self._roots = old_root, new_root
        self._given = given
        self._flipped = False
        self._depth = 0
        self._left = MOST_SCHEMAS
        self._open: set[tuple[int, int]] = set()
        """Pairs of schemas that are being compared: one that holds itself by a reference ends there."""

    def compare(self, old: Any, new: Any, steps: Steps) -> None:
        """Find what changed between two schemas."""
        pair = id(old), id(new)
        if pair in self._open:
            return
        self._left -= 1
        before, now = normal(old, self._roots[0]), normal(new, self._roots[1])
        if before is None or now is None or self._depth >= DEEPEST or self._left < 0:
            if (before is None) != (now is None) or not equal(old, new):
                self._unjudged(steps, old, new)
            return
        before, now = unwrapped(before, now, self._roots[0]), unwrapped(now, before, self._roots[1])
        self._open.add(pair)
        self._depth += 1
        try:
            self._keywords(before, now, steps)
        finally:
            self._depth -= 1
            self._open.discard(pair)

    # --- telling ------------------------------------------------------------------------------

    def _tell(self, effect: str, steps: Steps, why: str, old: Any = ABSENT, new: Any = ABSENT) -> None:
        if self._flipped:
            effect = _OPPOSITE[effect]
        breaks = effect == _OTHER or effect == (_WIDER if self._given else _NARROWER)
        self._add(Meaning.BREAKING if breaks else Meaning.WIDER, steps, why, old, new)

    def _unjudged(self, steps: Steps, old: Any, new: Any) -> None:
        self._add(Meaning.BREAKING, steps, CANNOT_BE_JUDGED, old, new)

    def _add(self, meaning: Meaning, steps: Steps, why: str, old: Any, new: Any) -> None:
        self.found.append(SchemaChange(steps, meaning, why, old, new))

    # --- keywords -----------------------------------------------------------------------------

    def _keywords(self, old: Schema, new: Schema, steps: Steps) -> None:
        for key in sorted(old.keys() & WORDS | new.keys() & WORDS):
            if not equal(old.get(key), new.get(key)):
                self._add(
                    Meaning.TEXT, (*steps, key), "other words", old.get(key, ABSENT), new.get(key, ABSENT)
                )
        if self._types(old, new, steps):
            return  # nothing that fitted the one fits the other, whatever else they say
        self._enum(old, new, steps)
        self._numbers(old, new, steps)
        for key in _PLAIN:
            self._plain(key, old, new, steps)
        self._members(old, new, steps)
        self._closed(old, new, steps)
        for key in ("items", "propertyNames"):
            if key in old or key in new:
                self.compare(old.get(key, {}), new.get(key, {}), (*steps, key))
        self._optional("contains", old, new, steps)
        self._negated(old, new, steps)
        self._dependent(old, new, steps)
        for key in ("prefixItems", "allOf", "anyOf", "oneOf"):
            self._list(key, old, new, steps)
        for key in sorted((old.keys() | new.keys()) - _DONE):
            if not equal(old.get(key, ABSENT), new.get(key, ABSENT)):
                self._unjudged((*steps, key), old.get(key, ABSENT), new.get(key, ABSENT))

    def _types(self, old: Schema, new: Schema, steps: Steps) -> bool:
        """Compare the types; returns whether the two have none in common."""
        before, now = types_of(old), types_of(new)
        if before is None or now is None:
            if old.get("type") != new.get("type"):
                self._unjudged((*steps, "type"), old.get("type", ABSENT), new.get("type", ABSENT))
        elif before != now:
            effect = _NARROWER if now < before else _WIDER if now > before else _OTHER
            words = {_NARROWER: "fewer types are allowed", _WIDER: "more types are allowed"}
            why = words.get(effect, "the type is another")
            self._tell(effect, (*steps, "type"), why, old.get("type", ABSENT), new.get("type", ABSENT))
            return not before & now
        return False

    def _enum(self, old: Schema, new: Schema, steps: Steps) -> None:
        before, now, path = old.get("enum"), new.get("enum"), (*steps, "enum")
        if not isinstance(before, list) or not isinstance(now, list):
            if before is None and now is not None:
                self._tell(_NARROWER, path, "only these values are allowed now", new=now)
            elif now is None and before is not None:
                self._tell(_WIDER, path, "other values are allowed too", before)
            return
        old_by, new_by = ({json.dumps(value, sort_keys=True): value for value in v} for v in (before, now))
        gone = [value for spelled, value in old_by.items() if spelled not in new_by]
        more = [value for spelled, value in new_by.items() if spelled not in old_by]
        if gone:
            self._tell(_NARROWER, path, f"{_shown(gone)} {_are(gone)} no longer allowed", before, now)
        if more:
            self._tell(_WIDER, path, f"{_shown(more)} {_are(more)} allowed now", before, now)

    def _numbers(self, old: Schema, new: Schema, steps: Steps) -> None:
        before, now = bounds(old), bounds(new)
        if before is None or now is None:
            if [old.get(key) for key in _LIMITS] != [new.get(key) for key in _LIMITS]:
                self._unjudged(steps, old, new)
        else:
            for is_least, low, high in ((True, "minimum", ">"), (False, "maximum", "<")):
                was, is_now = before[is_least], now[is_least]
                self._limit(was, is_now, high == ">", (*steps, low))
        for key in (*_LEAST, *_MOST):
            self._limit(old.get(key), new.get(key), key in _LEAST, (*steps, key))

    def _limit(self, old: Any, new: Any, is_least: bool, steps: Steps) -> None:
        """A limit, as a number or as a number with whether it is excluded; None for none."""
        if equal(old, new):
            return None
        if old is None or new is None:
            effect = _NARROWER if old is None else _WIDER
        else:
            was, is_now = _bound(old, is_least), _bound(new, is_least)
            if was is None or is_now is None:
                return self._unjudged(steps, old, new)
            effect = _NARROWER if (is_now > was) is is_least else _WIDER
        why = "a limit is tighter" if effect == _NARROWER else "a limit is wider"
        self._tell(effect, steps, why, _number(old), _number(new))
        return None

    def _plain(self, key: str, old: Schema, new: Schema, steps: Steps) -> None:
        before, now = old.get(key, ABSENT), new.get(key, ABSENT)
        if before is now or (before is not ABSENT and now is not ABSENT and equal(before, now)):
            return
        effect = _NARROWER if before is ABSENT else _WIDER if now is ABSENT else _OTHER
        words = {_NARROWER: f"there is a {key} now", _WIDER: f"there is no {key} any more"}
        self._tell(effect, (*steps, key), words.get(effect, f"the {key} is another"), before, now)

    def _members(self, old: Schema, new: Schema, steps: Steps) -> None:
        """Properties, and which are required: one that is gone is missed in either direction."""
        before, now = _object(old.get("properties")), _object(new.get("properties"))
        was_required, is_required = _names(old.get("required")), _names(new.get("required"))
        what, path = "the member" if self._given else "the argument", (*steps, "properties")
        for name in before:
            if name in now:
                self.compare(before[name], now[name], (*path, name))
            else:
                self._add(Meaning.BREAKING, (*path, name), f'{what} "{name}" is gone', before[name], ABSENT)
        for name in now:
            if name not in before and name not in is_required:
                self._add(Meaning.WIDER, (*path, name), f'{what} "{name}" is new', ABSENT, now[name])
        for name in (one for one in is_required if one not in was_required):
            new_too = "new and " if name in now and name not in before else ""
            self._tell(_NARROWER, (*steps, "required"), f'{what} "{name}" is {new_too}required', ABSENT, name)
        for name in (one for one in was_required if one not in is_required):
            if name not in before or name in now:
                self._tell(_WIDER, (*steps, "required"), f'{what} "{name}" is no longer required', name)

    def _closed(self, old: Schema, new: Schema, steps: Steps) -> None:
        """What becomes of properties that are not named. More of them in a result breaks no reader."""
        before, now = old.get("additionalProperties", {}), new.get("additionalProperties", {})
        path = (*steps, "additionalProperties")
        if (before is False) == (now is False):
            if before is not False and (before or now):
                self.compare(before, now, path)
        elif self._given:
            self._add(Meaning.WIDER, path, "whether other members may come is another", before, now)
        elif now is False:
            self._tell(_NARROWER, path, "arguments that are not named are refused", before, now)
        else:
            self._tell(_WIDER, path, "arguments that are not named are taken", before, now)

    def _optional(self, key: str, old: Schema, new: Schema, steps: Steps) -> None:
        """A schema that restricts where it stands at all."""
        if key in old and key in new:
            self.compare(old[key], new[key], (*steps, key))
        elif key in old or key in new:
            self._plain(key, old, new, steps)

    def _negated(self, old: Schema, new: Schema, steps: Steps) -> None:
        self._flipped = not self._flipped
        if "not" in old and "not" in new:
            self.compare(old["not"], new["not"], (*steps, "not"))
        self._flipped = not self._flipped
        if ("not" in old) != ("not" in new):
            self._plain("not", old, new, steps)

    def _dependent(self, old: Schema, new: Schema, steps: Steps) -> None:
        pairs = [
            {(name, needed) for name, needs in _object(one.get("dependentRequired")).items()
             for needed in _names(needs)}
            for one in (old, new)
        ]  # fmt: skip
        before, now = pairs
        path = (*steps, "dependentRequired")
        if now - before:
            self._tell(_NARROWER, path, "more is required together", ABSENT, sorted(now - before))
        if before - now:
            self._tell(_WIDER, path, "less is required together", sorted(before - now))

    # --- lists of schemas ---------------------------------------------------------------------

    def _list(self, key: str, old: Schema, new: Schema, steps: Steps) -> None:
        before, now, path = old.get(key, []), new.get(key, []), (*steps, key)
        if before == now and self._roots_are_equal:
            return None
        if not isinstance(before, list) or not isinstance(now, list):
            return self._unjudged(path, before, now)
        if key == "prefixItems":
            if len(before) != len(now):
                return self._unjudged(path, before, now)
            for at, (one, other) in enumerate(zip(before, now, strict=True)):
                self.compare(one, other, (*path, f"[{at}]"))
            return None
        left, came = self._unlike(before, now)
        if not left and not came:
            return None
        old_root, new_root = self._roots
        if key == "oneOf" and not (are_apart(before, old_root) and are_apart(now, new_root)):
            return self._unjudged(path, before, now)
        if not before or not now:
            return self._tell(_NARROWER if now else _WIDER, path, _restricted(bool(now)), before, now)
        more, fewer = (_NARROWER, _WIDER) if key == "allOf" else (_WIDER, _NARROWER)
        if len(left) == len(came):
            for (at, one), (_, other) in zip(left, came, strict=True):
                self.compare(one, other, (*path, f"[{at}]"))
        elif left and came:
            self._tell(_OTHER, path, "what is allowed is another", before, now)
        else:
            effect = more if came else fewer
            words = "is allowed too" if effect == _WIDER else "is no longer allowed"
            self._tell(effect, path, f"one of several forms {words}", before, now)
        return None

    @property
    def _roots_are_equal(self) -> bool:
        old, new = self._roots
        return bool(old == new)

    def _unlike(self, old: list[Any], new: list[Any]) -> tuple[list[tuple[int, Any]], list[tuple[int, Any]]]:
        """The schemas of two lists that have no equal one in the other."""
        left, came = list(enumerate(old)), list(enumerate(new))
        for one in list(left):
            for other in came:
                if self._is_same(one[1], other[1]):
                    left.remove(one)
                    came.remove(other)
                    break
        return left, came

    def _is_same(self, old: Any, new: Any) -> bool:
        return not self._aside(lambda: self.compare(old, new, ()))

    def _aside(self, look: Callable[[], None]) -> list[SchemaChange]:
        """What a look finds, without telling it."""
        kept, self.found = self.found, []
        look()
        seen, self.found = self.found, kept
        return seen


def _restricted(now: bool) -> str:
    return "what is allowed is restricted" if now else "what is allowed is no longer restricted"


def _bound(limit: Any, is_least: bool) -> tuple[float, int] | None:
    """A limit as something to compare: an excluded one is tighter."""
    value, excluded = limit if isinstance(limit, tuple) else (limit, False)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value, excluded if is_least else -excluded


def _number(limit: Any) -> Any:
    return ABSENT if limit is None else limit[0] if isinstance(limit, tuple) else limit


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _names(value: Any) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _shown(values: list[Any]) -> str:
    return listed([json.dumps(value, ensure_ascii=False) for value in values])


def _are(values: list[Any]) -> str:
    return "is" if len(values) == 1 else "are"
