"""The debug log of mcp-remote (`--debug`, `~/.mcp-auth/…/HASH_debug.log`), a proxy to servers over HTTP.

Of a message of the client it has the method, the id, and the params as a string of at most 500 characters; of
an answer the id, an error in full, and of a result only that there is one. Each line has the process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.lines import from_rfc3339, message_line, object_of, outline_line
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Item, as_object
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

LINE = re.compile(rb"^\[(\d{4}-\d\d-\d\dT[\d:.]+Z)\]\[(\d+)\] (.*)$", re.DOTALL)
SENT = "Local → Remote message ".encode()
RECEIVED = "Remote → Local message ".encode()
_SHORT = re.compile("^\\[(?:Local→Remote|Remote→Local)\\] ".encode())
"""The same once more, in short."""
_OF_PROCESS = rb"(?m)^\[[^\]\n]+\]\[(?P<key>\d+)\] "
MAX_PARAMS = 500


class McpRemoteDecoder(LogDecoder):
    """Decodes the debug log, of one process if it has several."""

    def __init__(self) -> None:
        super().__init__(
            Evidence(
                fineness_us=MILLISECONDS,
                origin="the debug log of mcp-remote",
                framing=False,
                contents=False,
                members=False,
                launch=False,
                process=False,
                status=False,
                stderr=False,
                whole=False,
            ),
            "mcp-remote",
        )
        self._process = b""

    def only(self, section: Section) -> None:
        """Take only the lines of this process."""
        super().only(section)
        self._process = section.key.encode()

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The message or the sentence of this line."""
        found = LINE.match(raw.rstrip())
        if found is None:
            yield from self.pass_over(raw)
            return
        wall_us, process, text = from_rfc3339(found[1].decode()), found[2], found[3]
        if self._process and process != self._process:
            return
        fields = object_of(text[len(SENT) :]) if text.startswith((SENT, RECEIVED)) else None
        if fields is not None and text.startswith(SENT):
            yield self._sent(fields, number, wall_us)
        elif fields is not None:
            yield self._received(fields, number, wall_us)
        elif _SHORT.match(text) is None:
            yield self.log(number, text.decode(errors="replace").strip(), wall_us)

    def _sent(self, fields: dict[str, Any], number: int, wall_us: int) -> Item:
        members = {"jsonrpc": "2.0", **{k: v for k, v in fields.items() if k in ("id", "method", "error")}}
        spelled = fields.get("params")
        params = object_of(spelled.encode(errors="replace")) if isinstance(spelled, str) else None
        if "method" not in fields:
            return self._answer(members, fields, CLIENT_TO_SERVER, number, wall_us)
        moment = self.moment(wall_us)
        if params is None and spelled is not None:
            return outline_line(number, CLIENT_TO_SERVER, {**members, "params": {}}, *moment)
        if params is not None:
            members["params"] = params
        return message_line(number, CLIENT_TO_SERVER, members, *moment)

    def _received(self, fields: dict[str, Any], number: int, wall_us: int) -> Item:
        members = {"jsonrpc": "2.0", **{k: v for k, v in fields.items() if k in ("id", "method", "error")}}
        if "method" in fields:
            return outline_line(number, SERVER_TO_CLIENT, {**members, "params": {}}, *self.moment(wall_us))
        return self._answer(members, fields, SERVER_TO_CLIENT, number, wall_us)

    def _answer(
        self, members: dict[str, Any], fields: dict[str, Any], channel: str, number: int, wall_us: int
    ) -> Item:
        if as_object(fields.get("error")):
            return message_line(number, channel, members, *self.moment(wall_us))
        return outline_line(number, channel, {**members, "result": {}}, *self.moment(wall_us))


def recognise(beginning: Beginning) -> McpRemoteDecoder | None:
    """A decoder if most lines have a time and a process so, and one is of mcp-remote."""
    entries = [found for found in map(LINE.match, beginning.lines) if found]
    own = any(e[3].startswith((SENT, RECEIVED, b"Starting mcp-remote")) for e in entries)
    return McpRemoteDecoder() if own and len(entries) * 2 > len(beginning.lines) else None


FORMAT = Format(
    "debug logs of mcp-remote",
    Certainty.MARKED,
    recognise,
    Sessions(
        starts=re.compile(_OF_PROCESS + rb"Starting mcp-remote"),
        mentions=re.compile(_OF_PROCESS + "(?:Local → Remote|Remote → Local) message ".encode()),
    ),
)
