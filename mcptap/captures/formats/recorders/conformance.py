"""Traces of mcp-conformance (github.com/tomtom215/mcp-conformance): messages, and moments of the transport.

Read from its source, `trace.rs`, and from its corpus: `direction`, `transport`, `kind` (message, http,
lifecycle), `seq`, `payload`, at times `ts`. Lines that are no JSON are not in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import SIDES, log_event, message_line, object_of
from mcptap.captures.records import WHOLE_ASSUMED, RecordsDecoder, moment_of
from mcptap.recording.format.model import Item, RecordingError

KINDS = ("message", "http", "lifecycle")


def is_event(fields: dict[str, Any]) -> bool:
    """Whether this object is an event of a trace."""
    return fields.get("kind") in KINDS and "transport" in fields and "direction" in fields and "seq" in fields


class ConformanceDecoder(RecordsDecoder):
    """Decodes events."""

    def __init__(self, timed: bool) -> None:
        super().__init__()
        self.evidence = Evidence(
            origin="a trace of mcp-conformance",
            times=timed,
            framing=False,
            launch=False,
            process=False,
            status=False,
            stderr=False,
            assumptions=(WHOLE_ASSUMED,),
        )

    def record(self, fields: dict[str, Any], raw: bytes, number: int) -> Iterator[Item]:
        """The message that this event holds."""
        side = SIDES.get(str(fields.get("direction")))
        if not is_event(fields) or side is None:
            yield self.not_understood(number, raw, "it is no event of mcp-conformance")
            return
        t, wall = self.at(moment_of(fields.get("ts")) if self.evidence.times else 0)
        if fields["kind"] == "message" and "payload" in fields:
            yield message_line(number, side, fields["payload"], t, wall)
        else:
            yield log_event(number, f"{fields['kind']}: {fields.get('event', '')}".rstrip(": "), t, wall)


def recognise(beginning: Beginning) -> Decoder | None:
    """A decoder if the first line is an event. Raises RecordingError for a session over HTTP."""
    first = beginning.first_object
    if first is None or not is_event(first):
        return None
    if first["transport"] != "stdio":
        raise RecordingError(
            f"was recorded over {first['transport']} by mcp-conformance; mcptap reads sessions on stdio"
        )
    return ConformanceDecoder(all((object_of(line) or {}).get("ts") for line in beginning.lines[:20]))


FORMAT = Format("traces of mcp-conformance", Certainty.MARKED, recognise)
