"""Placeholders in what is expected of a server: `‹time›` for any time, `‹any›` for anything.

They stand in the strings of a message, or in place of a number: `"pid": "‹pid›"`. What was masked as a
secret (`‹masked:abc123›`) is not known, so anything fits there.
"""  # noqa: RUF002

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, Final

from mcptap.play.compare.volatile import KINDS, Kind

STATE: Final = "‹state›"
"""What only the server that made it understands: a cursor, a `requestState`, the id of a task."""
ANY: Final = "‹any›"

_SHAPES: Final = {kind.one: kind.shape or kind.expression.pattern for kind in KINDS.values()}
_SHAPES.update({"state": ".+?", "any": ".*?"})
_PLACEHOLDER: Final = re.compile(rf"‹(?:(?P<name>{'|'.join(_SHAPES)})|masked:[0-9a-f]+)›")


def placeholder(kind: Kind) -> str:
    """What stands for any part of a kind."""
    return f"‹{kind.one}›"


def match(expected: Any, value: Any) -> bool:
    """Whether an expected text has placeholders, and a value (a text, or a number as text) fits them."""
    if not isinstance(expected, str) or not _PLACEHOLDER.search(expected):
        return False
    return _compiled(expected).fullmatch(value if isinstance(value, str) else json.dumps(value)) is not None


@lru_cache(1000)
def _compiled(expected: str) -> re.Pattern[str]:
    parts, end = [], 0
    for found in _PLACEHOLDER.finditer(expected):
        shape = _SHAPES[found["name"]] if found["name"] else ".+?"
        parts += [re.escape(expected[end : found.start()]), f"(?:{shape})"]
        end = found.end()
    return re.compile("".join(parts) + re.escape(expected[end:]), re.DOTALL)
