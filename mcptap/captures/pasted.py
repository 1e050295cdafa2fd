"""Logs that were pasted: what a terminal, a mail or a page puts around the lines is taken off.

Colours (`ESC [ 32 m`) on most lines, `> ` or an indent in front of each, a fence of Markdown around them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mcptap.recording.reader import ByteStream

_COLOUR = re.compile(rb"\x1b\[[0-9;:]*m")
_QUOTED = re.compile(rb"^>(?: |\r?$)")
_INDENTED = re.compile(rb"^(?: {4}|\t)")
_FENCE = re.compile(rb"^(?:`{3,}|~{3,})[\w.+-]*[ \t]*\r?$")
LONGEST = 1 << 20
"""Of a line of more bytes nothing is taken off."""


@dataclass(frozen=True, slots=True)
class Dress:
    """What stands around the lines of a log: `plain` is a line without it; `words` for people."""

    words: str
    plain: Callable[[bytes], bytes]


COLOURS = Dress("colours of a terminal were taken off", lambda line: _COLOUR.sub(b"", line))
QUOTATION = Dress('"> " was taken off each line', lambda line: _QUOTED.sub(b"", line))
INDENT = Dress("the indent of its lines was taken off", lambda line: _INDENTED.sub(b"", line))
FENCE = Dress("the fence around it was taken off", lambda line: b"" if _FENCE.match(line) else line)


def dress_of(lines: list[bytes]) -> Dress | None:
    """What stands around these lines, which are not blank; None if nothing does."""
    if not lines:
        return None
    fences = sum(_FENCE.match(line) is not None for line in lines)
    if _FENCE.match(lines[0]) and 0 < fences <= 2 and len(lines) > fences:
        return FENCE
    if all(map(_QUOTED.match, lines)):
        return QUOTATION
    if all(map(_INDENTED.match, lines)):
        return INDENT
    return COLOURS if 2 * sum(_COLOUR.search(line) is not None for line in lines) > len(lines) else None


class Undressed:
    """The bytes of a stream, line by line without what stands around them. A line stays a line."""

    def __init__(self, stream: ByteStream, dress: Dress) -> None:
        self._stream = stream
        self._dress = dress
        self._rest = b""

    def read(self, size: int, /) -> bytes:
        """Some bytes; nothing at the end."""
        while block := self._stream.read(size):
            data = self._rest + block
            cut = data.rfind(b"\n") + 1 or (len(data) if len(data) > LONGEST else 0)
            self._rest = data[cut:]
            if cut:
                return self._plain(data[:cut])
        rest, self._rest = self._rest, b""
        return self._plain(rest)

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()

    def _plain(self, data: bytes) -> bytes:
        return b"\n".join(map(self._dress.plain, data.split(b"\n")))
