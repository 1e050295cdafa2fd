"""What a list of sessions says about each: quick, so that hundreds can be listed.

A small file is read whole. Of a big one only its head, its tail and a few places between are
read, and the number of its messages is an estimate.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from mcptap.captures.sections import selected
from mcptap.protocol.model.message import MESSAGES, Message, classify
from mcptap.protocol.revisions.names import META_CLIENT_INFO
from mcptap.recording.format.decode import MAX_HEADER, decode_header, decode_record
from mcptap.recording.format.model import (
    Damaged,
    Event,
    Header,
    Item,
    Line,
    Record,
    RecordingError,
    as_object,
)
from mcptap.recording.library import header_of
from mcptap.recording.reader import State, is_locked, state_of
from mcptap.wire import CLIENT_TO_SERVER, STDERR

if TYPE_CHECKING:
    from mcptap.captures.open import Source

WHOLE_BYTES = 1 << 19
"""A file of at most so many bytes is read whole, and judged."""

PROBE_BYTES = 1 << 16
"""So much is read at each place of a big file that is looked at."""
SIBLING_US = 5_000_000
"""A client that probes in a process of its own starts the real one at most so long after."""

DISCOVER = "server/discover"


@dataclass(frozen=True, slots=True)
class Summary:
    """One recording in a list."""

    path: str
    size: int
    """Bytes of the file."""
    header: Header
    state: State
    length_us: int
    """From the start to the last record; of a live session to now."""
    messages: int
    """How many requests, notifications and responses passed, in both directions."""
    is_exact: bool
    """Whether `messages` was counted; else it is an estimate from parts of a big file."""
    client_name: str = ""
    """As the client called itself; empty if it did not (yet)."""
    client_version: str = ""
    is_probe: bool = False
    """Whether the client asked nothing but `server/discover`."""
    problems: Mapping[str, int] | None = None
    """Findings by level (`error`, `warning`, `info`); None if the file was not judged.

    Whoever lists sessions fills in what follows: judging is not the business of this layer, and a
    big file takes its time.
    """
    outcome: str = ""
    """What the session came to (a word of `diagnosis.explain.outcome`); empty if it was not judged."""
    verdict: str = ""
    """The same in a sentence or two; empty if it was not judged."""
    remedy: str = ""
    """What to do about the first of the findings; may be empty."""
    open: int = 0
    """How many requests waited for their answer when it was judged."""
    origin: str = ""
    """What it is, if no recording of mcptap but a capture of another tool."""

    @property
    def name(self) -> str:
        """The server's name."""
        return self.header.name

    @property
    def start_wall_us(self) -> int:
        """When the session started, in microseconds since 1970."""
        return self.header.start_wall_us

    @property
    def parent_name(self) -> str:
        """The process that started the tap, where it could be read."""
        name: str = self.header.parent.get("name", "")
        return name

    @property
    def client(self) -> str:
        """The client by name and version, or what a probe was for, else its process in parentheses."""
        if self.header.probe:
            return f"mcptap probe: {self.header.probe}"
        if self.client_name:
            return f"{self.client_name} {self.client_version}".rstrip()
        return f"({self.parent_name})" if self.parent_name else ""


def summarise(path: str) -> Summary:
    """Sum up one recording. Raises RecordingError if the file is none."""
    locked = is_locked(path)
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            is_whole = status.st_size <= WHOLE_BYTES
            # A header with long arguments is longer than a probe.
            head = file.readline(MAX_HEADER) + file.read(WHOLE_BYTES if is_whole else PROBE_BYTES)
            probes = [] if is_whole else [_probe(file, at) for at in _positions(status.st_size)]
    except OSError as error:
        raise RecordingError(f"{path}: cannot be opened: {error.strerror}") from error
    if not head:
        raise RecordingError(f"{path}: is empty: nothing was recorded")
    first, _, rest = head.partition(b"\n")
    try:
        header = decode_header(first)
    except RecordingError as error:
        raise RecordingError(f"{path}: {error}") from error
    counts = _Counts()
    counts.read(rest)
    messages = counts.messages
    if not is_whole:
        for probe in probes:
            counts.last_us = 0  # only the tail's counts
            counts.read(probe, begins_inside=True)
        messages = counts.estimate(status.st_size)
    state = state_of(locked, counts.ended, header, end_is_damaged=counts.end_is_damaged)
    now_us = time.time_ns() // 1000
    if state is State.LIVE:
        length_us = max(0, now_us - header.start_wall_us)
    elif counts.last_us:
        length_us = counts.last_us
    else:
        length_us = max(0, int(status.st_mtime * 1_000_000) - header.start_wall_us)
    return Summary(
        path,
        status.st_size,
        header,
        state,
        length_us,
        messages,
        is_whole,
        *counts.client,
        is_probe=is_whole and counts.methods == {DISCOVER},
    )


def summarise_any(path: str) -> Summary:
    """Sum up a recording, or what another tool captured. Raises RecordingError if it is neither."""
    return summarise(path) if header_of(path) is not None else summarise_capture(path)


