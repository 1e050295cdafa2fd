"""Makes the index of a recording, batch by batch, and goes on as the file grows.

It runs in a process of its own (`python -m mcptap.tui.indexer FILE`) and writes pickled reports
to its stdout. In a thread of the screen's process it would take the interpreter from the screen
for a quarter of a minute on a million records. The child costs some 30 MiB while the recording
is open, and gives the second core something to do.

First the places of all records (a second for a million), so that one can go anywhere at once;
then each is decoded, paired and judged.
"""

from __future__ import annotations

import os
import pickle
import re
import sys
import time
from array import array
from collections.abc import Callable
from typing import Any

from mcptap.recording.decode import decode_record
from mcptap.recording.model import Damaged, Event, Header, Line, Part, Record
from mcptap.recording.reader import is_locked
from mcptap.tui.index import NAME_LIMIT, OTHER_NAME, Batch, Kind, Way, batch_to_wire, read_at
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

BLOCK = 1 << 20
FIRST_BATCH = 256
BATCH = 4096
HEAD = 4096
"""Of a line over the recorder's limit so many bytes at either end are looked at."""

LIVE_PAUSE = 0.04
IDLE_PAUSE = 0.2

WAYS = {CLIENT_TO_SERVER: Way.C2S, SERVER_TO_CLIENT: Way.S2C, STDERR: Way.STDERR}
_METHOD = re.compile(rb'"method"\s*:\s*"([^"\\]{1,200})"')
_ID = re.compile(rb'"id"\s*:\s*(-?\d{1,18}|"[^"\\]{0,200}")')

Report = tuple[Any, ...]
"""`("offsets", bytes)`, `("names", [..])`, `("batch", ...)`, `("status", {...})`, `("findings", ...)`."""


class Describer:
    """Turns records into columns, pairing requests and answers on the way."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {"": OTHER_NAME}
        self.new_names: list[str] = []
        self._pending: dict[tuple[int, str], tuple[int, int, int]] = {}
        self._heads: dict[str, bytes] = {}
        self.ended_us: int | None = None
        self.last_us = 0

    def name(self, text: str) -> int:
        """The number of a name; a new one is kept for the next report."""
        number = self.names.get(text)
        if number is None:
            if len(self.names) >= NAME_LIMIT:
                return OTHER_NAME
            number = self.names[text] = len(self.names)
            self.new_names.append(text)
        return number

    def add(self, batch: Batch, record: Record, length: int) -> None:
        """Append the record (of `length` bytes in the file) to the batch."""
        if isinstance(record, Line):
            self._line(batch, record)
        elif isinstance(record, Event):
            self.last_us = record.t_us
            if record.kind == "exit" or (record.kind == "spawn" and "errno" in record.fields):
                self.ended_us = record.t_us
            way = WAYS.get(str(record.fields.get("ch")), Way.NONE)
            self._append(batch, record.t_us, 0, 0, Kind.EVENT, way, self.name(record.kind), 0)
        elif isinstance(record, Part):
            if record.at == 0:
                self._heads[record.channel] = record.data[:HEAD]
            self.last_us = record.t_us
            way = WAYS[record.channel]
            self._append(batch, record.t_us, 0, len(record.data), Kind.PART, way, self.name("part"), 0)
        elif isinstance(record, Header):
            self._append(batch, 0, 0, length, Kind.HEADER, Way.NONE, self.name("header"), 0)
        elif isinstance(record, Damaged):
            self._append(batch, self.last_us, 0, length, Kind.DAMAGED, Way.NONE, self.name("damaged"), 0)

    def _append(
        self, batch: Batch, t: int, ref: int, size: int, kind: int, way: int, method: int, tool: int
    ) -> None:
        batch.times.append(t)
        batch.refs.append(ref)
        batch.sizes.append(min(size, 0xFFFFFFFF))
        batch.kinds.append(kind)
        batch.ways.append(way)
        batch.methods.append(method)
        batch.tools.append(tool)

    def _line(self, batch: Batch, line: Line) -> None:
        way = WAYS[line.channel]
        self.last_us = t = line.t_us
        size = len(line.data) + line.offset
        head = self._heads.pop(line.channel, b"")
        if way == Way.STDERR:
            self._append(batch, t, 0, size, Kind.STDERR, way, self.name("stderr"), 0)
            return
        kind, method, tool, identity, target = (
            self._long(head, line.data) if line.offset else _shape(line.value)
        )
        ref = 0
        number = batch.start + len(batch) + 1
        method_number = tool_number = 0
        if kind == Kind.REQUEST:
            method_number, tool_number = self.name(method), self.name(tool) if tool else 0
            self._pending[way, identity] = (number, method_number, tool_number)
        elif kind == Kind.NOTIFICATION:
            method_number = self.name(method)
            if target:
                asked = self._pending.get((way, target))
                if asked is not None:
                    ref, _, tool_number = asked
        elif kind in (Kind.RESULT, Kind.ERROR, Kind.TOOL_ERROR):
            asking = Way.S2C if way == Way.C2S else Way.C2S
            asked = self._pending.pop((asking, identity), None)
            if asked is not None:
                ref, method_number, tool_number = asked
        elif kind == Kind.POLLUTION and not line.offset and not line.data.strip():
            kind, method_number = Kind.EVENT, self.name("blank")
        self._append(batch, t, ref, size, kind, way, method_number, tool_number)

    def _long(self, head: bytes, end: bytes) -> tuple[int, str, str, str, str]:
        """What a line over the recorder's limit seems to be, from its two ends."""
        both = head + b" " + end[-HEAD:]
        found = _ID.search(head) or _ID.search(end[-HEAD:])
        identity = _identity(found[1]) if found else ""
        method = _METHOD.search(head)
        if method and found:
            return Kind.REQUEST, method[1].decode(errors="replace"), "", identity, ""
        if method:
            return Kind.NOTIFICATION, method[1].decode(errors="replace"), "", "", ""
        if found and b'"result"' in both:
            return Kind.RESULT, "", "", identity, ""
        if found and b'"error"' in both:
            return Kind.ERROR, "", "", identity, ""
        return Kind.POLLUTION, "", "", "", ""


