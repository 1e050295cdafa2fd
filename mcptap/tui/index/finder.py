"""A search through the text of all records, in a thread that the next search or Esc stops."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.searching import backward, forward, spellings

Found = Callable[[int | None], None]
"""Told the index of the next hit, or None if there is none; called from the thread."""


class Finder:
    """Looks for the next hit of a text. One search runs at a time."""

    def __init__(self, index: RecordIndex) -> None:
        self.index = index
        self.text = ""
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.at = 0
        """The index of the record up to which the running search has come."""

    @property
    def is_running(self) -> bool:
        """Whether a search is under way."""
        return self._thread is not None and self._thread.is_alive()

    def cancel(self) -> None:
        """Stop a running search; nothing is told any more."""
        self._stop.set()

    def find(self, start: int, direction: int, found: Found) -> None:
        """Look from the record at `start` (included) forward (1) or back (-1), and go on at the other end."""
        self.cancel()
        stop = self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(stop, start, direction, found), name="finder", daemon=True
        )
        self._thread.start()

    def _run(self, stop: threading.Event, start: int, direction: int, found: Found) -> None:
        wanted = spellings(self.text)
        total = len(self.index)
        search = forward if direction > 0 else backward
        # At the end it goes on round from the other end, up to where it began.
        for first in (start, 0 if direction > 0 else total - 1):
            wrapped = first != start
            for hit in search(self.index, wanted, first):
                if stop.is_set():
                    return
                if hit is None:
                    time.sleep(0.0002)
                    continue
                if self.index.is_hidden(hit):
                    continue
                self.at = hit
                if wrapped and direction > 0 and hit >= start:
                    break
                found(hit)
                return
        if not stop.is_set():
            found(None)
