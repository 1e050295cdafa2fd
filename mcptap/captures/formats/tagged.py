"""JSON lines of the form `{"dir": "c2s", "raw": "…"}`: each line of a session as a string."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import SIDES, message_line, object_of, text_line, unknown_header
from mcptap.recording.format.model import Damaged, Item, RecordingError

CONTENTS = ("raw", "text", "data", "line", "msg", "message", "frame", "payload")


def side_of(fields: dict[str, Any]) -> str | None:
    """The channel that `dir` names beyond doubt."""
    word = fields.get("dir", fields.get("direction"))
    return SIDES.get(word.lower()) if isinstance(word, str) else None


class TaggedDecoder(Decoder):
    """Decodes objects with `dir` and the line, as a string or as JSON, in one of `CONTENTS`."""

    def __init__(self) -> None:
        self.header = unknown_header()
        self.evidence = Evidence(
            origin='JSON lines with "dir" and the line of each message',
            times=False,
            launch=False,
            process=False,
            stderr=False,
            assumptions=("the capture was taken to hold the whole session", "each line was ended by LF"),
        )

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The line that this object holds."""
        if not raw.strip():
            return
        fields = object_of(raw)
        side = None if fields is None else side_of(fields)
        content = next((name for name in CONTENTS if fields and name in fields), None)
        if fields is None or side is None or content is None:
            yield Damaged(number, raw, 'it has no "dir" that names a sender, or no content')
        elif isinstance(fields[content], str):
            yield text_line(number, side, fields[content])
        else:
            yield message_line(number, side, fields[content])


def recognise(beginning: Beginning) -> TaggedDecoder | None:
    """A decoder if the first line has a `dir` and a content. Raises RecordingError if it names no sender."""
    first = beginning.first_object
    if first is None or not any(name in first for name in CONTENTS):
        return None
    if side_of(first):
        return TaggedDecoder()
    if isinstance(first.get("dir"), str):
        raise RecordingError(
            f'says "dir":{first["dir"]!r}, which does not tell the sender; write c2s, s2c or stderr'
        )
    return None


FORMAT = Format('JSON lines with "dir" and "raw"', Certainty.SHAPED, recognise)
