"""Cline's output channel (and that of its forks): sentences of its console, without times or messages.

`Server "NAME" stderr: …` and `info:` (a line of stderr that holds INFO) are the server's stderr; errors of
the transport tell how a line on stdout began that was no JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.formats.clients.codex import EVIDENCE
from mcptap.captures.logs.decoder import LogDecoder, only_name
from mcptap.captures.logs.rejections import rejected
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Item
from mcptap.wire import STDERR

WROTE = re.compile(r'^Server "(.+?)" (?:info|stderr): ?(.*)$', re.DOTALL)
TRANSPORT = re.compile(r'^Transport error for "(.+?)": ?(.*)$', re.DOTALL)
NAMED = re.compile(
    rb'(?m)^(?:Server "|Transport error for "|Failed to (?:fetch [a-z ]{1,30} for |'
    rb"connect to (?:new )?MCP server |(?:re)?start MCP server )|"
    rb"(?:Reconnecting|Reconnected|Added|Connected|Updated) (?:to )?MCP server(?: with updated config)?: ?)"
    rb'(?P<name>[^":\r\n]{1,200})'
)
"""What names the server that a sentence is about."""
FAILED = re.compile(r"^(?:Failed to |Error (?:fetching|connecting|calling))")
SAYS = re.compile(
    r"^(?:Failed to (?:fetch (?:tools|resources|resource templates|prompts)|connect to (?:new )?MCP server|"
    r"(?:re)?start MCP server|parse timeout)|Reconnect(?:ed|ing) (?:to )?MCP server|"
    r"(?:Added|Connected|Deleted|Removed|Updated) MCP server|Error (?:fetching|connecting to|closing) .*MCP|"
    r'(?:Transport closed|Connection closed) for ")'
)


class ClineDecoder(LogDecoder):
    """Decodes the sentences about all servers."""

    def __init__(self, name: str) -> None:
        super().__init__(replace(EVIDENCE, origin="Cline's output channel", times=False), name)
        self._only = ""

    def only(self, section: Section) -> None:
        """Take only what names this server."""
        super().only(section)
        self._only = section.name

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """What this sentence tells of a server."""
        text = raw.decode(errors="replace").rstrip("\r")
        if self._only and not self._is_mine(raw):
            return
        wrote, transport = WROTE.match(text), TRANSPORT.match(text)
        if wrote is not None:
            yield self.text(number, STDERR, wrote[2])
        elif transport is not None:
            item = rejected(transport[2], (number, *self.moment(0)))
            yield item if item is not None else self.log(number, text, level="error")
        elif SAYS.match(text):
            yield self.log(number, text, level="error" if FAILED.match(text) else "")
        else:
            yield from self.pass_over(raw)

    def _is_mine(self, raw: bytes) -> bool:
        """Whether a line is about this server; one that names none is passed over."""
        named = NAMED.match(raw)
        if named is None:
            self.pass_over(raw)
        return named is not None and named["name"].decode(errors="replace") == self._only


def recognise(beginning: Beginning) -> ClineDecoder | None:
    """A decoder if at least a third of the lines are such sentences."""
    texts = [line.decode(errors="replace") for line in beginning.lines]
    known = [text for text in texts if WROTE.match(text) or TRANSPORT.match(text) or SAYS.match(text)]
    certain = any(WROTE.match(text) or TRANSPORT.match(text) for text in known)
    if not certain or len(known) * 3 < len(texts):
        return None
    marks = (WROTE.match(text) or TRANSPORT.match(text) for text in known)
    return ClineDecoder(only_name(found[1] for found in marks if found))


FORMAT = Format("Cline's output channel", Certainty.MARKED, recognise, Sessions(NAMED, each_name=True))
