"""The shim's own words: lines on stderr that begin with `mcptap: `, and never block.

The server's stderr passes through the same descriptor. A client that does not read it
may block the server, as it would directly, but never the shim: a notice that does
not fit at once is dropped.
"""

from __future__ import annotations

import os
from _thread import allocate_lock

from mcptap.shim.descriptors import kind_of, unstopped
from mcptap.text.escape import excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

try:
    from select import POLLOUT, poll
except ImportError:  # Windows
    poll = None  # type: ignore[assignment, misc]

MAX_NOTICE = 4000
"""Bytes. Below PIPE_BUF (4096), which is what a pipe that polls as writable takes in one go."""


class Notices:
    """Says things on a descriptor, unless told to be quiet. `hide` takes secrets out of a sentence."""

    def __init__(self, fd: int, quiet: bool, hide: Callable[[str], str] = str) -> None:
        self._fd = fd
        self.quiet = quiet
        self._hide = hide
        self._lock = allocate_lock()  # three pumps and the main thread have things to say
        self._held: list[str] = []
        self._in_line = False
        self._on_terminal = not quiet and kind_of(fd) == "tty"
        self._poll = None
        if poll is not None and not quiet:
            self._poll = poll()
            self._poll.register(fd, POLLOUT)

    def say(self, sentence: str) -> None:
        """Write one line, or hold it while the server is in the middle of a line of its own."""
        if self.quiet:
            return
        with self._lock:
            words = f"mcptap: {excerpt(self._hide(sentence), MAX_NOTICE)}".encode()[:MAX_NOTICE]
            self._held.append(words.decode(errors="ignore") + "\n")
            if not self._in_line:
                self._flush()

    @property
    def in_line(self) -> bool:
        """Whether stderr stands in the middle of a line."""
        return self._in_line

    def server_writes(self) -> None:
        """Say nothing until `server_wrote`: the server's words are on their way."""
        with self._lock:
            self._in_line = True

    def server_wrote(self, chunk: bytes) -> None:
        """Note whether the server's stderr stands in the middle of a line now."""
        with self._lock:
            self._in_line = not chunk.endswith(b"\n")
            if self._held and not self._in_line:
                self._flush()

    def close(self) -> None:
        """Write what was held; after a line that the server never ended, on a line of its own."""
        with self._lock:
            if self._held and self._in_line:
                self._held[0] = "\n" + self._held[0]
            self._flush()

    def _flush(self) -> None:
        held, self._held = self._held, []
        for line in held:
            if self._poll is not None and not self._poll.poll(0):
                return
            try:
                if self._on_terminal:  # a job in the background is to stop for the server's words alone
                    unstopped(os.write, self._fd, line.encode())
                else:
                    os.write(self._fd, line.encode())
            except OSError:
                return
