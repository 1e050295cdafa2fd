"""`mcptap show FILE|latest`: a session as text, or the exact bytes of one channel."""

from __future__ import annotations

import argparse
import os
import select
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass

from rich.cells import cell_len

from mcptap.captures.open import STDIN, Source, open_source
from mcptap.commands.options import BOTH_SIDES, Parser, add_channels, add_unmasked, named
from mcptap.commands.output import tell
from mcptap.diagnosis.beginning import look_ahead
from mcptap.errors import UserError
from mcptap.protocol.model.request import Request
from mcptap.query import Query, QueryError, help_page, parse
from mcptap.query.row import ItemRow
from mcptap.recording import made_here
from mcptap.recording.format.model import Damaged, Event, Item, Line
from mcptap.recording.library import find
from mcptap.recording.reader import State
from mcptap.report.events import event_words
from mcptap.report.transcript import Transcript
from mcptap.text.escape import visible
from mcptap.text.terminal import Terminal
from mcptap.wire import CHANNELS, SERVER_TO_CLIENT

POLL_S = 0.1
"""How often a recording that is followed is looked at."""

ANSWER_FIELDS = frozenset({"status", "latency"})
"""Fields of a request that only its answer tells."""

DELIVERED = "delivered"
"""What `--raw` calls the bytes of s2c that went on to the client."""


def main(arguments: list[str]) -> int:
    """Show a recording; return the exit status."""
    options = _parser().parse_args(arguments)
    query = query_of(options.filter)
    from_stdin = options.recording == STDIN
    options.recording = named(options.recording, options)
    with closing(open_source(find(options.recording, tell))) as source:
        reading = _Reading(source, options.follow and not from_stdin)
        requests: dict[int, Request] = {}
        if query.fields & ANSWER_FIELDS and not reading.follows:
            if from_stdin:
                raise UserError("status: and latency: read a recording twice; standard input can't be")
            requests = _requests(source.path)
        if options.raw:
            _show_raw(source, options.raw, _Selection(query, requests), reading)
        else:
            _show(source, _Selection(query, requests), reading, options)
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap show",
        description="Show a recorded session as text: --> from the client, <-- from the server, "
        "err for stderr, * for events.",
        epilog="filters:\n\n" + help_page(),
    )
    parser.add_argument(
        "recording",
        metavar="FILE|latest",
        help="a recording, the newest one (latest-probe: of mcptap probe), latest~1 for the one before it, "
        f"- for standard input, or {BOTH_SIDES}",
    )
    parser.add_argument("-f", "--follow", action="store_true", help="go on until a live session ends")
    parser.add_argument("--filter", metavar="QUERY", default="", help="only records that match (see below)")
    parser.add_argument("--full", action="store_true", help="do not cut long lines to the terminal's width")
    add_channels(parser)
    add_unmasked(parser)
    parser.add_argument(
        "--raw",
        choices=(*CHANNELS, DELIVERED),
        metavar="CHANNEL",
        help="the exact bytes of c2s, s2c or stderr, and no more; of delivered: what of s2c the client got "
        "(less than s2c only with mcptap run --divert)",
    )
    return parser


def query_of(text: str) -> Query:
    """The filter that a user wrote. Raises UserError, which points at what is wrong in it."""
    try:
        return parse(text)
    except QueryError as error:
        place = cell_len(visible(text[: error.position]))
        raise UserError(str(error), f"    {text}", f"    {' ' * place}^") from error


@dataclass(frozen=True, slots=True)
class _Selection:
    """Which records are shown. `requests`: what became of requests, where the filter asks for it."""

    query: Query
    requests: dict[int, Request]

    def has(self, row: ItemRow) -> bool:
        row.request = self.requests.get(row.number, row.request)
        return self.query.matches(row)


