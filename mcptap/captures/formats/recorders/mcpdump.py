"""Sessions recorded by mcpdump, and traces of the form mcp-trace/1: a header, then the text of each line.

mcpdump (github.com/xsw77492-code/mcpdump) heads its file with `mcpdump-session` and names the sides
`to_server` and `to_client`; mcp-trace/1 names them c2s and s2c, and replaces arguments that look secret.
Both keep the text of a line without its end, and time the lines from the start of the recording.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcptap.captures.evidence import MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import SIDES, from_milliseconds, from_rfc3339, text_line
from mcptap.captures.records import LF_ASSUMED, WHOLE_ASSUMED, RecordsDecoder
from mcptap.recording.format.model import Item, RecordingError, as_list
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT


@dataclass(frozen=True, slots=True)
class Layout:
    """How one of the two writes."""

    origin: str
    started: str
    """The header's member with the time of the start."""
    direction: str
    text: str
    time: str
    """Members of a line: its sender, its text, milliseconds since the start."""
    values: bool
    """Whether it keeps values as they were."""


LAYOUTS = {
    "mcpdump-session": Layout("a recording of mcpdump", "at", "direction", "line", "atMs", True),
    "mcp-trace/1": Layout(
        "a trace of the form mcp-trace/1", "started_at", "dir", "body", "elapsed_ms", False
    ),
}
"""By the header's `format`."""

_SIDES = {**SIDES, "to_server": CLIENT_TO_SERVER, "to_client": SERVER_TO_CLIENT}


class TracedDecoder(RecordsDecoder):
    """Decodes the lines behind such a header."""

    def __init__(self, header: dict[str, Any], layout: Layout) -> None:
        argv = [one for one in as_list(header.get("argv")) if isinstance(one, str)]
        self._start = from_rfc3339(header.get(layout.started))
        super().__init__(argv=argv, wall=self._start)
        self._layout = layout
        self.evidence = Evidence(
            fineness_us=MILLISECONDS,
            origin=layout.origin,
            order=False,
            framing=False,
            values=layout.values,
            launch=False,
            process=False,
            status=False,
            stderr=False,
            assumptions=(WHOLE_ASSUMED, LF_ASSUMED),
        )

    def record(self, fields: dict[str, Any], raw: bytes, number: int) -> Iterator[Item]:
        """The line of the session that this one holds."""
        if fields.get("format") in LAYOUTS:
            return
        layout = self._layout
        side, text = _SIDES.get(str(fields.get(layout.direction))), fields.get(layout.text)
        if side is None or not isinstance(text, str):
            yield self.not_understood(number, raw, f'it has no "{layout.direction}" or no "{layout.text}"')
            return
        t = from_milliseconds(fields.get(layout.time))
        yield from self.missing(fields.get("seq"), number, t, self._start + t, "mcpdump")
        yield text_line(number, side, text, t, self._start + t if self._start else 0)


def recognise(beginning: Beginning) -> Decoder | None:
    """A decoder if the first line is such a header. Raises RecordingError for a version that is not known."""
    first = beginning.first_object
    name = first.get("format") if first is not None else None
    if first is None or not isinstance(name, str):
        return None
    if name.startswith("mcp-trace/") and name not in LAYOUTS:
        raise RecordingError(f"is a trace of the form {name}; this mcptap reads mcp-trace/1")
    layout = LAYOUTS.get(name)
    if layout is None:
        return None
    if name == "mcpdump-session" and first.get("version") != 1:
        raise RecordingError(
            f"is a recording of mcpdump, version {first.get('version')}; this mcptap reads version 1"
        )
    if isinstance(server := first.get("server"), str) and server.startswith(("http://", "https://")):
        raise RecordingError("was recorded over HTTP; mcptap reads sessions on stdio")
    return TracedDecoder(first, layout)


FORMAT = Format("recordings of mcpdump and traces mcp-trace/1", Certainty.MARKED, recognise)
