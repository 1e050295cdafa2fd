"""The indexer's process and the thread that takes its reports into the index."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mcptap
from mcptap.recording.format.decode import decode_header
from mcptap.recording.format.model import Header, RecordingError
from mcptap.tui.index.batch import batch_from_wire
from mcptap.tui.index.index import RecordIndex, read_at

if TYPE_CHECKING:
    # The indexer is to be started before all that a judgement needs is imported.
    from mcptap.tui.index.judgement import Judgement

PREVIEW = 1 << 18
"""Bytes of the file's head whose records are known at once, before the indexer has begun."""


_WALL = re.compile(rb'"wall":(\d{1,17})')


@dataclass(frozen=True, slots=True)
class Status:
    """What the indexer last said of the session."""

    complete: bool = False
    """Whether all that is in the file was indexed."""
    live: bool = False
    exited: bool = False
    end_known: bool = True
    """Whether the session's end would be in the file, had it come."""
    ended_us: int | None = None
    trouble: str = ""
    """`deleted`, `replaced`, `truncated`, or why the indexer failed."""


class Feed:
    """Keeps a `RecordIndex` up to date with its file.

    `version` goes up with every change; a screen that looks at it now and then misses nothing
    and is never woken for a single record. Raises OSError if the file can't be opened.
    """

    def __init__(
        self,
        path: str,
        *,
        is_probe: bool = False,
        made_of: str = "",
        make: Callable[[str], str] | None = None,
    ) -> None:
        self.path = path
        self._make = make
        """Makes a recording of such a capture, and says where that lies."""
        self.made_of = made_of
        """The capture of which the recording was made for the screen alone: it goes with the feed."""
        self.is_probe = is_probe
        """Whether the same client started the server once more right after, for the session proper."""
        self.fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        status = os.fstat(self.fd)
        self.size = status.st_size
        self.made_wall_us = status.st_mtime_ns // 1000
        """When the file was written last: that of a capture is made when it is opened."""
        self.index = RecordIndex(self.fd)
        self.status = Status()
        self.version = 0
        self.findings: Judgement | None = None
        """The last `Judgement`; None before there was one."""
        self.start_wall_us = 0
        """When the session began, in microseconds since 1970."""
        self.header = Header({})
        """How the server was started; empty until `preview`, and where that can't be read."""
        self._known_ends = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def judgement(self) -> Judgement:
        """What the diagnosis said last; an empty one if it said nothing yet."""
        from mcptap.tui.index.judgement import Judgement

        return self.findings or Judgement()

    def start(self) -> None:
        """Begin indexing."""
        self._process = subprocess.Popen(
            # -P: what lies in the directory the user happens to be in is none of our modules.
            [sys.executable, "-P", "-m", "mcptap.tui.index.indexer", self.path, *self._options()],
            env={**os.environ, "PYTHONPATH": module_path(os.environ.get("PYTHONPATH", ""))},
            # Its end tells the indexer that the screen is gone, however that came about.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C in the terminal is the screen's to handle.
            start_new_session=True,
        )
        self._thread = threading.Thread(target=self._take_reports, name="feed", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """The name of the file that the user opened."""
        return os.path.basename(self.made_of or self.path)

    def _options(self) -> list[str]:
        return ["probe"] if self.is_probe else []

    def preview(self) -> None:
        """Find the first records at once, so that the first screen waits for nobody."""
        head = read_at(self.fd, PREVIEW, 0)
        ends = array("Q")
        at = -1
        while (at := head.find(b"\n", at + 1)) >= 0:
            ends.append(at + 1)
        found = _WALL.search(head[:400])
        self.start_wall_us = int(found[1]) if found else 0
        try:
            self.header = decode_header(head.partition(b"\n")[0])
        except RecordingError:
            pass
        if not len(self.index):
            self._known_ends = len(ends)
            self.index.add_offsets(ends)
            self.version += 1

    def restart(self) -> None:
        """Begin anew with the file that stands under the name now, or with what the capture holds now.

        Raises OSError, and UserError if that holds nothing that can be read: then all stays as it was.
        """
        made = self._make(self.made_of) if self._make is not None else None
        self.close()
        if made is not None:
            os.replace(made, self.path)  # others know it by this name
        self.__init__(self.path, is_probe=self.is_probe, made_of=self.made_of, make=self._make)  # type: ignore[misc]
        self.preview()
        self.start()

    def close(self) -> None:
        """End the indexer and close the file."""
        if self._closed:
            return
        self._closed = True
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._thread is not None:
            self._thread.join()
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
        os.close(self.fd)
        if self.made_of:
            try:
                os.unlink(self.path)
            except OSError:
                pass  # it is gone already

    def _take_reports(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        stream = self._process.stdout
        try:
            while True:
                self.take(pickle.load(stream))
                # The screen's thread waits for the interpreter at this moment, if it waits.
                time.sleep(0.0005)
        except (EOFError, pickle.UnpicklingError, ValueError, OSError):
            pass
        if not self._closed and not self.status.trouble:
            self.status = Status(complete=True, trouble="the indexer ended unexpectedly")
            self.version += 1

    def take(self, report: tuple[Any, ...]) -> None:
        """Take one report of the indexer into the index."""
        kind, what = report
        if kind == "offsets":
            ends = array("Q")
            ends.frombytes(what)
            if self._known_ends:
                known = min(self._known_ends, len(ends))
                self._known_ends -= known
                del ends[:known]
            self.index.add_offsets(ends)
        elif kind == "names":
            self.index.add_names(what)
        elif kind == "batch":
            self.index.apply(batch_from_wire(what))
        elif kind == "fineness":
            self.index.fineness_us = what
        elif kind == "one-sided":
            self.index.one_sided = what
        elif kind == "findings":
            self.findings = what
        elif kind == "status":
            self.status = Status(**what)
            self.index.ended_us = self.status.ended_us
            self.index.is_cut = self.status.complete and not (self.status.live or self.status.exited)
        elif kind == "failed":
            self.status = Status(complete=True, trouble=what)
        self.version += 1


def module_path(given: str) -> str:
    """Where a process of ours finds this very package, also when it runs from a checkout."""
    own = os.path.dirname(os.path.dirname(os.path.abspath(mcptap.__file__)))
    return os.pathsep.join(filter(None, (own, given)))
