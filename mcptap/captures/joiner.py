"""Messages that were pretty-printed over several lines of a capture."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcptap.recording.format.model import NOT_JSON, parse_line

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')


class Joiner:
    """Puts JSON that was pretty-printed over several lines together again.

    `feed` gives `(number of the first line, bytes)`: whole JSON text, or a line that is
    none. What does not come out as JSON within the bounds is given line by line.
    """

    MAX_LINES = 5000
    MAX_BYTES = 4 << 20

    def __init__(self) -> None:
        self._held: list[tuple[int, bytes]] = []
        self._depth = 0
        self._size = 0

    @property
    def holding(self) -> bool:
        """Whether lines are held that may become one JSON text."""
        return bool(self._held)

    def feed(self, raw: bytes, number: int) -> Iterator[tuple[int, bytes]]:
        """Take one line; give what is complete with it."""
        if not self._held and (not raw.rstrip().endswith((b"{", b"[")) or parse_line(raw) is not NOT_JSON):
            yield number, raw
            return
        self._held.append((number, raw))
        self._size += len(raw) + 1
        signs = _STRING.sub(b"", raw)
        self._depth += sum(map(signs.count, (b"{", b"["))) - sum(map(signs.count, (b"}", b"]")))
        if self._depth <= 0:
            whole = b"\n".join(line for _, line in self._held)
            if parse_line(whole) is not NOT_JSON:
                first = self._held[0][0]
                self._clear()
                yield first, whole
                return
        if len(self._held) >= self.MAX_LINES or self._size >= self.MAX_BYTES or self._depth < 0:
            yield from self.finish()

    def finish(self) -> Iterator[tuple[int, bytes]]:
        """Give the lines that are still held, one by one."""
        held = self._held
        self._clear()
        yield from held

    def _clear(self) -> None:
        self._held, self._depth, self._size = [], 0, 0
