"""Recordings judged beside the conversation, and what came of it, kept.

A large recording takes longer than a client waits for: then it is said how far it is, the judging goes on,
and who asks again gets what has come of it.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from contextlib import closing

from mcptap.agent.pace import Pace, StoppedError
from mcptap.captures.open import RecordingSource
from mcptap.diagnosis.engine.selection import Selection
from mcptap.recording import made_here
from mcptap.recording.format.model import RecordingError
from mcptap.report.check_file import check_file
from mcptap.report.results import CheckedFile

KEPT = 64
"""So many verdicts are kept; each is small."""

MOST_AT_ONCE = 2
"""Of so many recordings is judged at a time what takes long; the oldest is given up for another."""

_POLL_S = 0.05

Stamp = tuple[int, int]


class _Job:
    """One recording that is being judged, in a thread of its own."""

    def __init__(self, path: str, stamp: Stamp) -> None:
        self.path = path
        self.stamp = stamp
        self.pace = Pace()
        self.checked: CheckedFile | None = None
        self.failure: Exception | None = None
        self.ended = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            with closing(RecordingSource(self.path)) as source:
                total = self.stamp[0]
                self.checked = check_file(
                    source,
                    Selection(),
                    lambda: self.pace.note(source.position, total),
                    masker=made_here.masker(),
                )
        except Exception as error:
            self.failure = error
        finally:
            self.ended.set()


class Judging:
    """What recordings came to. Not for use by two threads at once, but for `of`."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Stamp, CheckedFile]] = OrderedDict()
        self._jobs: OrderedDict[str, _Job] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, path: str, pace: Pace) -> CheckedFile | None:
        """What a recording came to; None if that is not known when the time is over: it is still read.

        Raises RecordingError, and StoppedError.
        """
        stamp = _stamp(path)
        with self._lock:
            kept = self._kept.get(path)
            if kept is not None and kept[0] == stamp and kept[1].state != "live":
                self._kept.move_to_end(path)
                return kept[1]
            job = self._job(path, stamp)
        while not job.ended.wait(_POLL_S):
            pace.note(job.pace.done, job.pace.total)
            if pace.is_over:
                return None
        with self._lock:
            if self._jobs.get(path) is job:
                del self._jobs[path]
            if isinstance(job.failure, StoppedError):  # given up for others
                return None
            if job.failure is not None:
                raise job.failure
            assert job.checked is not None
            self._kept[path] = job.stamp, job.checked
            self._kept.move_to_end(path)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return job.checked

    def _job(self, path: str, stamp: Stamp) -> _Job:
        job = self._jobs.get(path)
        if job is not None and (not job.ended.is_set() or job.stamp == stamp):
            return job
        job = self._jobs[path] = _Job(path, stamp)
        while len(self._jobs) > MOST_AT_ONCE:
            _, oldest = self._jobs.popitem(last=False)
            oldest.pace.stop()
        return job


def _stamp(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except OSError as error:
        raise RecordingError(f"the recording is gone: {error.strerror}") from error
    return status.st_size, status.st_mtime_ns
