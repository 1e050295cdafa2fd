"""Opening anything that can be read as a session: a recording, or a capture that others made."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from typing import Protocol

from mcptap.captures.evidence import Evidence, evidence_of
from mcptap.captures.format import Beginning
from mcptap.recording.format.decode import is_recording
from mcptap.recording.format.model import Header, Item, Line, RecordingError
from mcptap.recording.reader import ByteStream, Reader, State

STDIN = "-"


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
        """What became of the session, as far as its items were read."""

    def close(self) -> None:
        """Close the file."""


class RecordingSource(Reader):
    """A recording of mcptap as a source."""

    def __init__(self, path: str, stream: ByteStream | None = None) -> None:
        super().__init__(path, stream)
        self.evidence = evidence_of(self.header)


def open_source(path: str) -> Source:
    """Open a file, or standard input for `-`, whatever readable format it has.

    Raises RecordingError if it can't be opened or is no capture of a session.
    """
    name = "standard input" if path == STDIN else path
    file = _open(path)
    try:
        beginning = Beginning(file)
        if is_recording(beginning.head):
            if path != STDIN and file.seekable():
                file.close()
                return RecordingSource(path)
            return RecordingSource(name, beginning)
        from mcptap.captures.reader import CaptureReader  # all formats: not needed for a recording

        return CaptureReader(name, beginning)
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
