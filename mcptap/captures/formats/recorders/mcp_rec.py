"""Sessions recorded by mcp-rec (github.com/yubinkim444/mcp-rec): `ts` in seconds, `dir`, `msg`.

Read from its source, `recorder.py`. One thread reads both sides, so the order is right. A line that is
no JSON is `{"_raw": text, "_unparsed": true}`; blank lines and the rest without its end are not kept. It
appends: several sessions may stand in one file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import SIDES
from mcptap.captures.records import WHOLE_ASSUMED, RecordsDecoder, content_line, moment_of
from mcptap.captures.sections import Sessions
from mcptap.recording.format.model import Item


def is_entry(fields: dict[str, Any]) -> bool:
    """Whether this object is an entry of mcp-rec."""
    return set(fields) == {"ts", "dir", "msg"} and fields["dir"] in ("client->server", "server->client")


class McpRecDecoder(RecordsDecoder):
    """Decodes entries."""

    def __init__(self) -> None:
        super().__init__()
        self.evidence = Evidence(
            origin="a recording of mcp-rec",
            framing=False,
            launch=False,
            process=False,
            status=False,
            stderr=False,
            assumptions=(WHOLE_ASSUMED,),
        )

    def record(self, fields: dict[str, Any], raw: bytes, number: int) -> Iterator[Item]:
        """The line that this entry holds."""
        if not is_entry(fields):
            yield self.not_understood(number, raw, "it is no entry of mcp-rec")
            return
        content = fields["msg"]
        if isinstance(content, dict) and content.get("_unparsed") is True:
            content = str(content.get("_raw", ""))
        yield content_line(number, SIDES[fields["dir"]], content, *self.at(moment_of(fields["ts"])))


def recognise(beginning: Beginning) -> Decoder | None:
    """A decoder if the first line is an entry."""
    first = beginning.first_object
    return McpRecDecoder() if first is not None and is_entry(first) else None


FORMAT = Format(
    "recordings of mcp-rec",
    Certainty.MARKED,
    recognise,
    Sessions(
        re.compile(
            rb'(?m)^\{"ts":[^"\n]{1,40}"dir": ?"client->server", ?"msg": ?\{[^\n]*"method": ?"initialize"'
        )
    ),
)
