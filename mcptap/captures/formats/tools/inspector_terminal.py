"""What the proxy of the MCP Inspector (0.x) prints on its terminal, as people paste it.

A line for each message that the browser sent, without what it was; what the server printed on stdout and is
no JSON, as the error of the library with its stack; how the server was started.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.captures.logs.rejections import rejected
from mcptap.captures.sections import Sessions
from mcptap.recording.format.model import Item

_LAUNCH = re.compile(r"^(?:STDIO|Stdio) transport: command=(.*), args=(.*)$")
_MARKS = re.compile(
    rb"^(?:Starting MCP inspector|"
    rb"\W{0,8}(?:Proxy server listening|MCP Inspector is (?:up|running)|Session token)|"
    rb"New (?:STDIO |SSE |StreamableHttp )?connection|(?:STDIO|Stdio|SSE) transport: |Query parameters: |"
    rb"Received (?:POST |GET |DELETE )?message for sessionId|Error from MCP server: |Set up MCP proxy|"
    rb"Created (?:server|client|web app) transport|Connected MCP client to |Spawned stdio transport|"
    rb"Error in /(?:stdio|sse|mcp|message) route: )"
)
_ERROR = re.compile(r"^(?:Error from MCP server|Error in /\w+ route): (?:Error: )?(.*)$")
_SPAWN = re.compile(r"^spawn (.+) (E[A-Z]+)$")
_STACK = re.compile(r"^(?:\s+at |\s*[}\])]|  \w+: )")
ERRNO = {"ENOENT": 2, "EACCES": 13, "ENOEXEC": 8, "E2BIG": 7, "ENOTDIR": 20, "EINVAL": 22}


class InspectorTerminalDecoder(LogDecoder):
    """Decodes what the proxy printed."""

    def __init__(self) -> None:
        super().__init__(
            Evidence(
                origin="what the MCP Inspector printed on its terminal",
                times=False,
                framing=False,
                messages=False,
                contents=False,
                launch=False,
                process=False,
                status=False,
                stderr=False,
                client=False,
                whole=False,
            )
        )

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """What this line of the terminal tells."""
        text = raw.decode(errors="replace").rstrip("\r")
        launch = _LAUNCH.match(text)
        if launch is not None:
            self.tell(argv=[launch[1], *filter(None, launch[2].split(","))])
        failed = _ERROR.match(text)
        if failed is not None:
            yield from self._error(failed[1], text, number)
        elif _MARKS.match(raw):
            yield self.log(number, text.strip())
        elif not _STACK.match(text):
            yield from self.pass_over(raw)

    def _error(self, said: str, text: str, number: int) -> Iterator[Item]:
        spawn = _SPAWN.match(said)
        if spawn is not None:
            yield self.event(number, "spawn", errno=ERRNO.get(spawn[2], 0), error=said)
            return
        item = rejected(said, (number, *self.moment(0)))
        yield item if item is not None else self.log(number, text, level="error")


def recognise(beginning: Beginning) -> InspectorTerminalDecoder | None:
    """A decoder if at least two lines are those of the proxy, and most of the others belong to a stack."""
    marked = sum(1 for line in beginning.lines if _MARKS.match(line))
    if marked < 2:
        return None
    stack = sum(1 for line in beginning.lines if _STACK.match(line.decode(errors="replace")))
    return InspectorTerminalDecoder() if (marked + stack) * 2 >= len(beginning.lines) else None


FORMAT = Format(
    "the terminal of the MCP Inspector",
    Certainty.MARKED,
    recognise,
    Sessions(starts=re.compile(rb"(?m)^New (?:STDIO |SSE |StreamableHttp )?connection")),
)
