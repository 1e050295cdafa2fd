"""What a server logs of its own traffic: something that tells the side, then the message.

`[TIME] INCOMING: {…}`, `[mcp] <= {…}`, `TIME - name - INFO - Received message: {…}`, `TIME [STDIN] {…}`:
there are as many forms as servers, and one rule for all: the messages behind a prefix that is constant but
for its digits tell whose it is. Where the words are STDIN and STDOUT, other text behind them, and behind
STDERR, is that of the channel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcptap.captures.evidence import LOCAL_TIME, Evidence, fineness_of
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.formats.transcript import FORWARD
from mcptap.captures.lines import from_local, from_rfc3339, is_message
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.captures.logs.prefixes import Prefixes, shape_of, split
from mcptap.captures.sections import Sessions
from mcptap.recording.format.model import Item, Line, parse_line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

STAMP = re.compile(rb"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))? ?(Z|[+-]\d\d:?\d\d)?(?![\d:])")
ARROWS = re.compile(rb"-->|<--|>>>|<<<|\xe2\x86\x92|\xe2\x86\x90")
STREAM = re.compile(rb"(?i)\bstd(?:in|out|err)\b")
_EXITED = re.compile(
    rb"(?i)\b(?:sub|child |server )?process (?:has )?exited with (?:exit )?(?:code|status):? (\d{1,3})\b"
)
_MARKDOWN = re.compile(rb"(?m)^\s*(?:```|#{1,6} \S)")
SHARE = 10
"""At least one line in so many holds a message."""


class ServerLogDecoder(LogDecoder):
    """Decodes such a log, of which the beginning told the prefixes."""

    def __init__(self, prefixes: Prefixes, lines: list[bytes]) -> None:
        found = [STAMP.search(line) for line in lines if message_line_of(line)]
        timed = bool(found) and all(found)
        local = timed and any(stamp is not None and not stamp[4] for stamp in found)
        self._streams = {shape: STREAM.search(shape) for shape in prefixes.sides}
        tagged = any(self._streams.values())
        super().__init__(
            Evidence(
                origin="what a server logged of its own traffic",
                fineness_us=fineness_of((stamp[3] or b"").decode() for stamp in found if stamp),
                times=timed,
                framing=False,
                members=prefixes.has_version,
                launch=False,
                process=False,
                status=tagged,
                stderr=tagged,
                whole=False,
                assumptions=(LOCAL_TIME,) if local else (),
            )
        )
        self._prefixes = prefixes
        self._timed = timed
        self._second: tuple[bytes, bytes, bytes] | None = None
        self._second_us = 0

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The line of the session that this line of the log holds."""
        raw = raw.rstrip(b"\r")
        wall_us = self._wall_us(raw)
        parts = split(raw)
        if parts is not None:
            channel = self._prefixes.channel(shape_of(parts[0]))
            value = parse_line(parts[1]) if channel else None
            if is_message(value):
                t_us, wall_us = self.moment(wall_us)
                yield Line(number, channel, parts[1], b"\n", t_us, t_us, wall_us, value=value)
                return
        found = STREAM.search(raw[:300]) if self.evidence.stderr else None
        if found is not None and (channel := self._tagged(raw, found)):
            text = raw[found.end() :].lstrip(b"]>):|").removeprefix(b" ")
            yield self.line(number, channel, text, wall_us)
            return
        ended = _EXITED.search(raw)
        if ended is not None:
            yield self.event(number, "exit", wall_us, code=int(ended[1]))
        elif wall_us:
            yield self.log(number, raw.decode(errors="replace"), wall_us)
        else:
            yield from self.pass_over(raw)

    def _wall_us(self, raw: bytes) -> int:
        found = STAMP.search(raw, 0, 120) if self._timed else None
        if found is None:
            return 0
        day, clock, fraction, zone = found.groups()
        second = (day, clock, zone)
        if second != self._second:
            self._second = second
            stamp = f"{day.decode()}T{clock.decode()}"
            self._second_us = from_rfc3339(stamp + zone.decode()) if zone else from_local(stamp)
        return self._second_us + int((fraction or b"0")[:6].ljust(6, b"0"))

    def _tagged(self, raw: bytes, found: re.Match[bytes]) -> str:
        """The channel that a word for a stream names, in the place where messages have theirs."""
        before = shape_of(raw[: found.start()])
        places = {shape_of(shape[: mark.start()]) for shape, mark in self._streams.items() if mark}
        if before not in places:
            return ""
        word = found[0].lower()
        return {b"stdin": CLIENT_TO_SERVER, b"stdout": SERVER_TO_CLIENT, b"stderr": STDERR}[word]


def message_line_of(line: bytes) -> bool:
    """Whether a line holds a message behind a prefix."""
    parts = split(line)
    return parts is not None and bool(parts[0].strip()) and is_message(parse_line(parts[1]))


def recognise(beginning: Beginning) -> ServerLogDecoder | None:
    """A decoder if prefixes tell both sides, and enough of the lines hold messages.

    None for a transcript with arrows as mcptap prints them, and for a text about a session.
    """
    lines = beginning.lines
    prefixes = Prefixes(lines)
    if not prefixes.has_both_sides or prefixes.messages * SHARE < len(lines):
        return None
    if _MARKDOWN.search(beginning.head):
        return None
    for shape, side in prefixes.sides.items():
        arrow = ARROWS.search(shape)
        if arrow is not None and side and (arrow[0] in FORWARD) == (side == CLIENT_TO_SERVER):
            return None
    return ServerLogDecoder(prefixes, lines)


FORMAT = Format(
    "logs that servers write of their own traffic",
    Certainty.SHAPED,
    recognise,
    Sessions(starts=re.compile(rb'(?m)^[^\n{]{1,300}\{[^\n]*"method" ?: ?"initialize"')),
)
