"""LM Studio's developer log: `TIME [LEVEL]`, and the text on the next lines. It has no messages.

` [Plugin(mcp/NAME)] stderr: …` is the server's stderr or an error of LM Studio's own bridge, which shares the
mark; `stdout:` is the bridge's alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mcptap.captures.evidence import LOCAL_TIME, SECONDS
from mcptap.captures.format import HEAD, Beginning, Certainty, Format
from mcptap.captures.formats.clients.codex import EVIDENCE
from mcptap.captures.lines import from_local
from mcptap.captures.logs.decoder import LogDecoder, only_name
from mcptap.captures.logs.rejections import rejected
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Item, RecordingError
from mcptap.wire import STDERR

HEADING = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) +\[(\w+)\]\s*(.*)$", re.DOTALL)
PLUGIN = re.compile(r"^\s*\[Plugin\(mcp/([^)\n]*)\)\] (stdout|stderr): ?(.*)$", re.DOTALL)
BRIDGE = re.compile(r"^(?:Error in LM Studio MCP bridge process|\S{0,20} ?\[?McpError\]?: MCP error)")
REJECTED = re.compile(r"SyntaxError: ((?:Unexpected|Expected|Unterminated) .* JSON.*)$", re.DOTALL)
OWN = re.compile(r"\[(?:Plugin\(|LM STUDIO SERVER|LMSAuthenticator)")


class LmStudioDecoder(LogDecoder):
    """Decodes the log of all servers of an LM Studio."""

    def __init__(self, name: str) -> None:
        evidence = replace(
            EVIDENCE, origin="LM Studio's developer log", fineness_us=SECONDS, assumptions=(LOCAL_TIME,)
        )
        super().__init__(evidence, name)
        self._wall_us = 0
        self._level = ""
        self._only = ""
        self._continues = ""
        """What lines without a mark continue: `stderr`, `bridge`, or nothing that is read."""

    def only(self, section: Section) -> None:
        """Take only what names this server."""
        super().only(section)
        self._only = section.name

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """What this line tells of a server."""
        text = raw.decode(errors="replace").rstrip("\r")
        heading = HEADING.match(text)
        if heading is not None:
            self._wall_us, self._level = from_local(heading[1]), heading[2].lower()
            self._continues = ""
            text = heading[3]
        plugin = PLUGIN.match(text)
        if plugin is not None and self._only and plugin[1] != self._only:
            self._continues = "bridge"  # of another server
        elif plugin is not None:
            yield self._of_plugin(plugin[2], plugin[3], number)
        elif heading is not None and not text:
            return
        elif self._continues == "stderr" and text.strip():
            yield self.text(number, STDERR, text, self._wall_us)
        elif self._continues != "bridge":
            yield from self.pass_over(raw)

    def _of_plugin(self, stream: str, said: str, number: int) -> Item:
        unreadable = REJECTED.search(said)
        self._continues = "bridge" if stream == "stdout" or unreadable or BRIDGE.match(said) else "stderr"
        item = None
        if unreadable is not None:
            item = rejected(unreadable[1], (number, *self.moment(self._wall_us)))
        if item is not None:
            return item
        if self._continues == "stderr":
            return self.text(number, STDERR, said, self._wall_us)
        return self.log(number, said, self._wall_us, "error" if stream == "stderr" else self._level)


def recognise(beginning: Beginning) -> LmStudioDecoder | None:
    """A decoder if lines have such headings, and some are of a plugin for MCP.

    Raises RecordingError for such a log without one.
    """
    texts = [line.decode(errors="replace") for line in beginning.lines]
    headings = sum(1 for text in texts if HEADING.match(text))
    if not headings or not any(OWN.search(text) for text in texts):
        return None
    if any("[Plugin(mcp/" in text for text in texts) or len(beginning.head) >= HEAD:
        return LmStudioDecoder(only_name(found[1] for found in map(PLUGIN.match, texts) if found))
    raise RecordingError(
        "looks like LM Studio's log; of it mcptap reads what [Plugin(mcp/NAME)] wrote, and none of that "
        "is in it: add the server in LM Studio, and look into its developer log"
    )


FORMAT = Format(
    "LM Studio's developer log",
    Certainty.MARKED,
    recognise,
    Sessions(
        re.compile(rb"(?m)^[^\n]{0,40}?\[Plugin\(mcp/(?P<name>[^)\n]*)\)\] (?:stdout|stderr):"),
        each_name=True,
        start_words=b"[Plugin(mcp/",
    ),
)
