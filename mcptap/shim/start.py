"""The server's start: the first thing that happens, with as few imports as it takes.

The server is on its way before anything is imported that records or forwards, so the one
start-up hides in the other. What is needed later stands here: arguments, environment,
pipes, the process.
"""

from __future__ import annotations

import os
import sys
import time

from mcptap.shim.descriptors import fill_closed, keep_one_order, kind_of, lead_to_one

if sys.platform == "win32":
    from mcptap.shim import resolve_windows as resolve
    from mcptap.shim import windows as system
else:
    from mcptap.shim import posix as system
    from mcptap.shim import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["STDERR_FD", "STDIN", "STDOUT", "Start", "resolve", "system"]

STDIN, STDOUT, STDERR_FD = 0, 1, 2


class Start:
    """One server that was asked for. `child` is None, and `trouble` says why, if there can be no process.

    A terminal on stdin is the server's own unless `record_terminal`: who else read from it would take
    what is typed for the server, a password at a prompt of `/dev/tty` as well.
    """

    def __init__(self, command: list[str], record_terminal: bool = False) -> None:
        self.begun = time.monotonic_ns(), time.time_ns()
        system.use_binary_streams()
        self.argv = [os.fsencode(word) for word in command]
        self.environ = system.original_environment()
        self.programs = resolve.candidates(self.argv[0], self.environ)
        self.stdio = [kind_of(fd) for fd in range(3)]
        self.gives_terminal = self.stdio[STDIN] == "tty" and not record_terminal
        self.one_output = lead_to_one(STDOUT, STDERR_FD)
        """Whether stderr leads where stdout leads: a word of ours there would be one on stdout."""
        self.joins_output = self.one_output and keep_one_order(STDOUT, STDERR_FD)
        """Whether the server has one pipe for both, so that they keep their order."""
        # Held here as well, a pipe for the server's use would not end when the server closes it.
        self.inherited = system.inherited_descriptors()
        self.signals = system.Signals(on_terminal="tty" in self.stdio[self.gives_terminal :])
        self.earlier = system.descendants() if system.has_children() else []
        """Processes of whoever became this one, as a shell does by `exec`: they are not the server's."""
        self.inner: list[int | None] = []
        self.outer: list[int] = []
        self.child: system.Child | None = None
        self.trouble = ""
        try:
            fill_closed()
            # Everything below 3 is ours or the client's from here on: new descriptors come above.
            self._make_pipes()
            self.child = system.start(self.argv, self.programs, self.environ, self.inner, self.signals)
        except OSError as error:
            self.trouble = str(error.strerror)
            self._close_pipes()

    def _make_pipes(self) -> None:
        """Pipes for what was open when we started: the server's ends, and ours (-1 for none)."""
        for fd, kind in enumerate(self.stdio):
            if kind == "closed":
                self.inner.append(None)
                self.outer.append(-1)
                continue
            if fd == STDIN and self.gives_terminal:
                self.inner.append(STDIN)
                self.outer.append(-1)
                continue
            if fd == STDERR_FD and self.joins_output:
                self.inner.append(self.inner[STDOUT])
                self.outer.append(-1)
                continue
            reading, writing = os.pipe()
            self.inner.append(reading if fd == STDIN else writing)
            self.outer.append(writing if fd == STDIN else reading)

    def _close_pipes(self) -> None:
        _close((*self.inner, *self.outer))
        self.inner, self.outer = [], []

    def close_servers_ends(self) -> None:
        """Close here what is the server's: its ends of the pipes, and what it inherits."""
        _close((*self.inner, *self.inherited))

    def end_unused(self) -> None:
        """End a server that has seen nothing yet."""
        if self.child is not None:
            system.end_unused(self.child.pid)
            self._close_pipes()

    def become_server(self) -> int:
        """Let the server take our place; returns, with the errno, only if it can't be started."""
        for fd, kind in enumerate(self.stdio):
            if kind == "closed":
                try:
                    os.close(fd)
                except OSError:  # it could not be filled
                    pass
        return system.become(self.argv, self.programs, self.environ, self.signals)


def _close(descriptors: Iterable[int | None]) -> None:
    """Close each of them once; 0, 1 and 2 stay."""
    for fd in set(descriptors):
        if fd is not None and fd > STDERR_FD:
            os.close(fd)
