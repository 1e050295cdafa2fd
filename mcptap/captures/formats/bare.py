"""Bare JSON-RPC lines: messages one after the other, with nothing that says who sent them.

The sender is assumed by the shape of a message: a request or notification by its method, a
response by the request it answers. A line that is no message shows no sender, and is left
out rather than blamed on someone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.joiner import Joiner
from mcptap.captures.lines import is_message, unknown_header
from mcptap.captures.senders import Senders, refuse_other_protocols
from mcptap.recording.format.model import NOT_JSON, Damaged, Item, Line, RecordingError, parse_line
from mcptap.wire import CLIENT_TO_SERVER

EVIDENCE = Evidence(
    origin="bare JSON-RPC lines",
    times=False,
    directions=False,
    framing=False,
    launch=False,
    process=False,
    status=False,
    stderr=False,
    whole=False,
    assumptions=(
        "who sent a message was assumed from its method, or from the request it answers",
        "lines that are no JSON-RPC message show no sender and were left out",
    ),
)
ONE_SIDE = (
    "only {who} is in it: if that is all that {stream} held, name the file behind "
    "--channel {channel}, and lines that are no messages are judged too"
)


class BareDecoder(Decoder):
    """Decodes bare JSON-RPC lines, also pretty-printed ones."""

    def __init__(self, evidence: Evidence = EVIDENCE) -> None:
        self.header = unknown_header()
        self.evidence = evidence
        self._joiner = Joiner()
        self._senders = Senders()

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The message that this line ends, if it ends one."""
        for first, data in self._joiner.feed(raw.rstrip(b"\r"), number):
            yield from self._item(first, data)

    def finish(self) -> Iterator[Item]:
        """The lines of a message that was never completed."""
        for first, data in self._joiner.finish():
            yield from self._item(first, data)

    def _item(self, number: int, data: bytes) -> Iterator[Item]:
        data = data.strip()
        if not data:
            return
        value = parse_line(data)
        if not is_message(value):
            self.passed_over += data.count(b"\n") + 1
            yield Damaged(number, data, "it is no JSON-RPC message, and nothing says who wrote it")
            return
        line = data.replace(b"\n", b" ").replace(b"\r", b" ")
        yield Line(number, self._senders.sender(value), line, b"\n", 0, 0, 0, value=value)


def messages_of(lines: list[bytes]) -> tuple[list[Any], int]:
    """The messages that stand in these lines, also pretty-printed ones, and how many lines they take."""
    joiner = Joiner()
    texts = [text for number, line in enumerate(lines) for _, text in joiner.feed(line.rstrip(b"\r"), number)]
    texts += [text for _, text in joiner.finish()]
    values = [(parse_line(text), text.count(b"\n") + 1) for text in texts]
    found = [(value, size) for value, size in values if is_message(value)]
    return [value for value, _ in found], sum(size for _, size in found)


def recognise(beginning: Beginning) -> BareDecoder | None:
    """A decoder if most lines are messages, or parts of one that is pretty-printed.

    Raises RecordingError if the messages are of another protocol, or if there are some in a text about them.
    """
    lines = beginning.lines
    values, count = messages_of(lines)
    if not values:
        return BareDecoder() if _begins_pretty_printed(lines) else None
    glued = sum(b'{"jsonrpc"' in line and not line.lstrip().startswith(b"{") for line in lines)
    if 2 * count <= len(lines) - glued:
        raise RecordingError(
            f"is no capture: JSON-RPC messages stand in it, but only {count} of its first {len(lines)} lines "
            "are parts of one; if it is what one side wrote, say which: --channel s2c or c2s"
        )
    refuse_other_protocols(values)
    senders = Senders()
    sides = {senders.sender(value) for value in values}
    if len(sides) > 1 or count == len(lines):
        return BareDecoder()
    is_client = sides == {CLIENT_TO_SERVER}
    note = ONE_SIDE.format(
        who="what the client sends" if is_client else "what the server sends",
        stream="the server's stdin" if is_client else "the server's stdout",
        channel="c2s" if is_client else "s2c",
    )
    return BareDecoder(replace(EVIDENCE, notes=(note,)))


def _begins_pretty_printed(lines: list[bytes]) -> bool:
    """Whether a message begins that is longer than what was looked at."""
    opening = lines[0].strip()
    return (
        opening in (b"{", b"[", b"[{")
        and any(line.strip().startswith(b'"jsonrpc"') for line in lines)
        and parse_line(lines[0]) is NOT_JSON
    )


FORMAT = Format("bare JSON-RPC lines", Certainty.GUESSED, recognise)
