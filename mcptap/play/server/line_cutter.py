"""From the chunks of one channel to its lines, for whoever plays the other side.

The recording has every byte; what is kept here is only what a player has to look at, so a
line without an end can't fill the memory.
"""

from __future__ import annotations

from dataclasses import dataclass

from mcptap.wire import cut_lines, split_terminator

LONGEST_LINE = 64 << 20
"""A player sees no more than this many bytes of a line."""


@dataclass(frozen=True, slots=True)
class CutLine:
    """A line with its terminator (none if it was never ended), and when its first byte came."""

    data: bytes
    eol: bytes
    first_us: int


class LineCutter:
    """Cuts chunks into lines; `rest` gives the line that was never ended."""

    def __init__(self) -> None:
        self._begun: list[bytes] = []
        self._begun_bytes = 0
        self._begun_at = 0

    def feed(self, chunk: bytes, t_us: int) -> list[CutLine]:
        """The lines that a chunk, read at `t_us`, ends."""
        ended = []
        for line in cut_lines(chunk):
            if not self._begun:
                self._begun_at = t_us
            self._keep(line)
            if line.endswith(b"\n"):
                ended.append(self._take())
        return ended

    @property
    def is_full(self) -> bool:
        """Whether the line that is open is longer than a player looks at."""
        return self._begun_bytes >= LONGEST_LINE

    def rest(self) -> CutLine | None:
        """What stands behind the last newline; None if nothing does."""
        return self._take() if self._begun else None

    def _keep(self, piece: bytes) -> None:
        room = LONGEST_LINE - self._begun_bytes
        if len(piece) > room:
            piece = piece[:room] + (b"\n" if piece.endswith(b"\n") else b"")
        if piece:
            self._begun.append(piece)
            self._begun_bytes += len(piece)

    def _take(self) -> CutLine:
        data, eol = split_terminator(b"".join(self._begun))
        self._begun.clear()
        self._begun_bytes = 0
        return CutLine(data, eol, self._begun_at)
