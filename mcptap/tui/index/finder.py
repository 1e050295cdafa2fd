"""A search through the text of all records, in a thread that the next search or Esc stops."""

from __future__ import annotations

import threading
import time
from array import array
from bisect import bisect_left
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
        self.hits = array("Q")
        """Indices of the records with the text, as far as they were counted, in order."""
        self.counted_to = 0
        """Records that were looked through for them."""
        self._counting = threading.Event()

    @property
    def is_running(self) -> bool:
        """Whether a search is under way."""
        return self._thread is not None and self._thread.is_alive()

    def cancel(self) -> None:
        """Stop a running search; nothing is told any more."""
        self._stop.set()

    def close(self) -> None:
        """Stop counting as well."""
        self.cancel()
        self._counting.set()

    def look_for(self, text: str) -> None:
        """Take another text; nothing is found or counted yet."""
        self.close()
        self.text = text
        self.hits = array("Q")
        self.counted_to = 0

    def place(self, hit: int) -> tuple[int, int] | None:
        """Which of how many hits this one is, from 1; None while that is not counted."""
        at = bisect_left(self.hits, hit)
        if self.counted_to < len(self.index) or at >= len(self.hits) or self.hits[at] != hit:
            return None
        return at + 1, len(self.hits)

    def count(self, counted: Callable[[], object]) -> None:
        """Count on to the present end, in a thread; `counted` is called from it at the end."""
        if self.counted_to >= len(self.index):
            return
        self._counting.set()
        stop = self._counting = threading.Event()
        threading.Thread(target=self._count, args=(stop, counted), name="counter", daemon=True).start()

    def _count(self, stop: threading.Event, counted: Callable[[], object]) -> None:
        hits, total = array("Q"), len(self.index)
        for hit in forward(self.index, spellings(self.text), self.counted_to):
            if stop.is_set():
                return
            if hit is None:
                time.sleep(0.001)  # nobody waits for it: the screen goes first
            elif hit >= total:
                break
            else:
                hits.append(hit)
        if not stop.is_set():
            self.hits.extend(hits)
            self.counted_to = total
            counted()

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
                self.at = hit
                if wrapped and direction > 0 and hit >= start:
                    break
                found(hit)
                return
        if not stop.is_set():
            found(None)
