"""Which records a filter lets through: worked out from the columns, in slices, growing with the file."""

from __future__ import annotations

import threading
import time
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator

from mcptap.protocol.model.ids import as_id
from mcptap.protocol.model.message import classify
from mcptap.protocol.model.request import RequestState
from mcptap.query import Query
from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Damaged, Event, Line, Part
from mcptap.tui.index.folding.rowmap import Place
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import ANSWERS, CHANNEL_OF, Kind, State
from mcptap.tui.index.loaded import whole_line
from mcptap.tui.index.rows import event_text
from mcptap.tui.index.searching import chunks, spellings

SLICE = 2048
"""Records looked at before the interpreter is given away: some two milliseconds."""

GROWTH_PAUSE = 0.05
STATUS_OF: dict[State, RequestState] = {
    State.PENDING: RequestState.PENDING,
    State.ANSWERED: RequestState.ANSWERED,
    State.ERROR: RequestState.ERROR,
    State.TOOL_ERROR: RequestState.IS_ERROR,
    State.CANCELLED: RequestState.CANCELLED,
    State.UNANSWERED: RequestState.UNANSWERED,
    State.UNREADABLE: RequestState.UNREADABLE,
}
"""What `status:` says of a request in this state."""

KIND_WORDS = {
    Kind.HEADER: "event",
    Kind.REQUEST: "request",
    Kind.NULL_ID: "request",
    Kind.RESULT: "answer",
    Kind.ERROR: "answer",
    Kind.TOOL_ERROR: "answer",
    Kind.UNREADABLE: "answer",
    Kind.NOTIFICATION: "notification",
    Kind.POLLUTION: "pollution",
    Kind.BLANK: "pollution",
    Kind.BATCH: "batch",
    Kind.STDERR: "stderr",
    Kind.PART: "event",
    Kind.EVENT: "event",
    Kind.DAMAGED: "damaged",
}
"""What `kind:` says."""

NAMED = frozenset(("dir", "kind", "method", "tool"))
"""Fields that hang on nothing but kind, channel and names."""

WITH_ID = frozenset((Kind.REQUEST, Kind.NOTIFICATION, Kind.POLLUTION, *ANSWERS))
"""What may have an id, a cancellation that of what it cancels."""


class IndexRow:
    """The record at `index.…[i]` as a filter sees it; one object serves for all records."""

    def __init__(self, index: RecordIndex) -> None:
        self.index = index
        self.i = 0

    @property
    def channel(self) -> str:
        """The channel it was on."""
        return CHANNEL_OF[self.index.channels[self.i]]

    @property
    def kind(self) -> str:
        """The kind in the words of the filter language."""
        return KIND_WORDS[self.index.kinds[self.i]]  # type: ignore[index]

    @property
    def method(self) -> str | None:
        """The method, for an answer that of its request."""
        return self.index.names[self.index.methods[self.i]] or None

    @property
    def tool(self) -> str | None:
        """The tool that is called or answers."""
        number = self.index.tools[self.i]
        if not number or self.method != "tools/call":
            return None
        return self.index.names[number]

    @property
    def id(self) -> str | None:
        """The JSON-RPC id; the record is read for it."""
        if self.index.kinds[self.i] not in WITH_ID:
            return None
        try:
            record = decode_record(self.index.read(self.i), self.i + 1)
        except OSError:
            return None
        if not isinstance(record, Line):
            return None
        message = classify(record)
        key = message.id
        if message.method == "notifications/cancelled" and message.params is not None:
            key = as_id(message.params.get("requestId"))
        return None if key is None else str(key)

    @property
    def status(self) -> str | None:
        """What became of the request, also for its answer."""
        index, i = self.index, self.i
        if index.kinds[i] in ANSWERS:
            asked = index.partner(i)
            if asked is None:
                return None
            i = asked
        return STATUS_OF.get(index.state(i))

    @property
    def latency_us(self) -> int | None:
        """Microseconds from request to answer."""
        return self.index.latency(self.i)

    @property
    def size(self) -> int:
        """Bytes of the line."""
        return self.index.sizes[self.i]

    @property
    def number(self) -> int:
        """The record number."""
        return self.i + 1

    @property
    def t_us(self) -> int:
        """Microseconds since the start."""
        return self.index.times[self.i]

    def text(self) -> str:
        """The line as it was on the wire; the record is read for it."""
        try:
            if self.index.lines.is_split(self.i):
                whole = whole_line(self.index, self.i)
                return whole[1].decode(errors="replace") if whole is not None else ""
            record = decode_record(self.index.read(self.i), self.i + 1)
        except OSError:
            return ""
        if isinstance(record, Line | Part):
            return record.data.decode(errors="replace")
        if isinstance(record, Event):
            return event_text(record)
        return record.raw.decode(errors="replace") if isinstance(record, Damaged) else ""


