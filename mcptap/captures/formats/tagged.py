"""JSON lines of the form `{"dir": "c2s", "raw": "…"}`: each line of a session as a string or as a message.

Where `dir` is `in` and `out`, whose they are is told by the first message that only one side sends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.lines import SIDES, is_message, object_of
from mcptap.captures.records import LF_ASSUMED, WHOLE_ASSUMED, RecordsDecoder, content_line, moment_of
from mcptap.captures.senders import Senders, refuse_other_protocols
from mcptap.recording.format.model import NOT_JSON, Item, RecordingError, parse_line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

CONTENTS = ("raw", "text", "data", "line", "msg", "message", "frame", "payload", "body", "json")
STAMPS = ("ts", "timestamp", "time", "at")
_SIDES = {**SIDES, "to_server": CLIENT_TO_SERVER, "to_client": SERVER_TO_CLIENT}
IN_AND_OUT = frozenset(
    ("in", "out", "incoming", "outgoing", "inbound", "outbound", "sent", "received", "send", "recv")
)
"""Words that depend on who wrote them."""

LOOKED_AT = 1000


def word_of(fields: dict[str, Any]) -> str:
    """The word for the sender; empty if there is none."""
    word = fields.get("dir", fields.get("direction"))
    return word.lower() if isinstance(word, str) else ""


def content_of(fields: dict[str, Any]) -> Any:
    """The line as a string, or the message that it is; None if there is none.

    Recorders that write both a parsed and a raw member leave the other one null. Some wrap
    a line that is no JSON in an object.
    """
    content = next((fields[name] for name in CONTENTS if fields.get(name) is not None), None)
    if isinstance(content, dict) and content.get("_unparsed") is True:
        return content.get("_raw")
    return content


class TaggedDecoder(RecordsDecoder):
    """Decodes objects with `dir` and the line, as a string or as JSON, in one of `CONTENTS`."""

    def __init__(self, sides: dict[str, str], stamp: str, assumed: tuple[str, ...]) -> None:
        super().__init__()
        self._sides = sides
        self._stamp = stamp
        self.evidence = Evidence(
            origin='JSON lines with "dir" and the line of each message',
            times=bool(stamp),
            launch=False,
            process=False,
            status=False,
            stderr=False,
            assumptions=(WHOLE_ASSUMED, LF_ASSUMED, *assumed),
        )

    def record(self, fields: dict[str, Any], raw: bytes, number: int) -> Iterator[Item]:
        """The line that this object holds."""
        side = self._sides.get(word_of(fields))
        content = content_of(fields)
        if side is None or content is None:
            yield self.not_understood(number, raw, 'it has no "dir" that names a sender, or no content')
        else:
            times = self.at(moment_of(fields.get(self._stamp))) if self._stamp else (0, 0)
            yield content_line(number, side, content, *times)


def sides_of(entries: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The channel of each word for a sender, where a message tells `in` and `out`; empty if none does.

    A request that only a client sends (initialize, a call) tells all.
    """
    senders = Senders()
    for fields in entries:
        word, content = word_of(fields), content_of(fields)
        value = parse_line(content.encode(errors="replace")) if isinstance(content, str) else content
        if word not in IN_AND_OUT or not isinstance(value, dict) or not isinstance(value.get("method"), str):
            continue
        channel = senders.sender(value)
        if "id" in value and channel == CLIENT_TO_SERVER:
            others = dict.fromkeys(IN_AND_OUT, SERVER_TO_CLIENT)
            same = ("in", "incoming", "inbound", "received", "recv")
            same = same if word in same else ("out", "outgoing", "outbound", "sent", "send")
            return {**_SIDES, **others, **dict.fromkeys(same, CLIENT_TO_SERVER)}
    return {}


def _values(entries: Iterable[dict[str, Any]]) -> Iterator[Any]:
    for fields in entries:
        content = content_of(fields)
        value = parse_line(content.encode(errors="replace")) if isinstance(content, str) else content
        if value is not NOT_JSON:
            yield value


def recognise(beginning: Beginning) -> TaggedDecoder | None:
    """A decoder if most lines have a `dir` and a content, and messages are among them.

    Raises RecordingError if what names the sender can't be understood, or if they are of another protocol.
    """
    first = beginning.first_object
    if first is None or not word_of(first) or content_of(first) is None:
        return None
    lines = beginning.lines[:LOOKED_AT]
    entries = [fields for fields in map(object_of, lines) if fields is not None and word_of(fields)]
    entries = [fields for fields in entries if content_of(fields) is not None]
    if 2 * len(entries) <= len(lines):
        return None
    words = {word_of(fields) for fields in entries}
    known = sum(word_of(fields) in _SIDES for fields in entries)
    values = [value for value in _values(entries) if is_message(value)]
    refuse_other_protocols(values)
    sides = _SIDES
    assumed: tuple[str, ...] = ()
    if words & IN_AND_OUT and words <= IN_AND_OUT | _SIDES.keys():
        sides = sides_of(entries)
        assumed = ("whose `in` and `out` are was told by the first request of the client",)
    elif 2 * known <= len(entries):
        sides = {}
    if not sides:
        if not values:
            return None
        raise RecordingError(
            f'says "dir":{sorted(words)[0]!r}, which does not tell the sender; write c2s, s2c or stderr'
        )
    stamp = next((name for name in STAMPS if all(moment_of(fields.get(name)) for fields in entries)), "")
    return TaggedDecoder(sides, stamp, assumed)


FORMAT = Format('JSON lines with "dir" and "raw"', Certainty.SHAPED, recognise)
