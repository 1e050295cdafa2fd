"""Opening anything that can be read as a session: a recording, or a capture that others made."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from typing import Protocol

from mcptap.captures.evidence import COMPLETE, Evidence
from mcptap.captures.formats.cassette import CassetteDocumentDecoder, document_of
from mcptap.captures.formats.decoder import Decoder
from mcptap.captures.formats.sniff import HEAD, decoder_for
from mcptap.captures.formats.steps import StepsDecoder
from mcptap.recording.format.decode import MAGIC, is_recording
from mcptap.recording.format.model import Damaged, Header, Item, Line, RecordingError
from mcptap.recording.reader import BLOCK, MAX_RECORD, ByteStream, Reader, State

STDIN = "-"
MAX_DOCUMENT = 256 << 20
"""A cassette that is one JSON document has to be parsed at once; one of more bytes is refused."""


class Source(Protocol):
    """What `open_source` gives.

    Items and unfinished lines are those of the reader; `position` counts the bytes of the
    file that were read so far.
    """

    path: str
    header: Header
    evidence: Evidence
    position: int

    def items(self) -> Iterator[Item]:
        """The items from where reading stopped to the present end."""

    def unfinished(self) -> list[Line]:
        """Lines whose end has not come (so far)."""

    def state(self) -> State:
        """What became of the session."""

    def close(self) -> None:
        """Close the file."""


class RecordingSource(Reader):
    """A recording of mcptap as a source: there is nothing that it can't prove."""

    evidence = COMPLETE


def open_source(path: str) -> Source:
    """Open a file, or standard input for `-`, whatever readable format it has.

    Raises RecordingError if it can't be opened or is no capture of a session.
    """
    name = "standard input" if path == STDIN else path
    file = _open(path)
    try:
        head = _head(file)
        stream = Rejoined(head, file)
        if is_recording(head):
            if file.seekable():
                file.close()
                return RecordingSource(path)
            return RecordingSource(name, stream)
        return ForeignReader(name, stream, head)
    except OSError as error:
        file.close()
        raise RecordingError(f"{name}: cannot be read: {error.strerror}") from error
    except RecordingError:
        file.close()
        raise


def _open(path: str) -> io.FileIO:
    try:
        if path == STDIN:
            return io.FileIO(sys.stdin.fileno() if sys.stdin else 0, closefd=False)  # None if it is closed
        return io.FileIO(path)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path, or stdin that is no file
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise RecordingError(f"{path}: cannot be opened: {why}") from error


def _head(file: io.FileIO) -> bytes:
    """The first bytes: enough to tell the format, or all there is."""
    head = bytearray()
    while len(head) < HEAD and (block := file.read(HEAD - len(head))):
        head += block
        if head.startswith(MAGIC):
            break
    return bytes(head)


class Rejoined:
    """A stream whose first bytes were read already, as one stream again."""

    def __init__(self, head: bytes, rest: ByteStream) -> None:
        self._head = head
        self._rest = rest

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; more of them for the head."""
        if self._head:
            head, self._head = self._head, b""
            return head
        return self._rest.read(size) or b""

    def close(self) -> None:
        """Close the underlying file."""
        self._rest.close()


class ForeignReader:
    """A capture that others made, from `head` on, with the interface of a recording's reader.

    Raises RecordingError if the capture is of no known format.
    """

    def __init__(self, path: str, stream: ByteStream, head: bytes) -> None:
        self.path = path
        self.position = 0
        self._stream = stream
        self._pending = bytearray()
        self._number = 0
        self._too_long = False
        self._ended = False
        try:
            self._decoder = self._choose(head)
        except RecordingError as error:
            raise RecordingError(f"{path}: {error}") from error
        self.header = self._decoder.header
        self.evidence = self._decoder.evidence

    def items(self) -> Iterator[Item]:
        """The items from where reading stopped to the end."""
        while not self._ended and (block := self._stream.read(BLOCK)):
            self.position += len(block)
            lines = block.split(b"\n")
            self._hold(lines[0])
            for line in lines[1:]:
                yield from self._line()
                self._hold(line)
        if not self._ended:
            self._ended = True
            if self._pending:
                yield from self._line()
            yield from self._decoder.finish()

    def unfinished(self) -> list[Line]:
        """Lines whose end never came, where the capture can tell."""
        return self._decoder.unfinished() if isinstance(self._decoder, StepsDecoder) else []

    def state(self) -> State:
        """What became of the session, where the capture can tell."""
        return self._decoder.state if isinstance(self._decoder, StepsDecoder) else State.UNKNOWN

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _choose(self, head: bytes) -> Decoder:
        if head.lstrip().startswith(b"{") and b'"format_version"' in head:
            whole = self._rest()
            document = document_of(whole)
            self.position = 0
            self._stream = Rejoined(b"" if document else whole, self._stream)
            if document:
                return CassetteDocumentDecoder(document)
        cut = head.rfind(b"\n") if len(head) >= HEAD else -1
        return decoder_for(head if cut < 0 else head[:cut])

    def _rest(self) -> bytes:
        pieces = []
        while block := self._stream.read(BLOCK):
            pieces.append(block)
            self.position += len(block)
            if self.position > MAX_DOCUMENT:
                raise RecordingError(
                    f"is one JSON document of more than {MAX_DOCUMENT >> 20} MiB: too long to read"
                )
        return b"".join(pieces)

    def _hold(self, piece: bytes) -> None:
        if not self._too_long:
            self._pending += piece
        if len(self._pending) > MAX_RECORD:
            self._pending.clear()
            self._too_long = True

    def _line(self) -> Iterator[Item]:
        self._number += 1
        if self._too_long:
            yield Damaged(self._number, b"", f"it is longer than {MAX_RECORD >> 20} MiB")
        else:
            raw = bytes(self._pending)
            if self._number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            yield from self._decoder.feed(raw, self._number)
        self._pending.clear()
        self._too_long = False
