"""Makes the index of a recording, batch by batch, and goes on as the file grows.

It runs in a process of its own (`python -m mcptap.tui.index.indexer FILE`) and writes pickled reports
to its stdout. In a thread of the screen's process it would take the interpreter from the screen
for a quarter of a minute on a million records. The child costs some 30 MiB while the recording
is open, and gives the second core something to do.

First the places of all records (a second for a million), so that one can go anywhere at once;
then each is decoded, paired and judged.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import threading
import time
from array import array
from collections.abc import Callable
from typing import Any

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.protocol.model.message import RESPONSE, Message
from mcptap.protocol.model.request import Request
from mcptap.protocol.statistics.counts import Statistics
from mcptap.recording.format.decode import decode_header, decode_record
from mcptap.recording.format.model import Damaged, Event, Header, Line, Record, RecordingError
from mcptap.recording.reader import Assembler, is_locked, state_of
from mcptap.tui.index.batch import Batch, batch_to_wire
from mcptap.tui.index.declared import Declared
from mcptap.tui.index.describer import Describer
from mcptap.tui.index.index import read_at
from mcptap.tui.index.judging import judgement_of

BLOCK = 1 << 20
FIRST_BATCH = 256
BATCH_SIZE = 4096
JUDGE_PAUSE = 1.0
"""At most so often (in seconds) the findings so far are worked out and reported."""

LIVE_PAUSE = 0.04
IDLE_PAUSE = 0.2

Report = tuple[Any, ...]
"""`("offsets", bytes)`, `("names", [..])`, `("batch", ...)`, `("status", {...})`, `("findings", ...)`,
`("fineness", µs)` if times are coarse (0: there are none), and
`("one-sided", True)` if what the client sent, or all of the session, is not recorded."""


class Indexer:
    """Reads one file and reports; `report` is called with each `Report` in order."""

    def __init__(self, path: str, report: Callable[[Report], None], *, is_probe: bool = False) -> None:
        self.path = path
        self._is_probe = is_probe
        self._report = report
        self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        status = os.fstat(self._fd)
        self._identity = (status.st_dev, status.st_ino)
        self._scanned = 0
        self._whole_to = 0
        """Where the last record ends that was scanned whole."""
        self._described_to = 0
        self._number = 0
        self._describer = Describer()
        self._assembler = Assembler()
        self._diagnosis = Diagnosis()
        self._statistics = Statistics()
        self._declared = Declared()
        self._judged = 0
        """The record number at the last report of findings."""
        self._judged_at = 0.0
        self._waits = False
        """Whether a request waited then, so that the verdict ages without a new record."""
        self._is_final = False
        self._end_is_damaged = False
        self._last_status: dict[str, Any] = {}

    def run(self) -> None:
        """Index what is there and go on as it grows, until the file is replaced or cut."""
        while True:
            grew = self.step()
            if not grew:
                live = is_locked(self.path)
                self.report_status(complete=True, live=live)
                self.judge(live=live)
                time.sleep(LIVE_PAUSE if live or self._recently_grown() else IDLE_PAUSE)
            trouble = self._trouble()
            if trouble:
                self.report_status(complete=True, live=False, trouble=trouble)
                if trouble != "deleted":
                    return

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def _recently_grown(self) -> bool:
        return time.time() - os.fstat(self._fd).st_mtime < 5

    def step(self) -> bool:
        """Report what is new in the file now; whether there was anything."""
        grew = self.scan()
        self.describe()
        return grew

    def scan(self) -> bool:
        """Report the ends of the records that were added since the last time."""
        grew = False
        while True:
            data = read_at(self._fd, BLOCK, self._scanned)
            if not data:
                return grew
            ends = array("Q")
            at, base, add = -1, self._scanned + 1, ends.append
            while (at := data.find(b"\n", at + 1)) >= 0:
                add(base + at)
            self._scanned += len(data)
            if ends:
                grew = True
                self._whole_to = ends[-1]
                self._report(("offsets", ends.tobytes()))

    def describe(self) -> None:
        """Report the columns of all records that were scanned and not yet described."""
        limit = FIRST_BATCH
        batch = Batch(self._number)
        begun = time.monotonic()
        while data := self._next_records():
            at = 0
            while at < len(data):
                end = data.index(b"\n", at) + 1
                self._number += 1
                self._take(batch, data[at:end])
                at = end
                if len(batch) >= limit:
                    self._flush(batch)
                    batch = Batch(self._number)
                    limit = BATCH_SIZE
            self._described_to += len(data)
            if time.monotonic() - begun > LIVE_PAUSE:
                # A live file goes on growing while its past is worked through.
                begun = time.monotonic()
                if begun - self._judged_at > 4 * JUDGE_PAUSE:
                    self.report_findings()
                self.scan()
        if batch:
            self._flush(batch)

    def _next_records(self) -> bytes:
        """The next whole records that were scanned and not described: some, or a large one alone."""
        length = BLOCK
        while True:
            wanted = min(length, self._whole_to - self._described_to)
            data = read_at(self._fd, wanted, self._described_to)
            end = data.rfind(b"\n") + 1
            if end or not wanted or len(data) < wanted:
                return data[:end]  # nothing where the file was cut meanwhile: `run` will say so
            length *= 4

    def _take(self, batch: Batch, raw: bytes) -> None:
        """Decode, judge and describe one record."""
        record: Record
        if self._number == 1:
            try:
                record = decode_header(raw)
            except RecordingError:
                record = Header({})
            self._diagnosis = Diagnosis(record, sibling=True if self._is_probe else None)
            evidence = self._diagnosis.evidence
            fineness_us = evidence.fineness_us if evidence.times else 0
            if fineness_us != 1:
                self._statistics.fineness_us = fineness_us
                self._report(("fineness", fineness_us))
            if not (evidence.client and evidence.whole):
                self._report(("one-sided", True))
        else:
            record = decode_record(raw, self._number)
        self._end_is_damaged = isinstance(record, Damaged)
        item = self._assembler.feed(record)
        if item is not None:
            message = self._diagnosis.feed(item)
            if message is not None:
                self._declared.take(message)
                self._statistics.feed(message)
                is_rest = isinstance(record, Line) and record.offset > 0
                self._describer.add_line(batch, message, self._lost(message), is_rest=is_rest)
                return
            if isinstance(item, Event):
                self._statistics.feed_event(item)
        if isinstance(record, Line):
            self._describer.lose(record.channel)
        self._describer.add_other(batch, record if item is None else item, len(raw))

    def _lost(self, message: Message) -> list[Request]:
        """The requests that a line answers although it is no response: nobody can read that."""
        if not message.lost or message.kind is RESPONSE:
            return []
        unreadable = self._diagnosis.session.requests.unreadable_last
        return [request for request in unreadable if request.answer == message.number]

    def judge(self, *, live: bool) -> None:
        """Report the findings if there may be new ones and the last report is not too fresh."""
        if self._is_final:
            return
        if not live:
            header = self._diagnosis.session.header or Header({})
            ended = self._describer.ended_us is not None
            state = state_of(False, ended, header, end_is_damaged=self._end_is_damaged)
            self._diagnosis.finish(state, self._assembler.unfinished())
            self._is_final = True
            self.report_findings()
        elif time.monotonic() - self._judged_at > JUDGE_PAUSE and (
            self._waits or self._judged != self._number
        ):
            self._diagnosis.session.note_present(time.time_ns() // 1000)
            self.report_findings()

    def report_findings(self) -> None:
        """Report what can be said so far."""
        self._judged, self._judged_at = self._number, time.monotonic()
        judgement = judgement_of(self._diagnosis, self._statistics, self._declared, final=self._is_final)
        self._waits = judgement.waits
        self._report(("findings", judgement))

    def _flush(self, batch: Batch) -> None:
        if self._describer.new_names:
            self._report(("names", self._describer.new_names))
            self._describer.new_names = []
        self._report(("batch", batch_to_wire(batch)))

    def report_status(self, *, complete: bool, live: bool, trouble: str = "") -> None:
        """Report the state of the session if it differs from the last report."""
        ended = self._describer.ended_us
        if ended is None and not live:
            ended = self._describer.last_us
        status = {
            "complete": complete,
            "live": live,
            "exited": self._describer.ended_us is not None,
            "end_known": self._diagnosis.evidence.process,
            "ended_us": ended,
            "trouble": trouble,
        }
        if status != self._last_status:
            self._last_status = status
            self._report(("status", status))

    def _trouble(self) -> str:
        """`deleted`, `replaced` or `truncated`, if that befell the file."""
        try:
            status = os.stat(self.path)
        except OSError:
            return "deleted"
        if (status.st_dev, status.st_ino) != self._identity:
            return "replaced"
        return "truncated" if status.st_size < self._scanned else ""


def _leave_with_the_screen() -> None:
    """End the process when the screen's end of stdin is closed: it may have been killed."""
    sys.stdin.buffer.read()
    os._exit(0)


def main(path: str, *, is_probe: bool) -> int:
    """Index the file and write reports to stdout until that is closed."""
    out = sys.stdout.buffer
    # Records make no cycles worth looking for; the collector would walk through them all the same.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)

    def report(what: Report) -> None:
        out.write(pickle.dumps(what, protocol=5))
        out.flush()

    threading.Thread(target=_leave_with_the_screen, daemon=True).start()
    try:
        Indexer(path, report, is_probe=is_probe).run()
    except (BrokenPipeError, KeyboardInterrupt):
        return 0
    except OSError as error:
        report(("failed", f"{path}: {error.strerror}"))
        return 1
    return 0


if __name__ == "__main__":
    status = main(sys.argv[1], is_probe="probe" in sys.argv[2:])
    # Flushing a pipe that nobody reads any more would raise once more at the interpreter's end.
    os._exit(status)