def _show(source: Source, selection: _Selection, reading: _Reading, options: argparse.Namespace) -> None:
    masker = None if options.unmasked else made_here.masker()
    partial, items = look_ahead(
        reading.items(at_pause=lambda: _print_lines(transcript.new_findings())), source.evidence
    )
    transcript = Transcript(source, Terminal(sys.stdout), options.full, masker, partial)
    _print_lines([*transcript.opening(), ""])
    shown = total = 0
    for item in items:
        row = transcript.take(item)
        total += 1
        if selection.has(row):
            shown += 1
            print(transcript.line(row))
    print()
    _print_lines(transcript.closing(reading.state))
    _print_lines(transcript.new_findings())
    if transcript.has_findings and options.recording != STDIN:
        print(f"what to do about it: mcptap check {shlex.quote(options.recording)}")
    if not selection.query.is_empty:
        print(f"{shown:,} of {total:,} records match the filter")


def _print_lines(lines: list[str]) -> None:
    for line in lines:
        print(line)


def _requests(path: str) -> dict[int, Request]:
    """What became of each request in the end, by the record number of the request."""
    requests: dict[int, Request] = {}
    with closing(open_source(path)) as source:
        transcript = Transcript(source, Terminal(sys.stdout))
        reading = _Reading(source, follow=False)
        for item in reading.items():
            row = transcript.take(item)
            if row.request is not None and row.request.number == row.number:
                requests[row.number] = row.request
        transcript.end(reading.state)
    return requests


def _show_raw(source: Source, channel: str, selection: _Selection, reading: _Reading) -> None:
    """Write the bytes of a channel; say on stderr what is missing of them."""
    transcript = None if selection.query.is_empty else Transcript(source, Terminal(sys.stdout))
    if not source.evidence.framing:
        tell(f"the exact bytes are not known from {source.evidence.origin}")
    told = False
    delivered, channel = channel == DELIVERED, SERVER_TO_CLIENT if channel == DELIVERED else channel
    for item in reading.items():
        if isinstance(item, Damaged):
            tell(f"record {item.number} is damaged; its bytes are missing")
        elif isinstance(item, Event) and item.kind == "gap":
            tell(f"bytes are missing at record {item.number}: {event_words(item)}")
        is_wanted = transcript is None or selection.has(transcript.take(item))
        if is_wanted and isinstance(item, Line) and item.channel == channel:
            if not item.is_exact and not told:
                told = True
                tell(_why_not_exact(source, item.number))
            if delivered and source.header.diverts and not item.complete:
                tell(f"whether the client got record {item.number}, which never ended, is not known")
                continue
            sys.stdout.buffer.write(item.delivered if delivered else item.raw)


def _why_not_exact(source: Source, number: int) -> str:
    if source.header.is_masked:
        return f"secrets in it were masked: from record {number} on, not all bytes are those that passed"
    return (
        f"another program rewrote this recording: from record {number} on, messages are encoded anew, and "
        "are not the exact bytes"
    )


class _Reading:
    """Reads a recording to its end; following, until the session ends."""

    def __init__(self, source: Source, follow: bool) -> None:
        self._source = source
        self.follows = follow
        self.state = State.UNKNOWN
        """What became of the session, once all was read."""

    def items(self, at_pause: Callable[[], None] | None = None) -> Iterator[Item]:
        """All items, at last the lines whose end never came.

        `at_pause` is called when there is nothing more to read for now.
        """
        source = self._source
        while True:
            yield from source.items()
            self.state = source.state()
            if self.follows:
                _require_same_file(source)
            if not (self.follows and self.state is State.LIVE):
                break
            if at_pause is not None:
                at_pause()
            sys.stdout.flush()
            _wait_for_more()
        yield from source.unfinished()


def _require_same_file(source: Source) -> None:
    """Raises UserError if the file is no longer the one that is read: its state would be another's."""
    if not source.evidence.process:
        return  # a capture of another tool does not grow
    try:
        size = os.stat(source.path).st_size
    except OSError as error:
        raise UserError(f"{source.path} is gone: {error.strerror}; nothing more can be followed") from error
    if size < source.position:
        raise UserError(f"{source.path} was cut or replaced while it was read; show it again")


def _wait_for_more() -> None:
    """Wait a moment. Raises BrokenPipeError at once when nobody reads our output any more."""
    if not hasattr(select, "poll"):  # Windows
        time.sleep(POLL_S)
        return
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    if any(happened & select.POLLERR for _, happened in poll.poll(POLL_S * 1000)):
        raise BrokenPipeError
