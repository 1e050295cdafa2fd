"""Judging recordings for the list, in a process of its own: a large one takes its time.

In a thread of the screen's process it would take the interpreter from the screen while it lasts.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from mcptap.tui.index.feed import module_path

if TYPE_CHECKING:
    from mcptap.captures.summary import Summary


class Judging:
    """The process that judges; it is started when it is first asked. One thread may ask, any may `close`."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._asking = threading.Lock()
        self._closed = False

    def __call__(self, path: str, is_probe: bool) -> Summary | None:
        """What there is to say of a recording; None if that can't be told, or this was closed."""
        with self._asking:
            return self._ask(path, is_probe)

    def _ask(self, path: str, is_probe: bool) -> Summary | None:
        process = self._running()
        if process is None or process.stdin is None or process.stdout is None:
            return None
        try:
            process.stdin.write(json.dumps([path, is_probe]).encode() + b"\n")
            process.stdin.flush()
            summary: Summary | None = pickle.load(process.stdout)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            self._end(process)
            return None
        return summary

    def close(self) -> None:
        """End it, whatever it does."""
        with self._lock:
            self._closed = True
            process = self._process
        if process is not None:
            process.kill()
            with self._asking:  # who asked gets no answer any more
                self._end(process)

    def _running(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._process is None and not self._closed:
                self._process = subprocess.Popen(
                    # -P: what lies in the directory the user happens to be in is none of our modules.
                    [sys.executable, "-P", "-m", "mcptap.tui.recordings.judging"],
                    env={**os.environ, "PYTHONPATH": module_path(os.environ.get("PYTHONPATH", ""))},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            return self._process

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """It is gone, or talks nonsense: the next recording gets another one."""
        with self._lock:
            self._process = None
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    pass  # what was to be said to it


def judge(path: str, is_probe: bool) -> Summary | None:
    """What there is to say of a recording, whatever its size and without secrets; None if it is none."""
    from dataclasses import replace

    from mcptap.captures.summary import summarise_any
    from mcptap.diagnosis.problems import judged
    from mcptap.recording import made_here
    from mcptap.recording.format.model import RecordingError

    try:
        summary = judged(summarise_any(path), is_probe=is_probe, large=True)
    except RecordingError:
        return None
    mask = made_here.masker().text
    return replace(summary, verdict=mask(summary.verdict), remedy=mask(summary.remedy))


def main() -> int:
    """Judge the recordings that are asked for on stdin, a line each, until that ends."""
    if hasattr(os, "nice"):
        os.nice(5)  # the screen comes first
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        path, is_probe = json.loads(line)
        try:
            summary = judge(path, is_probe)
        except (OSError, MemoryError, RecursionError):
            summary = None
        out.write(pickle.dumps(summary, protocol=5))
        out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
