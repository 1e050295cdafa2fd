"""Values and names of a line of JSON replaced, and every other byte of it kept.

What was recorded is sent as it was but for the few values that a fresh peer made up; parsing and
writing it anew would lose spacing, number spelling and escapes, which may be the very thing that
a client or a server trips over.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from mcptap.jsontext.scanner import Path, member_spans, spans, string_end

SAME: Final = object()
"""What a change returns for a value that is to stay as it is."""


def member_span(data: bytes, *path: str) -> tuple[int, int] | None:
    """Start and end, in bytes, of the value at `path` in a JSON object; None if there is none.

    Of a repeated name the last one counts, as for the parsers that read it.
    """
    try:
        text = data.decode()
        start, end = 0, len(text)
        for name in path:
            found = {key: (first, last) for key, first, last in member_spans(text, start)}
            start, end = found[name]
    except (ValueError, KeyError):
        return None
    first = len(text[:start].encode())
    return first, first + len(text[start:end].encode())


def change_values(data: bytes, change: Callable[[Path, Any], Any]) -> bytes:
    """A line of JSON in which `change(path, value)` decided about each scalar; `SAME` keeps it.

    Bytes that are not JSON come back as they are.
    """
    edits = []
    try:
        text = data.decode()
        for span in spans(text):
            if isinstance(span.value, dict | list):
                continue
            new = change(span.path, span.value)
            if new is not SAME:
                edits.append((span.start, span.end, json.dumps(new, ensure_ascii=False)))
    except ValueError:
        return data
    return edit(text, edits).encode(errors="surrogatepass") if edits else data


def rename_members(data: bytes, parent: Path, names: Mapping[str, str]) -> bytes:
    """A line of JSON in which the members of the object at `parent` have new names."""
    edits = []
    try:
        text = data.decode()
        for span in spans(text):
            if span.name_start < 0:
                continue
            *outer, name = span.path
            if tuple(outer) == parent and name in names:
                new = json.dumps(names[str(name)], ensure_ascii=False)
                edits.append((span.name_start, string_end(text, span.name_start), new))
    except ValueError:
        return data
    return edit(text, edits).encode(errors="surrogatepass") if edits else data


def edit(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """A text in which each span `[start, end)`, in order and apart, is replaced."""
    pieces = []
    done = 0
    for start, end, new in edits:
        pieces += [text[done:start], new]
        done = end
    return "".join(pieces) + text[done:]
