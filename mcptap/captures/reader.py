"""Reading a capture that another tool made, as if it were a recording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mcptap.captures.evidence import SEVERAL_PROCESSES
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.formats import formats
from mcptap.captures.sections import BYTE_ORDER_MARK, Section
from mcptap.captures.strangers import binary, document, looks_like
from mcptap.recording.format.decode import is_recording
from mcptap.recording.format.model import NOT_JSON, Damaged, Header, Item, Line, RecordingError
from mcptap.recording.reader import BLOCK, MAX_RECORD, ByteStream, State
from mcptap.text.escape import excerpt

FIRST_WORDS = 60
"""So many characters are shown of a file that is not understood."""


def format_of(beginning: Beginning) -> tuple[Format, Decoder]:
    """The format of a capture, and a decoder for it. Raises RecordingError (without the file's name)."""
    if not beginning.lines:
        raise RecordingError("is empty: nothing was recorded")
    if stranger := binary(beginning.head):
        raise RecordingError(stranger)
    for one in formats():
        if one.certainty is Certainty.GUESSED and (stranger := document(beginning.head)):
            raise RecordingError(stranger)
        decoder = one.recognise(beginning)
        if decoder is not None:
            return one, decoder
    if stranger := looks_like(beginning):
        raise RecordingError(f"is no capture that mcptap can read: it {stranger}")
    begin = excerpt(beginning.lines[0].strip(), FIRST_WORDS)
    raise RecordingError(
        f'is no capture that mcptap can read: it begins "{begin}". '
        "It reads recordings of mcptap, logs of clients, SDKs and servers, what other recorders, tee and "
        "strace wrote, and bare JSON-RPC lines: mcptap check --help-formats lists all"
    )


def refuse_what_is_no_text(path: str, beginning: Beginning) -> None:
    """Raise RecordingError for a file that can't be the bytes of a channel: a recording, an archive, …"""
    if is_recording(beginning.head):
        raise RecordingError(f"{path}: is a recording of mcptap, which knows its channels: name it alone")
    if not beginning.head:
        raise RecordingError(f"{path}: is empty: nothing was recorded")
    if stranger := binary(beginning.head) or document(beginning.head):
        raise RecordingError(f"{path}: {stranger}")


class CaptureReader:
    """A capture of another tool, or one session of it, with the interface of a recording's reader.

    `stream` gives the bytes of the `section`, or of the whole file.
    """

    def __init__(
        self, path: str, stream: ByteStream, decoder: Decoder, section: Section | None = None, others: int = 0
    ) -> None:
        self.path = path
        self.position = 0
        """How many bytes were read so far."""
        self.lines = 0
        """How many lines that are not blank were read so far."""
        self._stream = stream
        self._pending = bytearray()
        self._first = section.first_line if section is not None else 1
        self._number = self._first - 1
        self._left = section.end - section.begin if section is not None else -1
        self._too_long = False
        self._ended = False
        self._decoder = decoder
        self.lock = decoder.lock
        """What was approved before the session, if the capture itself says so."""
        decoder.lies_at(path)
        evidence = decoder.evidence
        if section is not None:
            decoder.only(section)
            evidence = decoder.evidence
            if not section.alone:
                evidence = replace(evidence, alone=False)
            if section.shared:
                notes = (*evidence.notes, SEVERAL_PROCESSES)
                evidence = replace(evidence, one_process=False, whole=False, notes=notes)
        if others:
            told = f"of {others + 1} sessions in the file, FILE#1 to FILE#{others + 1}, this is the last"
            evidence = replace(evidence, assumptions=(*evidence.assumptions, told))
        self.evidence = evidence

    @property
    def header(self) -> Header:
        """What is known of the start; its time once the first line was read."""
        return self._decoder.header

    @property
    def passed_over(self) -> int:
        """How many of the lines so far were not understood."""
        return self._decoder.passed_over

    def items(self) -> Iterator[Item]:
        """The items from where reading stopped to the end."""
        while not self._ended and self._decoder.takes_lines and (block := self._block()):
            self.position += len(block)
            ended = block.split(b"\n")
            rest = ended.pop()
            for piece in ended:
                yield from self._line(piece)
            self._hold(rest)
        if not self._ended:
            self._ended = True
            if self._pending:
                yield from map(_whole_or_damaged, self._line(b""))
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

    def _block(self) -> bytes:
        """The next bytes of the section."""
        block = self._stream.read(BLOCK if self._left < 0 else min(BLOCK, self._left)) or b""
        if self._left >= 0:
            self._left -= len(block)
        return block

    def _hold(self, piece: bytes) -> None:
        if not self._too_long:
            self._pending += piece
        if len(self._pending) > MAX_RECORD:
            self._pending.clear()
            self._too_long = True

    def _line(self, piece: bytes) -> Iterable[Item]:
        """The items that a line completes, of which this is the end, or all of it."""
        self._number += 1
        if self._pending or self._too_long or self._number == 1:
            self._hold(piece)
            if self._too_long:
                self.lines += 1
                self._too_long = False
                return (Damaged(self._number, b"", f"it is longer than {MAX_RECORD >> 20} MiB"),)
            piece = bytes(self._pending)
            self._pending.clear()
            if self._number == 1:
                piece = piece.removeprefix(BYTE_ORDER_MARK)
        if piece and not piece.isspace():
            self.lines += 1
        return self._decoder.feed(piece, self._number)


def _whole_or_damaged(item: Item) -> Item:
    """What a last line without its newline gives: JSON that is none was cut with the file: no fault."""
    if type(item) is not Line or item.known or not (item.data.lstrip().startswith(b"[") or b"{" in item.data):
        return item
    if item.value is not NOT_JSON:
        return item
    return Damaged(item.number, item.data, "the file breaks off within it")
