"""A JSON value exactly as it was spelled: numbers digit by digit, keys that come twice twice."""

from __future__ import annotations

import json
from typing import Any

from mcptap.jsontext.scanner import Span, spans, string_end


class Number(str):
    """A number as it was spelled."""

    __slots__ = ()


class Object(list[tuple[str, Any]]):
    """An object as its pairs, in order, with keys that come twice."""

    __slots__ = ()


def parse(data: bytes | str) -> Any:
    """The exact value of a JSON text: of `Object`, list, str, `Number`, bool and None.

    Raises ValueError on bad JSON, and if it nests deeper than the parser goes (about 1,000 levels).
    """
    try:
        return json.loads(
            data, object_pairs_hook=Object, parse_int=Number, parse_float=Number, parse_constant=Number
        )
    except RecursionError as error:
        raise ValueError("nests too deep") from error


def parse_deep(data: bytes | str) -> Any:
    """As `parse`, however deep it nests. Raises ValueError on bad JSON."""
    try:
        return json.loads(
            data, object_pairs_hook=Object, parse_int=Number, parse_float=Number, parse_constant=Number
        )
    except RecursionError:
        text = data if isinstance(data, str) else data.decode()
        return _put_together(text)


def _put_together(text: str) -> Any:
    held: list[tuple[Span, Any]] = []  # values whose container has not ended yet
    end = 0
    for span in spans(text):
        if isinstance(span.value, dict | list):
            inner: list[Any] = []
            while held and held[-1][0].start > span.start:
                place, item = held.pop()
                name = (
                    text[place.name_start : string_end(text, place.name_start)]
                    if place.name_start >= 0
                    else ""
                )
                inner.append((json.loads(name), item) if isinstance(span.value, dict) else item)
            inner.reverse()
            held.append((span, Object(inner) if isinstance(span.value, dict) else inner))
        else:
            is_number = isinstance(span.value, int | float) and not isinstance(span.value, bool)
            held.append((span, Number(text[span.start : span.end]) if is_number else span.value))
        end = span.end
    if text[end:].strip(" \t\r\n"):
        raise ValueError(f"more behind the value at {end}")
    return held[0][1]


def dumps(value: Any, indent: int | None = None) -> str:
    """The JSON text of an exact value, on one line or indented by so many spaces a level.

    Does not recurse: a value may nest as deep as it likes.
    """
    colon = ": " if indent else ":"
    pieces: list[str] = []
    todo: list[tuple[Any, int] | str] = [(value, 0)]
    while todo:
        task = todo.pop()
        if isinstance(task, str):
            pieces.append(task)
            continue
        value, level = task
        if not isinstance(value, list):
            pieces.append(value if isinstance(value, Number) else json.dumps(value, ensure_ascii=False))
            continue
        is_object = isinstance(value, Object)
        left, right = "{}" if is_object else "[]"
        if not value:
            pieces.append(left + right)
            continue
        lead = "" if indent is None else "\n" + " " * (indent * (level + 1))
        inner: list[tuple[Any, int] | str] = []
        for k, item in enumerate(value):
            start = (left if k == 0 else ",") + lead
            if is_object:
                name, item = item
                start += json.dumps(name, ensure_ascii=False) + colon
            inner += [start, (item, level + 1)]
        last = "" if indent is None else "\n" + " " * (indent * level)
        todo += [last + right, *reversed(inner)]
    return "".join(pieces)


def plain(value: Any) -> Any:
    """An exact value as an ordinary one: dicts, and numbers as int and float."""
    return json.loads(dumps(value))
