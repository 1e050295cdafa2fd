"""Files that hold the bytes of one channel each, as `tee` or a redirection writes them: `s2c=stdout.tee`.

Such a file says nothing of whose side it is; who names it so says it. Then every byte is known: text on
stdout, text glued to a message, a byte-order mark, the ends of lines. Several are named with commas
between them, `c2s=stdin.tee,s2c=stdout.tee`: one session, of which only the order within each channel
is known.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator

from mcptap.captures.evidence import Evidence
from mcptap.captures.lines import unknown_header
from mcptap.recording.format.model import NOT_JSON, Damaged, Header, Item, Line, RecordingError, parse_line
from mcptap.recording.reader import BLOCK, MAX_RECORD, ByteStream, State
from mcptap.text.enumeration import listed
from mcptap.wire import CHANNELS, CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR, cut_lines, split_terminator

_NAMED = re.compile(rf"({'|'.join(CHANNELS)})=(.+?)(?=,(?:{'|'.join(CHANNELS)})=|$)", re.DOTALL)
LOOK_AHEAD = 10_000
"""So many lines of the client are looked through for the request that an answer is to."""

STREAMS = {
    CLIENT_TO_SERVER: "stdin",
    SERVER_TO_CLIENT: "stdout",
    STDERR: "stderr",
}


def named_channels(path: str) -> dict[str, str]:
    """The file of each channel in `c2s=FILE,s2c=FILE`; empty if the path is not of this form, or is a file.

    Raises RecordingError if a channel is named twice.
    """
    if os.path.lexists(path):
        return {}
    found = list(_NAMED.finditer(path))
    if not found or found[0].start() or sum(len(one[0]) for one in found) + len(found) - 1 != len(path):
        return {}
    channels = {one[1]: one[2] for one in found}
    if len(channels) < len(found):
        raise RecordingError(
            f"{path}: names a channel twice; a session has one file for each of {listed(CHANNELS)}"
        )
    return channels


class ChannelsReader:
    """Reads such files as one session, with the interface of a recording's reader."""

    passed_over = 0
    lock = None

    def __init__(self, path: str, streams: dict[str, ByteStream]) -> None:
        self.path = path
        self.header: Header = unknown_header()
        self.position = 0
        self.lines = 0
        self._streams = streams
        self._number = 0
        self._ended = False
        held = [channel for channel in CHANNELS if channel in streams]
        both = CLIENT_TO_SERVER in streams and SERVER_TO_CLIENT in streams
        assumptions = ["each file holds all bytes of its channel and no others"]
        if len(streams) > 1:
            assumptions.append(
                "record numbers count the lines of the files, as they may have followed each other"
            )
        self.evidence = Evidence(
            origin=f"the bytes of the server's {listed([STREAMS[one] for one in held])}",
            times=False,
            order=False,
            launch=False,
            process=False,
            status=False,
            stderr=STDERR in streams,
            client=CLIENT_TO_SERVER in streams,
            server=SERVER_TO_CLIENT in streams,
            whole=both,
            assumptions=tuple(assumptions),
        )

    def items(self) -> Iterator[Item]:
        """All lines, in an order in which no answer stands before its request."""
        if self._ended:
            return
        self._ended = True
        for number, item in enumerate(self._merged(), 1):
            item.number = number
            yield item

    def unfinished(self) -> list[Line]:
        """None: a last line without its end is a line, too, when the file is at its end."""
        return []

    def state(self) -> State:
        """Not known."""
        return State.UNKNOWN

    def close(self) -> None:
        """Close the files."""
        for stream in self._streams.values():
            stream.close()

    def _merged(self) -> Iterator[Line | Damaged]:
        client = _Ahead(self._read(CLIENT_TO_SERVER))
        yield from client.up_to_request()
        for item in self._read(SERVER_TO_CLIENT):
            answers = _answered(item)
            if answers is not None:
                yield from client.up_to(answers)
            yield item
            if answers is not None:
                yield from client.up_to_request()
        yield from client.rest()
        yield from self._read(STDERR)

    def _read(self, channel: str) -> Iterator[Line | Damaged]:
        stream = self._streams.get(channel)
        pending, too_long = bytearray(), False
        while stream is not None and (block := stream.read(BLOCK)):
            self.position += len(block)
            for piece in cut_lines(block):
                if not too_long:
                    pending += piece
                if piece.endswith(b"\n"):
                    yield self._item(channel, bytes(pending), too_long)
                    pending, too_long = bytearray(), False
                elif len(pending) > MAX_RECORD:
                    pending, too_long = bytearray(), True
        if pending or too_long:
            yield self._item(channel, bytes(pending), too_long)

    def _item(self, channel: str, raw: bytes, too_long: bool) -> Line | Damaged:
        self.lines += bool(raw.strip()) or too_long
        if too_long:
            return Damaged(0, b"", f"it is longer than {MAX_RECORD >> 20} MiB")
        data, eol = split_terminator(raw)
        return Line(0, channel, data, eol, 0, 0, 0)


class _Ahead:
    """The client's lines, of which some are looked at before they are given."""

    def __init__(self, lines: Iterator[Line | Damaged]) -> None:
        self._lines = lines
        self._seen: deque[Line | Damaged] = deque()
        self._given: set[str] = set()
        """Ids of requests that were given and not answered since."""

    def up_to_request(self) -> Iterator[Line | Damaged]:
        """Lines until one is a request; none from a response on, whose request may not have come yet."""
        while (line := self._next()) is not None:
            if _answered(line) is not None:
                self._seen.appendleft(line)
                return
            asks = _asked(line)
            yield self._give(line)
            if asks is not None:
                return

    def up_to(self, identifier: str) -> Iterator[Line | Damaged]:
        """Lines until the request with this id; none if it was given, or is not among those that follow."""
        if identifier in self._given:
            self._given.discard(identifier)
            return
        place = 0
        while place < LOOK_AHEAD:
            if place == len(self._seen):
                line = next(self._lines, None)
                if line is None:
                    return
                self._seen.append(line)
            place += 1
            if _asked(self._seen[place - 1]) == identifier:
                for _ in range(place):
                    yield self._give(self._seen.popleft())
                self._given.discard(identifier)
                return

    def rest(self) -> Iterator[Line | Damaged]:
        """All that are left."""
        while (line := self._next()) is not None:
            yield line

    def _next(self) -> Line | Damaged | None:
        return self._seen.popleft() if self._seen else next(self._lines, None)

    def _give(self, line: Line | Damaged) -> Line | Damaged:
        asks = _asked(line)
        if asks is not None:
            self._given.add(asks)
        return line


def _asked(item: Line | Damaged) -> str | None:
    """The id of a request, told from others of its type; None if the line is none."""
    value = item.value if isinstance(item, Line) else None
    return repr(value["id"]) if isinstance(value, dict) and "id" in value and "method" in value else None


def _answered(item: Line | Damaged) -> str | None:
    """The id that a response names, also one behind text that is glued to it; None if the line is none."""
    if not isinstance(item, Line):
        return None
    value = item.value
    if value is NOT_JSON and (begin := item.data.find(b'{"jsonrpc"')) > 0:
        value = parse_line(item.data[begin:])
    is_answer = isinstance(value, dict) and "id" in value and ("result" in value or "error" in value)
    return repr(value["id"]) if is_answer else None
