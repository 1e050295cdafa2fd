"""JSON lines of the form `{"dir": "c2s", "raw": "…"}`: each line of a session as a string."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import SIDES, is_message, message_line, object_of, text_line, unknown_header
from mcptap.recording.format.model import Damaged, Item, RecordingError

CONTENTS = ("raw", "text", "data", "line", "msg", "message", "frame", "payload")


def side_of(fields: dict[str, Any]) -> str | None:
    """The channel that `dir` names beyond doubt."""
    word = fields.get("dir", fields.get("direction"))
    return SIDES.get(word.lower()) if isinstance(word, str) else None


def content_of(fields: dict[str, Any]) -> Any:
    """The line as a string, or the message that it is; None if there is none.

    Recorders that write both a parsed and a raw member leave the other one null. mcp-rec wraps
    a line that is no JSON in an object.
    """
    content = next((fields[name] for name in CONTENTS if fields.get(name) is not None), None)
    if isinstance(content, dict) and content.get("_unparsed") is True:
        return content.get("_raw")
    return content


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
        content = None if fields is None else content_of(fields)
        if side is None or content is None:
            yield Damaged(number, raw, 'it has no "dir" that names a sender, or no content')
        elif isinstance(content, str):
            yield text_line(number, side, content)
        else:
            yield message_line(number, side, content)


def recognise(beginning: Beginning) -> TaggedDecoder | None:
    """A decoder if the first line has a `dir` and a content.

    Raises RecordingError if it names no sender, or if its message is taken apart.
    """
    first = beginning.first_object
    if first is None:
        return None
    if "dir" in first and "jsonrpc" not in first and is_message(first):
        raise RecordingError(
            'has its messages taken apart, without "jsonrpc": whether that or a member was missing '
            "on the wire can't be told"
        )
    if content_of(first) is None:
        return None
    if side_of(first):
        return TaggedDecoder()
    if isinstance(first.get("dir"), str):
        raise RecordingError(
            f'says "dir":{first["dir"]!r}, which does not tell the sender; write c2s, s2c or stderr'
        )
    return None


FORMAT = Format('JSON lines with "dir" and "raw"', Certainty.SHAPED, recognise)
