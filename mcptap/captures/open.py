"""Opening anything that can be read as a session: a recording, or a capture that others made."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO, Protocol

from mcptap.captures.channels import ChannelsReader, named_channels
from mcptap.captures.evidence import Evidence, evidence_of
from mcptap.captures.format import Beginning, Decoder
from mcptap.captures.pasted import Dress, Undressed, dress_of
from mcptap.captures.sections import find_sections, selected
from mcptap.protocol.contract.lock import Lock
from mcptap.recording.format.decode import is_recording
from mcptap.recording.format.model import Header, Item, Line, RecordingError
from mcptap.recording.paths import SUFFIX
from mcptap.recording.reader import BLOCK, ByteStream, Reader, State
from mcptap.text.units import counted

STDIN = "-"

MOST_DRESSES = 3
"""A paste may be quoted, fenced and coloured at once."""

SUFFIXES = (SUFFIX, ".ndjson", ".json", ".log", ".txt", ".vcr", ".tee", ".trace", ".strace", ".typescript")
"""How names of files end that are looked into where a folder is named."""


class Source(Protocol):
    """What `open_source` gives.

    Items and unfinished lines are those of the reader; `position` counts the bytes of the
    file that were read so far.
    """

    path: str
    evidence: Evidence
    position: int
    lines: int
    """Lines that were read so far, but for blank ones; of a recording 0."""

    @property
    def header(self) -> Header:
        """How the server was started."""

    @property
    def lock(self) -> Lock | None:
        """What was approved before the session, if the capture itself says so, as the cases of rules do."""

    @property
    def passed_over(self) -> int:
        """How many of the lines so far were not understood; of a recording 0."""

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

    lines = passed_over = 0
    lock = None

    def __init__(self, path: str, stream: ByteStream | None = None) -> None:
        super().__init__(path, stream)
        self.evidence = evidence_of(self.header)


def open_source(path: str) -> Source:
    """Open a file, or standard input for `-`, whatever readable format it has.

    Of a file with several sessions it is the one that was named (`FILE#2`), else the last. Raises
    RecordingError if it can't be opened or is no capture of a session.
    """
    return next(_sources(path, only_one=True))


def open_sources(path: str) -> Iterator[Source]:
    """Open each session of a file, one after the other; whoever takes one closes it.

    Of `FILE#2` it is that one. Raises as `open_source` does.
    """
    return _sources(path, only_one=False)


def source_of(name: str, data: bytes, number: int = 0) -> Source:
    """A session in the bytes of a capture: the one of this number, or the last. Raises RecordingError."""
    from mcptap.captures.reader import CaptureReader, format_of

    beginning, dresses = _undressed(Beginning(io.BytesIO(data)))
    try:
        if dresses:
            data = b"".join(iter(lambda: beginning.read(BLOCK), b""))
            beginning = Beginning(io.BytesIO(data))
        found, decoder = format_of(beginning)
        _tell(decoder, dresses)
        sections = [] if found.sessions is None else find_sections(io.BytesIO(data), found.sessions)
    except RecordingError as error:
        raise RecordingError(f"{name}: {error}") from error
    count = max(1, len(sections))
    if number > count:
        raise RecordingError(f"{name} holds {counted(count, 'session')}, so there is no #{number}")
    if not sections:
        return CaptureReader(name, beginning, decoder)
    section = sections[number - 1]
    stream = io.BytesIO(data[section.begin :])
    return CaptureReader(name, stream, decoder, section, 0 if number else count - 1)


def _sources(path: str, only_one: bool) -> Iterator[Source]:
    if channels := named_channels(path):
        yield _of_channels(path, channels)
        return
    file_path, number = selected(path)
    _refuse_number_zero(path)
    name = "standard input" if path == STDIN else path
    file = _open(file_path)
    try:
        beginning = Beginning(file)
        if not is_recording(beginning.head):
            yield from _sessions(name, beginning, file_path, number, only_one)
            return
        if number:
            raise RecordingError(f"{path}: a recording holds one session: name it without #{number}")
        if path != STDIN and file.seekable():
            file.close()
            yield RecordingSource(path)
        else:
            yield RecordingSource(name, beginning)
    except OSError as error:
        file.close()
        raise RecordingError(f"{name}: cannot be read: {error.strerror}") from error
    except RecordingError:
        file.close()
        raise


def _refuse_number_zero(path: str) -> None:
    """Raise RecordingError for FILE#0: sessions are counted from 1."""
    file_path, mark, number = path.rpartition("#")
    if not mark or number.strip("0") or not number or os.path.lexists(path) or not os.path.lexists(file_path):
        return
    count = 0
    for source in open_sources(file_path):
        source.close()
        count += 1
    raise RecordingError(
        f"{path}: sessions are numbered from 1; {file_path} holds {counted(count, 'session')}"
    )


