r"""What `script` writes down of a terminal in which somebody played the client by hand.

Between `Script started on …` and `Script done on …` stand what was typed, as the terminal showed it,
and all that the programs printed, stdout and stderr alike: lines end in CR LF, colours and the
movements of the cursor are among them. So only whole messages count, and who sent one is told by its
shape. What was typed is shown twice where the terminal and the program both show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.formats.bare import EVIDENCE
from mcptap.captures.lines import is_message, log_event, unknown_header
from mcptap.captures.senders import Senders, refuse_other_protocols
from mcptap.recording.format.model import Item, Line, RecordingError, parse_line
from mcptap.wire import CLIENT_TO_SERVER

_STARTED = re.compile(rb"Script started on |Script started, (?:output|file)")
_DONE = re.compile(rb"Script done")
_CONTROL = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|\x1b[@-Z\\-_=>]"
    rb"|[\x00-\x08\x0b-\x1f\x7f]"
)
_CONTROLS = bytes(code for code in range(128) if _CONTROL.fullmatch(bytes((code,))))
"""Control characters that are removed where they stand alone."""


class TypescriptDecoder(Decoder):
    """Decodes a typescript."""

    def __init__(self) -> None:
        self.header = unknown_header()
        self.evidence = replace(
            EVIDENCE,
            origin="what script wrote down of a terminal",
            assumptions=(
                EVIDENCE.assumptions[0],
                "whether other lines were stdout, stderr or typed can't be told, so they were not judged",
            ),
        )
        self._senders = Senders()
        self._typed = b""

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The message that this line of the terminal is."""
        text = plain(raw)
        if not text or _STARTED.match(text) or _DONE.match(text):
            return
        value = parse_line(text) if text[:1] in (b"{", b"[") else None
        if not is_message(value):
            yield log_event(number, text.decode(errors="replace"))
            return
        if text == self._typed:
            return
        channel = self._senders.sender(value)
        if channel == CLIENT_TO_SERVER:
            self._typed = text
        yield Line(number, channel, text, b"\n", 0, 0, 0, value=value)


def plain(raw: bytes) -> bytes:
    """A line of a terminal without colours, movements of the cursor and control characters."""
    if b"\x1b" not in raw:  # as in nearly all lines
        return raw.translate(None, _CONTROLS).strip()
    return _CONTROL.sub(b"", raw).strip()


def recognise(beginning: Beginning) -> TypescriptDecoder | None:
    """A decoder if the first line is that of script. Raises RecordingError if there is no message."""
    if not _STARTED.match(beginning.lines[0]):
        return None
    values = [value for value in map(parse_line, map(plain, beginning.lines)) if is_message(value)]
    if not values:
        raise RecordingError(
            "is what script wrote down of a terminal, and none of its lines is a message of MCP"
        )
    refuse_other_protocols(values)
    return TypescriptDecoder()


FORMAT = Format("what script writes down", Certainty.MARKED, recognise)
