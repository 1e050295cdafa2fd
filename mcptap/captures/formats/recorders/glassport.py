"""Sessions recorded by glassport (github.com/Dennis-J-Carroll/glassport): one frame a line.

Read from recordings that it made, versions 0.1 to 0.8. Exactly one of `frame` (the message, parsed) and
`raw` (a line that is no JSON) is not null. Since 0.8 a line `glassport.header` comes first, and
`glassport.metrics` at the end of a session. Both sides are read by threads of their own. What its gate
did not let pass, or said in the place of one side, is marked with `gate`, and is no word of the
server's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import SIDES, log_event, object_of
from mcptap.captures.records import WHOLE_ASSUMED, RecordsDecoder, content_line, moment_of
from mcptap.recording.format.model import Item, RecordingError, as_object

HEADER, METRICS = "glassport.header", "glassport.metrics"
ALTERED = {"blocked": "kept from passing", "injected": "said in its place", "modified": "changed"}
"""What the gate does to a line, by its word for it."""


def is_frame(fields: dict[str, Any]) -> bool:
    """Whether this object is a frame of glassport."""
    return "schema_version" in fields and "frame" in fields and "raw" in fields and "dir" in fields


class GlassportDecoder(RecordsDecoder):
    """Decodes frames."""

    def __init__(self) -> None:
        super().__init__()
        self.evidence = Evidence(
            origin="a recording of glassport",
            order=False,
            framing=False,
            launch=False,
            process=False,
            status=False,
            stderr=False,
            assumptions=(WHOLE_ASSUMED,),
        )

    def record(self, fields: dict[str, Any], raw: bytes, number: int) -> Iterator[Item]:
        """The line that a frame holds, with a gap before it where frames are missing."""
        if fields.get("type") in (HEADER, METRICS):
            failures = fields.get("write_failures")
            if isinstance(failures, int) and failures > 0:
                yield log_event(number, f"glassport could not write {failures} frames", *self.at(0))
            return
        side = SIDES.get(str(fields.get("dir")))
        content = fields.get("frame") if fields.get("frame") is not None else fields.get("raw")
        if side is None or content is None:
            yield self.not_understood(number, raw, "it is no frame of glassport")
            return
        t, wall = self.at(moment_of(fields.get("ts")))
        yield from self.missing(fields.get("seq"), number, t, wall, "glassport")
        action = as_object(fields.get("gate")).get("action")
        if action in ALTERED:
            yield log_event(number, f"glassport's gate: a message was {ALTERED[action]}", t, wall)
        else:
            yield content_line(number, side, content, t, wall)


def recognise(beginning: Beginning) -> Decoder | None:
    """A decoder if the first line is a frame or the header. Raises RecordingError for a session over HTTP."""
    first = beginning.first_object
    if first is None or not (first.get("type") == HEADER or is_frame(first)):
        return None
    over_http = first.get("transport") not in (None, "stdio") or any(
        b'"sse_meta"' in line and "sse_meta" in (object_of(line) or {}) for line in beginning.lines[:20]
    )
    if over_http:
        raise RecordingError("was recorded over HTTP by glassport; mcptap reads sessions on stdio")
    return GlassportDecoder()


FORMAT = Format("recordings of glassport", Certainty.MARKED, recognise)
