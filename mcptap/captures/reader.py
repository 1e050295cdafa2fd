"""Reading a capture that another tool made, as if it were a recording."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.captures.format import BYTE_ORDER_MARK, Beginning, Decoder
from mcptap.captures.formats import formats
from mcptap.recording.format.model import Damaged, Item, Line, RecordingError
from mcptap.recording.reader import BLOCK, MAX_RECORD, State


def decoder_for(beginning: Beginning) -> Decoder:
    """The decoder for a capture. Raises RecordingError (without the file's name) if it is none."""
    if not beginning.lines:
        raise RecordingError("is empty: nothing was recorded")
    for one in formats():
        decoder = one.recognise(beginning)
        if decoder is not None:
            return decoder
    names = ["recordings of mcptap", *(one.name for one in formats())]
    raise RecordingError(
        f"is no capture that mcptap can read; it reads {', '.join(names[:-1])}, and {names[-1]}"
    )


class CaptureReader:
    """A capture of another tool with the interface of a recording's reader.

    Raises RecordingError if it is of no known format.
    """

    def __init__(self, path: str, beginning: Beginning) -> None:
        self.path = path
        self.position = 0
        """How many bytes were read so far."""
        self._stream = beginning
        self._pending = bytearray()
        self._number = 0
        self._too_long = False
        self._ended = False
        try:
            self._decoder = decoder_for(beginning)
        except RecordingError as error:
            raise RecordingError(f"{path}: {error}") from error
        self.header = self._decoder.header
        self.evidence = self._decoder.evidence

    def items(self) -> Iterator[Item]:
        """The items from where reading stopped to the end."""
        while not self._ended and self._decoder.takes_lines and (block := self._stream.read(BLOCK)):
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
        """Lines whose end never came, if the capture can tell."""
        return self._decoder.unfinished()

    def state(self) -> State:
        """What became of the session, if the capture can tell."""
        return self._decoder.state

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

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
                raw = raw.removeprefix(BYTE_ORDER_MARK)
            yield from self._decoder.feed(raw, self._number)
        self._pending.clear()
        self._too_long = False