def _identity(raw: bytes) -> str:
    """A written id as `Describer` keeps it: numbers and strings apart."""
    return raw.decode(errors="replace") if raw[:1] != b'"' else "s" + raw[1:-1].decode(errors="replace")


def _key(value: Any) -> str:
    return "s" + value if isinstance(value, str) else repr(value)


def _shape(value: Any) -> tuple[int, str, str, str, str]:
    """Kind, method, tool, id, and the id that a cancellation names, of a line's JSON value."""
    if not isinstance(value, dict):
        if isinstance(value, list) and value and isinstance(value[0], dict) and "jsonrpc" in value[0]:
            return Kind.BATCH, "", "", "", ""
        return Kind.POLLUTION, "", "", "", ""
    method = value.get("method")
    if isinstance(method, str):
        params = value.get("params")
        if value.get("id") is None:
            if method == "notifications/cancelled" and isinstance(params, dict):
                return Kind.NOTIFICATION, method, "", "", _key(params.get("requestId"))
            return Kind.NOTIFICATION, method, "", "", ""
        return Kind.REQUEST, method, subject(method, params), _key(value["id"]), ""
    if value.get("error") is not None:
        return Kind.ERROR, "", "", _key(value.get("id")), ""
    if "result" in value:
        result = value["result"]
        failed = isinstance(result, dict) and result.get("isError") is True
        return Kind.TOOL_ERROR if failed else Kind.RESULT, "", "", _key(value.get("id")), ""
    return Kind.POLLUTION, "", "", "", ""


def subject(method: str, params: Any) -> str:
    """What a request is about: the tool's or prompt's name, the resource's URI; else nothing."""
    if not isinstance(params, dict):
        return ""
    name = params.get("name") if method in ("tools/call", "prompts/get") else params.get("uri")
    return name if isinstance(name, str) else ""


class Indexer:
    """Reads one file and reports; `report` is called with each `Report` in order."""

    def __init__(self, path: str, report: Callable[[Report], None]) -> None:
        self.path = path
        self._report = report
        self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        status = os.fstat(self._fd)
        self._identity = (status.st_dev, status.st_ino)
        self._ends: array[int] = array("Q")
        self._scanned = 0
        self._described_to = 0
        self._number = 0
        self._describer = Describer()
        self._last_status: dict[str, Any] = {}

    def run(self) -> None:
        """Index what is there and go on as it grows, until the file is replaced or cut."""
        while True:
            grew = self.step()
            if not grew:
                live = is_locked(self.path)
                self.report_status(complete=True, live=live)
                time.sleep(LIVE_PAUSE if live or self._recently_grown() else IDLE_PAUSE)
            trouble = self._trouble()
            if trouble:
                self.report_status(complete=True, live=False, trouble=trouble)
                if trouble != "deleted":
                    return

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
                self._ends.extend(ends)
                self._report(("offsets", ends.tobytes()))

    def describe(self) -> None:
        """Report the columns of all records that were scanned and not yet described."""
        ends = self._ends
        done = 0
        limit = FIRST_BATCH
        batch = Batch(self._number)
        begun = time.monotonic()
        while done < len(ends):
            stop = done + 1
            while stop < len(ends) and ends[stop] - self._described_to <= BLOCK:
                stop += 1
            data = read_at(self._fd, ends[stop - 1] - self._described_to, self._described_to)
            if len(data) < ends[stop - 1] - self._described_to:
                break  # the file was cut meanwhile: `run` will say so
            at = 0
            for end in ends[done:stop]:
                raw = data[at : end - self._described_to]
                at += len(raw)
                self._number += 1
                record = Header({}) if self._number == 1 else decode_record(raw, self._number)
                self._describer.add(batch, record, len(raw))
                if len(batch) >= limit:
                    self._flush(batch)
                    batch = Batch(self._number)
                    limit = BATCH
            self._described_to = ends[stop - 1]
            done = stop
            if time.monotonic() - begun > 0.1:
                # A live file goes on growing while its past is worked through.
                begun = time.monotonic()
                del ends[:done]
                done = 0
                self.scan()
                ends = self._ends
        del ends[:done]
        if batch:
            self._flush(batch)

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


def main(path: str) -> int:
    """Index the file and write reports to stdout until that is closed."""
    out = sys.stdout.buffer

    def report(what: Report) -> None:
        pickle.dump(what, out, protocol=5)
        out.flush()

    try:
        Indexer(path, report).run()
    except (BrokenPipeError, KeyboardInterrupt):
        return 0
    except OSError as error:
        report(("failed", f"{path}: {error.strerror}"))
        return 1
    return 0


if __name__ == "__main__":
    status = main(sys.argv[1])
    # Flushing a pipe that nobody reads any more would raise once more at the interpreter's end.
    os._exit(status)
