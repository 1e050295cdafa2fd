"""Recordings of the two tools called mcp-cassette.

One (github.com/ivermin1123/mcp-cassette, `docs/cassette-format-v2.md`) writes JSON lines: a header with
`cassetteVersion`, then `frame` and `raw` entries with `t` in milliseconds. The other
(github.com/cheneeheng/mcp-cassette, `src/mcp_cassette/cassette.py`) writes one JSON document with
`format_version` and `messages`. Both parse and rewrite messages, replace values that look secret (the
second one every key with "token" in it), and keep neither stderr nor the end of the process.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mcptap.captures.evidence import MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import (
    SIDES,
    from_milliseconds,
    from_rfc3339,
    message_line,
    object_of,
    text_line,
    unknown_header,
)
from mcptap.recording.format.model import (
    Damaged,
    Header,
    Item,
    RecordingError,
    as_list,
    as_object,
)

LINES_VERSIONS = (1, 2)
DOCUMENT_VERSIONS = (1, 2, 3)
"""Version 3 adds a list of what was redacted, and messages of the kind `unclassified`."""
EVIDENCE = Evidence(
    fineness_us=MILLISECONDS,
    origin="a recording of mcp-cassette",
    order=False,
    framing=False,
    values=False,
    launch=False,
    process=False,
    stderr=False,
    whole=False,
)


def _refuse_what_cannot_be_read(version: Any, known: tuple[int, ...], transport: Any) -> None:
    if version not in known:
        raise RecordingError(
            f"is a cassette of version {version}; this mcptap reads versions {known[0]} to {known[-1]}"
        )
    if transport not in (None, "stdio"):
        raise RecordingError(f"was recorded over {transport} by mcp-cassette; mcptap reads sessions on stdio")


class CassetteLinesDecoder(Decoder):
    """Decodes a cassette of JSON lines. Raises RecordingError for what it can't read."""

    def __init__(self, header: dict[str, Any]) -> None:
        _refuse_what_cannot_be_read(header.get("cassetteVersion"), LINES_VERSIONS, header.get("transport"))
        self._start = from_rfc3339(header.get("startedAt"))
        self.header = Header(
            {**unknown_header().fields, "argv": as_list(header.get("command")), "wall": self._start}
        )
        self.evidence = EVIDENCE

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The lines that this entry holds."""
        if number == 1 or not raw.strip():
            return
        fields = object_of(raw)
        if fields is None:
            yield Damaged(number, raw, "it is no entry of a cassette")
            return
        side, kind = SIDES.get(str(fields.get("dir"))), fields.get("type")
        t = from_milliseconds(fields.get("t"))
        if kind == "frame" and side and "frame" in fields:
            yield message_line(number, side, fields["frame"], t, self._start + t)
        elif kind == "raw" and side and isinstance(fields.get("data"), str):
            yield text_line(number, side, fields["data"], t, self._start + t)
        elif kind in ("frame", "raw"):
            yield Damaged(number, raw, "its sender or content is missing")


class CassetteDocumentDecoder(Decoder):
    """Decodes a cassette that is one JSON document. Record numbers are places in `messages`.

    Raises RecordingError for what it can't read.
    """

    takes_lines = False

    def __init__(self, document: dict[str, Any]) -> None:
        _refuse_what_cannot_be_read(
            document.get("format_version"), DOCUMENT_VERSIONS, document.get("transport")
        )
        self._messages = as_list(document.get("messages"))
        self._start = from_rfc3339(document.get("recorded_at"))
        server = as_object(document.get("server_info"))
        self.header = Header(
            {**unknown_header(str(server.get("name") or "server")).fields, "wall": self._start}
        )
        self.evidence = replace(
            EVIDENCE, assumptions=("record numbers are places in the list of messages, from 1",)
        )

    def finish(self) -> Iterator[Item]:
        """All lines."""
        for number, message in enumerate(self._messages, 1):
            fields = as_object(message)
            side = SIDES.get(str(fields.get("sender")))
            if side is None or "payload" not in fields:
                yield Damaged(number, b"", "its sender or content is missing")
                continue
            t = from_milliseconds(fields.get("t_offset_ms"))
            payload = fields["payload"]
            make = text_line if isinstance(payload, str) else message_line
            yield make(number, side, payload, t, self._start + t)


def recognise(beginning: Beginning) -> Decoder | None:
    """A decoder if the first line heads a cassette, or the whole file is one."""
    first = beginning.first_object
    if first is not None and first.get("type") == "header" and "cassetteVersion" in first:
        return CassetteLinesDecoder(first)
    if beginning.head.lstrip().startswith(b"{") and b'"format_version"' in beginning.head:
        document = beginning.document()
        if (
            document is not None
            and "format_version" in document
            and isinstance(document.get("messages"), list)
        ):
            return CassetteDocumentDecoder(document)
    return None


FORMAT = Format("recordings of mcp-cassette", Certainty.MARKED, recognise)
