"""The calls that a filter lets through, sorted: worked out in a thread, in slices, growing with the file."""

from __future__ import annotations

import threading
import time
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable

from mcptap.query import Query
from mcptap.tui.calls.rows import CallRow, Rows, Wanted
from mcptap.tui.calls.sorting import SLICE, Sort, order
from mcptap.tui.calls.spans import REQUESTS, Moment, answer_of
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import State
from mcptap.tui.index.searching import forward, spellings

BREATH, WORK = 0.0002, 0.002
"""Seconds for which the interpreter is given away, and after how much work."""

TELL = 0.05
"""Seconds between tellings while rows are still found."""

REST = 4
"""What comes meanwhile waits so many times as long as the work took: it may have a fifth of a processor."""

SAME_FOR_BOTH = frozenset({"method", "tool", "status", "latency", "id"})
"""Fields that request and answer share: the answer need not be looked at."""

REMEMBERED = frozenset({"method", "tool", "status"})
"""Fields of few values: what a filter says of them together is worked out once."""


class _OutdatedError(Exception):
    """Something else is wanted by now."""


class RunningCalls:
    """Keeps `rows` up to date in a thread. `changed` is called from there when they are others.

    The moment may change at any time (`grown`); what is wanted by `ask`, which ends what is under way.
    """

    def __init__(self, index: RecordIndex, changed: Callable[[], None]) -> None:
        self.index = index
        self.rows = Rows(Wanted())
        self.is_busy = True
        self._changed = changed
        self._wanted = self.rows.wanted
        self._moment = Moment()
        self._stopped = False
        self._wake, self._asked = threading.Event(), threading.Event()
        self._rest_until = self._told_at = 0.0
        self._requests = array("I")
        """All requests that are known."""
        self._scanned = 0
        self._picked = array("I")
        """What of them passes the filter `_picked_for`."""
        self._picked_for: Query | None = None
        self._picked_now: int | None = None
        self._judged = 0
        """How many of the requests were judged."""
        self._searched = 0
        """How many records were searched, if the filter is a piece of text."""
        self._memo: dict[tuple[int, int, State], bool] = {}
        """What the filter says of a method, a tool and a state, if it asks for no more."""
        self._open: list[int] = []
        """Those judged that had no answer then: what becomes of them may let them pass, or not."""
        self._thread = threading.Thread(target=self._run, name="calls", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._wake.set()
        self._thread.start()

    def cancel(self) -> None:
        """Stop soon; nothing more is told."""
        self._stopped = True
        self._asked.set()
        self._wake.set()

    def join(self) -> None:
        """Wait until the thread has stopped."""
        self._thread.join()

    def ask(self, wanted: Wanted) -> None:
        """Show these calls from now on, as soon as they are worked out."""
        self._wanted = wanted
        self.is_busy = True
        self._asked.set()
        self._wake.set()

    def grown(self, moment: Moment) -> None:
        """There may be more records, or it is another moment."""
        self._moment = moment
        self._wake.set()

    def _run(self) -> None:
        while not self._stopped:
            self._wake.wait()
            self._asked.wait(max(0.0, self._rest_until - time.monotonic()))
            self._wake.clear()
            self._asked.clear()
            try:
                self.work()
            except _OutdatedError:
                self._wake.set()

    def work(self) -> None:
        """Bring `rows` up to date once."""
        wanted, moment = self._wanted, self._moment
        begun = time.monotonic()

        slept = begun

        def breathe() -> None:
            nonlocal slept
            if self._stopped or self._wanted is not wanted:
                raise _OutdatedError
            if time.monotonic() - slept > WORK:
                time.sleep(BREATH)
                self._tell_progress(wanted)
                slept = time.monotonic()

        self._scan(breathe)
        calls = self._pick(wanted, moment, breathe)
        rows = Rows(wanted, order(self.index, calls, wanted.sort, moment, breathe))
        if self._stopped or self._wanted is not wanted:
            raise _OutdatedError
        self.rows = rows
        self.is_busy = False
        self._rest_until = time.monotonic() + REST * (time.monotonic() - begun)
        self._changed()

    def _tell_progress(self, wanted: Wanted) -> None:
        """Show what was found so far, where its order is that in which it is found."""
        if wanted.sort is Sort.TIME and time.monotonic() - self._told_at > TELL:
            self._told_at = time.monotonic()
            found = self._requests if wanted.query.is_empty else self._picked
            if self._moment.now is None and self._picked_for in (None, wanted.query):
                self.rows = Rows(wanted, found)
                self._changed()

    def _scan(self, breathe: Callable[[], None]) -> None:
        """Find the requests among the records that were described since the last time."""
        index, requests = self.index, self._requests
        while self._scanned < index.described:
            end = min(self._scanned + 8 * SLICE, index.described)
            found: list[int] = []
            for kind in REQUESTS:
                at = index.kinds.find(kind, self._scanned, end)
                while at >= 0:
                    found.append(at)
                    at = index.kinds.find(kind, at + 1, end)
            requests.extend(sorted(found))
            self._scanned = end
            breathe()

    def _pick(self, wanted: Wanted, moment: Moment, breathe: Callable[[], None]) -> array[int]:
        """The calls that have been made and that the filter lets through."""
        requests, query = self._requests, wanted.query
        end = len(requests) if moment.now is None else bisect_right(requests, moment.now)
        if query.is_empty:
            self._picked_for = None
            return requests if moment.now is None else requests[:end]
        if query is not self._picked_for or _is_earlier(moment.now, self._picked_now):
            self._picked, self._judged, self._searched, self._open, self._memo = array("I"), 0, 0, [], {}
            self._picked_for = query
        self._picked_now = moment.now
        if query.literal is not None:
            return self._pick_by_text(query.literal, moment, breathe)
        passes = self._judge(query, moment)
        self._judge_open(passes, moment)
        refs, last = self.index.refs, moment.last(self.index) + 1
        while self._judged < end:
            stop = min(self._judged + SLICE // 2, end)
            judged = requests[self._judged : stop]
            self._open += [i for i in judged if not 0 < refs[i] <= last]
            self._picked.extend([i for i in judged if passes(i)])
            self._judged = stop
            breathe()
        return self._picked

    def _pick_by_text(self, text: str, moment: Moment, breathe: Callable[[], None]) -> array[int]:
        """The calls of which a half holds the text: looked for in the bytes, without decoding."""
        index, picked = self.index, self._picked
        end = moment.last(index) + 1
        for i in forward(index, spellings(text), self._searched):
            if i is None:
                breathe()
                continue
            if i >= end:
                break
            self._searched = i + 1
            request = i if index.kinds[i] in REQUESTS else index.refs[i] - 1
            if request != i and (request < 0 or answer_of(index, request, moment) != i):
                continue
            y = bisect_left(picked, request)
            if y == len(picked) or picked[y] != request:
                picked.insert(y, request)
        self._searched = end
        return picked

    def _judge_open(self, passes: Judge, moment: Moment) -> None:
        """Judge once more what had no answer when it was judged."""
        picked, is_shown = self._picked, True
        for i in self._open:
            y = bisect_left(picked, i)
            had = y < len(picked) and picked[y] == i
            if passes(i) == had:
                continue
            if is_shown:  # what a row may be read from this moment must not become shorter
                picked, is_shown = array("I", picked), False
            if had:
                del picked[y]
            else:
                picked.insert(y, i)
        self._picked = picked
        self._open = [i for i in self._open if answer_of(self.index, i, moment) is None]

    def _judge(self, query: Query, moment: Moment) -> Judge:
        """Whether the filter lets a request through, or its answer."""
        index, row, matches = self.index, CallRow(self.index, moment), query.matches
        methods, tools, memo, now = index.methods, index.tools, self._memo, moment.now
        needs_state = "status" in query.fields

        def by_few_values(i: int) -> bool:
            key = (methods[i], tools[i], index.state(i, now) if needs_state else State.NONE)
            passes = memo.get(key)
            if passes is None:
                row.i = i
                passes = memo[key] = matches(row)
            return passes

        def by_request(i: int) -> bool:
            row.i = i
            return matches(row)

        def by_both(i: int) -> bool:
            row.i = i
            if matches(row):
                return True
            answer = answer_of(index, i, moment)
            if answer is None:
                return False
            row.i = answer
            return matches(row)

        if query.fields <= REMEMBERED:
            return by_few_values
        return by_request if query.fields <= SAME_FOR_BOTH else by_both


Judge = Callable[[int], bool]
"""Whether the call of the request at this index is let through."""


def _is_earlier(now: int | None, than: int | None) -> bool:
    """Whether the moment lies before the other; None is the end."""
    if now is None:
        return False
    return than is None or now < than
