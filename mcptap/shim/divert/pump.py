"""The server's stdout with `--divert`: what is no message goes aside, unfinished text waits a while."""

from __future__ import annotations

import os
import select
import time
from _thread import allocate_lock

from mcptap.recording.diverting import DivertingRecorder
from mcptap.recording.writer import DIVERTED, TOO_LONG
from mcptap.shim.divert.judge import MAX_LINE
from mcptap.shim.pumps import BLOCKED_NS, CHUNK, Pump, is_ready, write_rest
from mcptap.wire import SERVER_TO_CLIENT, cut_lines, split_terminator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mcptap.recording.writer import Observer, Recorder
    from mcptap.shim.divert.aside import Aside
    from mcptap.shim.divert.judge import Judge

POLLIN = getattr(select, "POLLIN", 0)
"""Not there on Windows, where nothing is held back: a pipe can't be waited on for a while."""

HOLD_NS = 10_000_000_000
"""No byte is held back for longer than this. No client can read the beginning of a line; but the message that
comes behind it can be freed only if that beginning has not gone on."""


class DivertingPump(Pump):
    """A pump that asks a judge about each line, once it has ended, and records what it says.

    Of an unfinished line the beginning is held back if no message can begin so: it goes on as it came if the
    line does not end within `HOLD_NS`, if it is longer than `MAX_LINE`, and at the end of the stream.
    """

    def __init__(
        self,
        source: int,
        sink: int,
        recorder: Recorder,
        observer: Observer | None,
        on_end: Callable[[Pump, bool], None],
        on_fault: Callable[[str, Exception], None],
        judge: Judge,
        aside: Aside,
    ) -> None:
        records = DivertingRecorder(recorder, SERVER_TO_CLIENT, self._cut, judge.all_pass, observer)
        super().__init__(source, sink, SERVER_TO_CLIENT, recorder, records, on_end, on_fault)
        self._diverting: DivertingRecorder | None = records
        self._judge = judge
        self._aside = aside
        self._hand = allocate_lock()  # what is held, and the order of what is written
        self._pieces: list[bytes] = []
        self._held = 0
        """How many bytes are held back, in pieces."""
        self._is_text = False
        """Whether they can be the beginning of no message."""
        self._held_until_ns = 0
        self._has_gone = False
        """Whether the beginning of the unfinished line has gone on to the client."""
        self._reserved = 0

    def let_go(self) -> None:
        """Pass on what is held back; nothing more may come."""
        if self._hand.acquire(blocking=False):
            try:
                self._release()
            except OSError:
                pass
            finally:
                self._hand.release()

    def _forward(self) -> bool:
        while True:
            if self._held and not is_ready(self.source, POLLIN, self._patience()):
                try:
                    with self._hand:
                        self._release()
                except OSError:
                    return True
                continue
            try:
                chunk = os.read(self.source, CHUNK)
            except BlockingIOError:
                is_ready(self.source, POLLIN, None)
                continue
            except OSError:
                chunk = b""
            begun = time.monotonic_ns()
            self.writing = True
            try:
                with self._hand:
                    if not chunk:
                        self._release()
                        return False
                    begun = self._pass(chunk)
            except OSError:
                return True
            finally:
                self.moved_ns = time.monotonic_ns()
                self.writing = False
            if self.moved_ns - begun > BLOCKED_NS:
                self._record_blocked((self.moved_ns - begun) // 1000)

    def _pass(self, chunk: bytes) -> int:
        """Record a chunk, and pass on of it and of what was held what is to go on. Returns when that began.

        Raises OSError if the client is gone.
        """
        self._reserved = 0
        cuts = self._record(chunk)
        *ended, rest = _ended_lines(chunk)
        if len(cuts) != len(ended):  # recording broke: all passes as it came
            cuts = [None] * len(ended)
        client: list[bytes] = []
        for line, cut in zip(ended, cuts, strict=True):
            if self._held:
                line = self._take_held() + line
            self._has_gone = False
            if cut is None:
                client.append(line)
            elif cut == len(split_terminator(line)[0]):
                self._aside.put(line)
            else:
                self._aside.put(line[:cut] + b"\n")
                client.append(line[cut:])
        if rest:
            client.append(self._begin(rest))
        begun = time.monotonic_ns()
        self._write(b"".join(client))
        return begun

    def _record(self, chunk: bytes) -> list[int | None]:
        """What the judge says of each line that ends in the chunk, after it was recorded so."""
        records = self._diverting
        if records is None:
            return []
        records.cuts = []
        try:
            records.take(chunk)
        except Exception as error:  # traffic comes first: it goes on without recording
            self._records = self._diverting = None
            self._on_fault(self.channel, error)
            return []
        return records.cuts

    def _cut(self, data: bytes, value: Any) -> tuple[int | None, Any]:
        """What the judge says of a line that is being recorded, and the value that the client gets of it."""
        has_gone = self._has_gone and self._diverting is not None and not self._diverting.cuts
        if value is TOO_LONG:
            if not self._held or self._held + len(data) > MAX_LINE:
                return None, value
            data = b"".join(self._pieces) + data
        cut = self._judge.cut(data, value)
        if cut is None or has_gone:
            return None, value
        if self._aside.room < self._reserved + cut + len(b"\r\n"):
            return None, value  # stderr is gone, or nobody reads it
        self._reserved += cut + len(b"\r\n")
        return cut, DIVERTED if self._judge.message is None else self._judge.message

    def _begin(self, rest: bytes) -> bytes:
        """Take bytes of a line that has not ended; returns what goes on at once."""
        if self._has_gone:
            return rest
        if not self._held:
            self._held_until_ns = time.monotonic_ns() + HOLD_NS
            self._is_text = False
        self._pieces.append(rest)
        self._held += len(rest)
        may_hold = self._is_text or self._judge.may_hold(b"".join(self._pieces))
        self._is_text = self._is_text or bool(rest.strip(b" \t\r"))
        if may_hold and POLLIN and self._diverting is not None and self._held <= MAX_LINE:
            return b""
        self._has_gone = True
        return self._take_held()

    def _release(self) -> None:
        if self._held:
            self._has_gone = True
            self._write(self._take_held())

    def _take_held(self) -> bytes:
        held = b"".join(self._pieces)
        self._pieces, self._held = [], 0
        return held

    def _write(self, data: bytes) -> None:
        if data:
            try:
                done = os.write(self.sink, data)
            except BlockingIOError:
                done = 0
            write_rest(self.sink, data, done)

    def _patience(self) -> int:
        return max(0, (self._held_until_ns - time.monotonic_ns()) // 1_000_000)


def _ended_lines(chunk: bytes) -> list[bytes]:
    """The lines that end in a chunk, and at last what stands behind them, be it nothing."""
    lines = cut_lines(chunk)
    return lines if lines and not lines[-1].endswith(b"\n") else [*lines, b""]
