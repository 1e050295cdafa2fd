"""Lines of the client out of the bytes of our stdin, and bytes to our stdout. Imported before an answer."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

READ_SIZE = 1 << 16
LONGEST_LINE = 8 << 20
"""No request comes near it; of a longer line nothing is kept."""


class Lines:
    """Whole lines out of the pieces in which they come, without their ends. None stands for one too long."""

    def __init__(self) -> None:
        self._begun = bytearray()
        self._skips = False

    def feed(self, piece: bytes) -> Iterator[bytes | None]:
        """The lines that this piece ends."""
        first, *others = piece.split(b"\n")
        self._hold(first)
        for other in others:
            yield None if self._skips else bytes(self._begun)
            self._begun.clear()
            self._skips = False
            self._hold(other)

    def _hold(self, piece: bytes) -> None:
        if len(self._begun) + len(piece) > LONGEST_LINE:
            self._skips = True
            self._begun.clear()
        if not self._skips:
            self._begun += piece


def write(out: int, data: bytes) -> None:
    """Write all of it. Raises BrokenPipeError when nobody reads."""
    view = memoryview(data)
    while view:
        view = view[os.write(out, view) :]