class RunningFilter:
    """Fills `picked` with the indices that the query lets through, in a thread, until cancelled.

    `looked_at` records were judged so far. `changed` is called from the thread, at most some
    twenty times a second, and at once for the first hits.
    """

    def __init__(self, index: RecordIndex, query: Query, changed: Callable[[], None]) -> None:
        self.index = index
        self.query = query
        self.picked = array("I")
        """Another one when a line that was under way has ended."""
        self._coming: list[int] = []
        """Those of these lines whose end had not come."""
        self.looked_at = 0
        self._changed = changed
        self._stop = threading.Event()
        self._told = 0.0
        self._thread = threading.Thread(target=self._run, name="filter", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """Stop soon; nothing more is told."""
        self._stop.set()

    def join(self) -> None:
        """Wait until the thread has stopped."""
        self._thread.join()

    @property
    def is_complete(self) -> bool:
        """Whether all records of the file were looked at, also those that are not described yet."""
        return self.looked_at >= len(self.index)

    def _pick(self, found: Iterable[int]) -> None:
        """Take what passed, unless another row shows it; lines of a run stand each for itself here."""
        index = self.index
        if index.lines.are_whole:
            self.picked.extend(found)
            return
        rows = [i for i in found if index.rowmap[i] is not Place.HIDDEN]
        self.picked.extend(rows)
        self._coming += [i for i in rows if index.kinds[i] == Kind.PART]

    def _leave_ended(self) -> bool:
        """Drop lines that had not ended when they passed, and have now: as what they are they pass or not."""
        ended = {i for i in self._coming if self.index.rowmap[i] is Place.HIDDEN}
        if ended:
            self._coming = [i for i in self._coming if i not in ended]
            self.picked = array("I", [i for i in self.picked if i not in ended])
        return bool(ended)

    def _run(self) -> None:
        while not self._stop.is_set():
            before, fewer = self.looked_at, self._leave_ended()
            if self.query.literal is not None:
                self._by_text(self.query.literal)
            else:
                self.advance()
            if fewer or self.looked_at != before:
                self._tell(always=True)
            self._stop.wait(GROWTH_PAUSE)

    def advance(self) -> None:
        """Judge all records that are described and were not judged yet."""
        row = IndexRow(self.index)
        matches = self._matches_by_name(row) or self._matches_each(row)
        while self.looked_at < self.index.described and not self._stop.is_set():
            end = min(self.looked_at + SLICE, self.index.described)
            had = len(self.picked)
            found = matches(self.looked_at, end)
            self._pick(found)
            self.looked_at = end
            self._tell(always=not had and len(self.picked) > 0)
            time.sleep(0.0002)

    def _matches_each(self, row: IndexRow) -> Callable[[int, int], Iterable[int]]:
        """Ask the query about every record from one index up to another."""
        matches = self.query.matches

        def found(start: int, end: int) -> Iterator[int]:
            for row.i in range(start, end):
                if matches(row):
                    yield row.i

        return found

    def _matches_by_name(self, row: IndexRow) -> Callable[[int, int], Iterable[int]] | None:
        """The same where the query looks at nothing but names, of which there are few: each is asked once."""
        if not self.query.fields or not self.query.fields <= NAMED:
            return None
        index, matches = self.index, self.query.matches
        known: dict[tuple[int, ...], bool] = {}

        def found(start: int, end: int) -> Iterator[int]:
            columns = (index.kinds, index.channels, index.methods, index.tools)
            for i, names in enumerate(zip(*(column[start:end] for column in columns), strict=True), start):
                is_match = known.get(names)
                if is_match is None:
                    row.i = i
                    is_match = known[names] = matches(row)
                if is_match:
                    yield i

        return found

    def _by_text(self, text: str) -> None:
        """Plain text is looked for in the bytes: no record is decoded."""
        last = self.index.described
        for end, hits in chunks(self.index, spellings(text), self.looked_at):
            if self._stop.is_set():
                return
            had = len(self.picked)
            if hits and hits[-1] >= last:
                hits = hits[: bisect_left(hits, last)]
            self._pick(hits)
            self.looked_at = min(end, last)
            self._tell(always=not had and len(self.picked) > 0)
            if end >= last:
                break
            time.sleep(0.0002)
        self.looked_at = last

    def _tell(self, *, always: bool = False) -> None:
        now = time.monotonic()
        if (always or now - self._told > 0.05) and not self._stop.is_set():
            self._told = now
            self._changed()
