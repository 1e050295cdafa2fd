"""Sessions recorded by mcpsnoop (github.com/kerlenton/mcpsnoop): one envelope a line.

Read from its source, `internal/proxy/frame.go`, `stdio.go` and `sink.go`: `direction` is `c2s`, `s2c`,
`stderr` or `meta` (the first one: command and cwd); `raw` holds a message, with its spacing lost, `text`
any other line, with bytes that are no UTF-8 lost. It forwards a line before it is numbered, and drops
envelopes when it falls behind, which shows as a jump in `seq`. Blank lines, terminators, the ends of
channels and the exit are not in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import SIDES, from_rfc3339, message_line, object_of, text_line, unknown_header
from mcptap.recording.format.model import Damaged, Event, Header, Item, RecordingError, as_list, as_object


def is_mcpsnoop(fields: dict[str, Any]) -> bool:
    """Whether this object is an envelope of mcpsnoop."""
    return isinstance(fields.get("session_id"), str) and isinstance(fields.get("direction"), str)


class McpsnoopDecoder(Decoder):
    """Decodes envelopes. Raises RecordingError when made for a session over HTTP."""

    def __init__(self, first: dict[str, Any]) -> None:
        if first.get("transport") == "http":
            raise RecordingError("was recorded over HTTP by mcpsnoop; mcptap reads sessions on stdio")
        meta = as_object(first.get("raw")) if first.get("direction") == "meta" else {}
        self._start = from_rfc3339(first.get("ts"))
        self._session = first.get("session_id")
        self._sequence = 0
        self.header = Header(
            {
                **unknown_header(str(first.get("server_label") or "server")).fields,
                "argv": as_list(meta.get("command")),
                "cwd": meta.get("cwd"),
                "wall": self._start,
            }
        )
        self.evidence = Evidence(
            origin="a recording of mcpsnoop",
            times=self._start > 0,
            order=False,
            framing=False,
            values=False,
            launch=bool(meta.get("command")),
            process=False,
            whole=False,
        )

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The line that this envelope holds, with a gap before it where envelopes are missing."""
        if not raw.strip():
            return
        fields = object_of(raw)
        if fields is None or not is_mcpsnoop(fields):
            yield Damaged(number, raw, "it is no envelope of mcpsnoop")
            return
        wall = from_rfc3339(fields.get("ts"))
        t = max(0, wall - self._start) if wall and self._start else 0
        if fields["session_id"] != self._session:
            yield Damaged(number, raw, "it belongs to another session")
            return
        yield from self._gap(fields.get("seq"), number, t, wall)
        side = SIDES.get(fields["direction"])
        if side is None:
            return
        if fields.get("truncated") is True:
            yield Damaged(number, raw, "mcpsnoop kept only the beginning of this line")
        elif "raw" in fields:
            yield message_line(number, side, fields["raw"], t, wall)
        else:
            text = fields.get("text", "")
            yield text_line(number, side, text if isinstance(text, str) else "", t, wall)

    def _gap(self, sequence: Any, number: int, t: int, wall: int) -> Iterator[Event]:
        if not isinstance(sequence, int):
            return
        missing = sequence - self._sequence - 1
        if self._sequence and missing > 0:
            yield Event(
                number,
                "gap",
                t,
                wall,
                {"records": missing, "bytes": 0, "since": t, "why": "mcpsnoop fell behind"},
            )
        self._sequence = sequence


def recognise(beginning: Beginning) -> McpsnoopDecoder | None:
    """A decoder if the first line is an envelope."""
    first = beginning.first_object
    return McpsnoopDecoder(first) if first is not None and is_mcpsnoop(first) else None


FORMAT = Format("recordings of mcpsnoop", Certainty.MARKED, recognise)