def summarise_capture(path: str) -> Summary:
    """Sum up what another tool captured, of a long one its beginning.

    Raises RecordingError if it is no capture, or no message is in it.
    """
    from mcptap.captures.open import open_source  # with all formats: few lists have a capture in them

    with closing(open_source(path)) as source:
        return _of_source(path, source, os.stat(selected(path)[0]).st_size)


def summarise_sessions(path: str) -> list[Summary]:
    """Sum up each session of what another tool captured, of a long file the last; those without messages not.

    Raises RecordingError if it is no capture, or no message is in it.
    """
    from mcptap.captures.open import open_sources

    size = os.stat(path).st_size
    if size > WHOLE_BYTES:
        return [summarise_capture(path)]
    found, why = [], RecordingError(f"{path}: no message is in it")
    for source in open_sources(path):
        with closing(source):
            try:
                found.append(_of_source(source.path, source, size))
            except RecordingError as error:
                why = error
    if not found:
        raise why
    return found


def _of_source(path: str, source: Source, size: int) -> Summary:
    """Sum up one session. Raises RecordingError if no message is in it, nor how it ended."""
    counts = _Counts()
    read = 0
    for item in source.items():
        if read and source.position > read:
            is_whole = False
            break
        counts.look(item)
        if source.position > WHOLE_BYTES:
            read = source.position  # to the end of this block
    else:
        is_whole = True
    if not counts.messages and not counts.ended:  # a server that could not be started says nothing
        raise RecordingError(f"{path}: no message is in it")
    return Summary(
        path,
        size,
        source.header,
        source.state() if is_whole else State.UNKNOWN,
        counts.last_us,
        counts.messages if is_whole else round(counts.messages * size / read),
        is_whole,
        *counts.client,
        origin=source.evidence.origin,
    )


class _Counts:
    """What the records that were looked at tell."""

    def __init__(self) -> None:
        self.messages = 0
        self.last_us = 0
        self.ended = self.end_is_damaged = False
        self.client = ("", "")
        self.methods: set[str] = set()
        """Methods of the client's requests; what is no request counts as an empty one."""
        self._bytes = 0

    def read(self, data: bytes, begins_inside: bool = False) -> None:
        """Look at the whole records of a piece of the file; what is cut off at its ends is left out."""
        lines = data.split(b"\n")
        lines.pop()
        self._bytes += len(data)
        for number, raw in enumerate(lines[1:] if begins_inside else lines, 2):
            self.look(decode_record(raw, number))

    def estimate(self, size: int) -> int:
        """How many messages there may be in so many bytes, if all are like those that were read."""
        return round(self.messages * size / max(1, self._bytes))

    def look(self, record: Record | Item) -> None:
        """Take a record, or what became of some."""
        self.end_is_damaged = isinstance(record, Damaged)
        if isinstance(record, Line | Event):
            self.last_us = record.t_us
        if isinstance(record, Event):
            self.ended = self.ended or record.ends_session
        elif isinstance(record, Line) and record.channel != STDERR:
            message = classify(record)
            self.messages += message.kind in MESSAGES
            if record.channel == CLIENT_TO_SERVER:
                self.methods.add(message.method)
                if not self.client[0]:
                    self.client = _client(message)


def _positions(size: int) -> list[int]:
    """Where to look into a big file behind its head: quarters, and last its tail."""
    tail = max(PROBE_BYTES, size - PROBE_BYTES)
    between = [size * quarter // 4 for quarter in (1, 2, 3)]
    return [place for place in between if PROBE_BYTES <= place < tail - PROBE_BYTES] + [tail]


def _probe(file: BinaryIO, at: int) -> bytes:
    file.seek(at)
    return file.read(PROBE_BYTES)


def _client(message: Message) -> tuple[str, str]:
    """Name and version as the client tells them in `initialize`, or in the `_meta` of a stateless request."""
    info = as_object((message.params or {}).get("clientInfo") or message.meta.get(META_CLIENT_INFO))
    name, version = info.get("name"), info.get("version")
    return name if isinstance(name, str) else "", version if isinstance(version, str) else ""


def with_probes(summaries: Iterable[Summary]) -> list[tuple[Summary, list[Summary]]]:
    """Sessions, newest first, each with the probes that its client made in processes of their own.

    A TypeScript client of version 2 that may speak either era starts the server once to ask
    `server/discover`, and once more for the session. A probe that no session followed stands
    for itself.
    """
    newest = sorted(summaries, key=lambda s: s.start_wall_us, reverse=True)
    sessions: list[tuple[Summary, list[Summary]]] = []
    for summary in newest:
        owner = next((probes for one, probes in _followers(summary, sessions)), None)
        if owner is None:
            sessions.append((summary, []))
        else:
            owner.append(summary)
    return sessions


def _followers(
    probe: Summary, later: list[tuple[Summary, list[Summary]]]
) -> Iterator[tuple[Summary, list[Summary]]]:
    """The sessions that may be what this probe was made for, the nearest first."""
    parent = probe.header.parent.get("pid")
    if not probe.is_probe or parent is None:
        return
    latest = probe.start_wall_us + probe.length_us + SIBLING_US
    for session, probes in reversed(later):
        if session.start_wall_us > latest:
            return
        same = session.name == probe.name and session.header.parent.get("pid") == parent
        if same and not session.is_probe:
            yield session, probes