def _of_channels(path: str, files: dict[str, str]) -> Source:
    """One session of files that hold a channel each. Raises RecordingError."""
    from mcptap.captures.reader import refuse_what_is_no_text

    streams: dict[str, ByteStream] = {}
    try:
        for channel, file_path in files.items():
            streams[channel] = beginning = Beginning(_open(file_path))
            refuse_what_is_no_text(file_path, beginning)
    except (OSError, RecordingError) as error:
        for stream in streams.values():
            stream.close()
        if isinstance(error, RecordingError):
            raise
        raise RecordingError(f"{path}: cannot be read: {error.strerror}") from error
    return ChannelsReader(path, streams)


def _sessions(
    name: str, beginning: Beginning, file_path: str, number: int, only_one: bool
) -> Iterator[Source]:
    """The sessions of a capture. Raises RecordingError and OSError."""
    from mcptap.captures.reader import CaptureReader, format_of  # all formats: not needed for a recording

    beginning, dresses = _undressed(beginning)
    lies_at = STDIN if dresses else file_path
    try:
        found, decoder = format_of(beginning)
    except RecordingError as error:
        raise RecordingError(f"{name}: {error}") from error
    _tell(decoder, dresses)
    sections, whole = [], None
    if found.sessions is not None:
        whole = _seekable(beginning, lies_at)
        try:
            sections = find_sections(whole, found.sessions)
        except RecordingError as error:
            whole.close()
            raise RecordingError(f"{name}: {error}") from error
    count = max(1, len(sections))
    if number > count:
        raise RecordingError(
            f"{name}: {file_path} holds {counted(count, 'session')}, so there is no #{number}"
        )
    if whole is None or not sections:
        if whole is not None:
            whole.seek(0)
        yield CaptureReader(name, beginning if whole is None else whole, decoder)
        return
    with whole:
        for one in [number] if number else [count] if only_one else range(1, count + 1):
            stream = _opened_again(whole, lies_at)
            stream.seek(sections[one - 1].begin)
            full = name if number or count == 1 else f"{name}#{one}"
            others = count - 1 if only_one and not number else 0
            yield CaptureReader(full, stream, decoder.again(), sections[one - 1], others)


def _undressed(beginning: Beginning) -> tuple[Beginning, list[Dress]]:
    """The same without what a paste has around its lines, and what that was."""
    dresses: list[Dress] = []
    while len(dresses) < MOST_DRESSES and (dress := dress_of(beginning.lines)) is not None:
        dresses.append(dress)
        beginning = Beginning(Undressed(beginning, dress))
    return beginning, dresses


def _tell(decoder: Decoder, dresses: list[Dress]) -> None:
    """What was taken off is no part of the log, so its bytes are not exactly those that it had."""
    if dresses:
        told = (*decoder.evidence.assumptions, *(dress.words for dress in dresses))
        decoder.evidence = replace(decoder.evidence, framing=False, assumptions=told)


def _seekable(beginning: Beginning, path: str) -> BinaryIO:
    """The same bytes in a file in which one can go back."""
    if path != STDIN and beginning.seekable:
        beginning.close()
        return open(path, "rb", buffering=0)
    file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed by the caller
    while block := beginning.read(BLOCK):
        file.write(block)
    beginning.close()
    file.seek(0)
    return file


def _opened_again(file: BinaryIO, path: str) -> BinaryIO:
    """A file of its own for one session, which can be closed while others are read."""
    return open(path if path != STDIN else os.dup(file.fileno()), "rb", buffering=0)


def _open(path: str) -> io.FileIO:
    try:
        if path == STDIN:
            return io.FileIO(sys.stdin.fileno() if sys.stdin else 0, closefd=False)  # None if it is closed
        return io.FileIO(path)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path, or stdin that is no file
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise RecordingError(f"{path}: cannot be opened: {why}") from error
