"""What mcp-remote prints on stderr: `[PID] [Local→Remote] METHOD`, and of an answer its id alone.

Of a request it does not tell the id. Clients count ids up from that of `initialize`, of which the whole
message is printed; so a request is taken to have the next one, and where answers do not fit nothing is
paired.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.joiner import Joiner
from mcptap.captures.lines import is_message, message_line, object_of, told_line
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Item
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

LINE = re.compile(r"^\[(\d+)\] (?:\[\1\] )?(.*)$", re.DOTALL)
MESSAGE = re.compile(r"^\[(Local→Remote|Remote→Local)\] (\S*)")
MAX_OPEN = 10_000


class McpRemoteStderrDecoder(LogDecoder):
    """Decodes the stderr of mcp-remote."""

    def __init__(self) -> None:
        super().__init__(
            Evidence(
                origin="what mcp-remote printed on stderr",
                times=False,
                framing=False,
                messages=False,
                contents=False,
                members=False,
                launch=False,
                process=False,
                status=False,
                stderr=False,
                whole=False,
                assumptions=("ids of requests were taken to count up from that of initialize",),
            ),
            "mcp-remote",
        )
        self._process = ""
        self._joiner = Joiner()
        self._awaited = False
        """Whether the message of `initialize` is to follow."""
        self._next: int | None = None
        self._open: dict[int, None] = {}

    def only(self, section: Section) -> None:
        """Take only the lines of this process."""
        super().only(section)
        self._process = section.key

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """What this line tells."""
        text = raw.decode(errors="replace").strip()
        found = LINE.match(text)
        if found is None:
            if self._awaited:
                yield from self._spelled(raw.rstrip(), number)
            else:
                yield from self.pass_over(raw)
            return
        if self._process and found[1] != self._process:
            return
        message = MESSAGE.match(found[2])
        if message is None:
            level = "error" if "rror" in found[2] else ""
            yield self.log(number, found[2], level=level)
        elif message[1] == "Local→Remote":
            yield from self._sent(message[2], number)
        else:
            yield from self._received(message[2], number)

    def _spelled(self, raw: bytes, number: int) -> Iterator[Item]:
        for first, data in self._joiner.feed(raw, number):
            value = object_of(data)
            if value is None or not is_message(value):
                yield from self.pass_over(data)
                continue
            self._awaited = False
            key = value.get("id")
            if type(key) is int:
                self._next = key + 1
                self._open = {key: None}
            yield message_line(first, CLIENT_TO_SERVER, value)

    def _sent(self, word: str, number: int) -> Iterator[Item]:
        if word == "initialize":
            self._awaited = True
        elif not word or word.isdigit():
            yield self.log(number, f"the client answered {word}")
        elif word.startswith("notifications/"):
            yield self._told(number, CLIENT_TO_SERVER, {"method": word})
        elif self._next is not None:
            if len(self._open) < MAX_OPEN:
                self._open[self._next] = None
            yield self._told(number, CLIENT_TO_SERVER, {"id": self._next, "method": word})
            self._next += 1
        else:
            yield self.log(number, f"the client asked for {word}")

    def _received(self, word: str, number: int) -> Iterator[Item]:
        if word.isdigit() and int(word[:9]) in self._open:
            key = int(word[:9])
            del self._open[key]
            yield self._told(number, SERVER_TO_CLIENT, {"id": key, "result": {}})
        elif word.startswith("notifications/"):
            yield self._told(number, SERVER_TO_CLIENT, {"method": word})
        else:
            yield self.log(number, f"the server sent {word}")

    def _told(self, number: int, channel: str, members: dict[str, Any]) -> Item:
        return told_line(number, channel, {"jsonrpc": "2.0", **members}, *self.moment(0))


def recognise(beginning: Beginning) -> McpRemoteStderrDecoder | None:
    """A decoder if lines tell of messages so."""
    texts = [line.decode(errors="replace") for line in beginning.lines]
    entries = [found for found in map(LINE.match, texts) if found]
    told = sum(1 for entry in entries if MESSAGE.match(entry[2]))
    return McpRemoteStderrDecoder() if told and len(entries) * 3 >= len(texts) else None


FORMAT = Format(
    "what mcp-remote prints on stderr",
    Certainty.MARKED,
    recognise,
    Sessions(
        starts=re.compile(rb"(?m)^\[(?P<key>\d+)\] (?:\[\d+\] )?Using automatically selected callback port")
    ),
)
