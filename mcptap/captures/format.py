"""What a format of captures is: a name, how a file of it is recognised, and its decoder."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.lines import object_of
from mcptap.captures.sections import BYTE_ORDER_MARK, Section, Sessions
from mcptap.jsontext.bounded import parse_whole
from mcptap.protocol.contract.lock import Lock
from mcptap.recording.format.header import MAGIC
from mcptap.recording.format.model import Header, Item, Line, RecordingError
from mcptap.recording.reader import BLOCK, ByteStream, State

HEAD = 256 << 10
"""How many bytes at the beginning of a file are looked at."""

MAX_DOCUMENT = 256 << 20
"""A file that is one JSON document has to be parsed at once; one of more bytes is refused."""


class Beginning:
    """A stream of which the first bytes can be looked at before all of it is read.

    Raises OSError.
    """

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        head = bytearray()
        # The header of a recording is enough; more of it may be long in coming.
        while len(head) < HEAD and not head.startswith(MAGIC) and (block := stream.read(HEAD - len(head))):
            head += block
        self.head = bytes(head).removeprefix(BYTE_ORDER_MARK)
        """The first bytes: enough to tell the format, or all there is."""
        self._unread = bytes(head)

    @property
    def seekable(self) -> bool:
        """Whether the stream is a file in which one can go back."""
        return isinstance(self._stream, io.IOBase) and self._stream.seekable()

    @cached_property
    def lines(self) -> list[bytes]:
        """The lines that are whole within the first bytes, without byte-order mark and blank ones."""
        cut = self.head.rfind(b"\n") if len(self._unread) >= HEAD else len(self.head)
        head = self.head[: cut if cut >= 0 else None]
        return [line for line in head.split(b"\n") if line.strip()]

    @property
    def numbered(self) -> list[bytes]:
        """All lines within the first bytes, also blank ones, without byte-order mark; the last may be cut."""
        return self.head.split(b"\n")

    @cached_property
    def first_object(self) -> dict[str, Any] | None:
        """The JSON object that the first line is, if it is one."""
        return object_of(self.lines[0]) if self.lines else None

    def document(self) -> dict[str, Any] | None:
        """The JSON object that the whole file is, if it is one. Raises RecordingError if it is too long."""
        value = self.value()
        return value if isinstance(value, dict) else None

    def value(self) -> Any:
        """The JSON value that the whole file is, None if it is none. Raises RecordingError if it is too
        long."""
        pieces = [self._unread]
        size = len(self._unread)
        while block := self._stream.read(BLOCK):
            pieces.append(block)
            size += len(block)
            if size > MAX_DOCUMENT:
                raise RecordingError(
                    f"is one JSON document of more than {MAX_DOCUMENT >> 20} MiB: too long to read"
                )
        self._unread = b"".join(pieces)
        try:
            return parse_whole(self._unread.removeprefix(BYTE_ORDER_MARK))
        except ValueError:
            return None

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes from the beginning on; more of those that were looked at."""
        if self._unread:
            unread, self._unread = self._unread, b""
            return unread
        return self._stream.read(size) or b""

    def close(self) -> None:
        """Close the underlying stream."""
        self._stream.close()


class Decoder:
    """Turns the lines of one capture into items. `feed` and `finish` never raise."""

    header: Header
    evidence: Evidence
    """What the capture can prove."""
    state = State.UNKNOWN
    """What became of the session, if the capture can tell."""
    takes_lines = True
    """Whether the lines are fed; if not, the decoder had the whole document."""
    lock: Lock | None = None
    """What was approved before the session, if the capture itself says so."""
    passed_over = 0
    """How many lines so far were not understood, or belong to no session."""

    def again(self) -> Decoder:
        """A decoder for another session of the file; asked before the first line was fed.

        Recognising the file anew for each of a thousand sessions would take longer than judging them. What
        was read of its beginning (`_head`) is shared: it does not change.
        """
        head = getattr(self, "_head", None)
        return deepcopy(self, {id(head): head})

    def lies_at(self, path: str) -> None:
        """Take from where the file lies what is not in it, such as the server's name; called first."""

    def only(self, section: Section) -> None:
        """Take only the lines of this session; called before the first one, if the file holds several."""

    def feed(self, raw: bytes, number: int) -> Iterable[Item]:  # noqa: ARG002 - for those that take lines
        """The items that line `number` of the file (without its LF) completes."""
        return ()

    def finish(self) -> Iterable[Item]:
        """What is still held when no more lines come."""
        return ()

    def unfinished(self) -> list[Line]:
        """Lines of the session whose end never came, if the capture can tell."""
        return []


class Certainty(IntEnum):
    """How sure a format is that a file is its own; the surer ones are asked first."""

    MARKED = 0
    """By a mark that other formats do not have."""
    SHAPED = 1
    """By the shape of its lines."""
    GUESSED = 2
    """Because nothing else is left."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of captures. A module of `mcptap.captures.formats` holds one as `FORMAT`.

    `name` goes behind "it reads". `recognise` gives a decoder for a file that begins so, or
    None; it raises RecordingError (without the file's name) for one that can't be read.
    """

    name: str
    certainty: Certainty
    recognise: Callable[[Beginning], Decoder | None]
    sessions: Sessions | None = None
    """Where sessions begin and end, if a file may hold several."""
