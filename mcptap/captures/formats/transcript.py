"""Transcripts with arrows: `-->` from the client to the server, `<--` back.

What `mcptap send` prints, and what people write by hand. Something may stand before the
arrow (a time, a number); a message may be pretty-printed over the lines that follow it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.joiner import Joiner
from mcptap.captures.lines import unknown_header
from mcptap.recording.format.model import NOT_JSON, UNPARSED, Damaged, Item, Line, parse_line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

ARROW = re.compile(rb"^[^{}<>\"]{0,60}?(-->|<--|\xe2\x86\x92|\xe2\x86\x90|>>>|<<<)[ \t]?(.*)$", re.DOTALL)
FORWARD = (b"-->", b"\xe2\x86\x92", b">>>")
REMARK = re.compile(rb"^\s*(\(.*\)|\[.*\]|#.*|\xe2\x80\xa6.*|\.\.\..*)?\s*$", re.DOTALL)
"""What stands behind an arrow and is no line: nothing, `(no answer)`, `… 30 more`."""

SHORTENED = re.compile(rb"\xe2\x80\xa6|\.\.\.")
"""What people put where they left something out of JSON, which is then none."""

CUT_VALUE = b'\xe2\x80\xa6"'
"""A value that ends in `…`: `mcptap send --cut` writes so. What it was is not known."""


class TranscriptDecoder(Decoder):
    """Decodes a transcript with arrows; lines without one are notes unless they continue JSON."""

    def __init__(self) -> None:
        self.header = unknown_header()
        self.evidence = Evidence(
            origin="a transcript with arrows",
            times=False,
            framing=False,
            values=False,
            launch=False,
            process=False,
            stderr=False,
            whole=False,
            assumptions=(
                "--> was read as from the client to the server, <-- as from the server to the client",
                "text behind an arrow was taken for the line itself; lines without an arrow for notes",
            ),
        )
        self._joiner = Joiner()
        self._channel = ""

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The lines that this line of the transcript completes."""
        raw = raw.rstrip(b"\r")
        found = ARROW.match(raw)
        if found is not None:
            yield from self.finish()
            self._channel = CLIENT_TO_SERVER if found[1] in FORWARD else SERVER_TO_CLIENT
            if REMARK.match(found[2]) and parse_line(found[2]) is NOT_JSON:
                self._channel = ""
                return
            yield from self._lines(found[2], number)
        elif self._channel and self._joiner.holding:
            yield from self._lines(raw, number)

    def finish(self) -> Iterator[Item]:
        """The lines of a message that was never completed; only its first stood behind an arrow."""
        for number, data in list(self._joiner.finish())[:1]:
            yield self._line(number, data)

    def _lines(self, data: bytes, number: int) -> Iterator[Item]:
        for first, whole in self._joiner.feed(data, number):
            yield self._line(first, whole)

    def _line(self, number: int, data: bytes) -> Line | Damaged:
        value = UNPARSED
        if data.lstrip().startswith((b"{", b"[")):
            value = parse_line(data)
            if CUT_VALUE in data or (value is NOT_JSON and SHORTENED.search(data)):
                return Damaged(number, data, "its message is shortened")
        # A newline between tokens of JSON is white space; which it was on the wire is not known.
        data = data.strip().replace(b"\n", b" ")
        return Line(number, self._channel, data, b"\n", 0, 0, 0, value=value)


def recognise(beginning: Beginning) -> TranscriptDecoder | None:
    """A decoder if lines have arrows, and behind at least half of them stands JSON.

    Where it is not so, the text is about a session (`--> initialize`), not the session.
    """
    contents = [found[2] for found in map(ARROW.match, beginning.lines) if found]
    contents = [text for text in contents if not REMARK.match(text)]
    json = sum(1 for text in contents if text.lstrip().startswith((b"{", b"[")))
    return TranscriptDecoder() if contents and json * 2 >= len(contents) else None


FORMAT = Format("transcripts with --> and <--", Certainty.SHAPED, recognise)
