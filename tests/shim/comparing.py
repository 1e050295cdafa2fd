"""A server started directly and behind the tap: what each time came of it, to compare."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.shim.conftest import Start
from tests.shim.running import Running, Stream


@dataclass
class Plumbing:
    """What a server's stdin, stdout and stderr are."""

    popen: dict[str, Any]
    """As arguments for `Popen`. Descriptors among them are closed here once the process has them."""
    output: Callable[[], bytes]
    """All that came out of them, once the server is gone."""
    send: Callable[[bytes], None] | None = None
    """Writes all that the server gets to read, and ends it; None: to a pipe of `Popen`'s."""


@dataclass
class Seen:
    """What a client has of a server that ran: exit status, what came from a pipe of its own, and the rest."""

    status: int
    stdout: bytes
    stderr: bytes
    output: bytes


Plumb = Callable[[Path], Plumbing]


def run_both(
    start: Start, server: Sequence[str], plumb: Plumb, folder: Path, data: bytes = b""
) -> tuple[Seen, Seen, Running]:
    """What is seen of the server directly, what behind a tap that may speak, and that run.

    `plumb` gets a new folder each time.
    """
    outcomes = []
    for direct in (True, False):
        place = folder / ("direct" if direct else "tap")
        place.mkdir()
        plumbing = plumb(place)
        options = ["--record", str(folder / "records") + "/"]
        run = start(server, direct=direct, options=options, **plumbing.popen)
        for fd in {fd for fd in plumbing.popen.values() if fd > 2}:
            os.close(fd)
        if plumbing.send is not None:
            plumbing.send(data)
        outcomes.append(Seen(*run.finish(data), plumbing.output()))
    return outcomes[0], outcomes[1], run


def one_pipe(_folder: Path) -> Plumbing:
    """As `2>&1` and `stderr=STDOUT` make it."""
    reading, writing = os.pipe()
    return Plumbing({"stdout": writing, "stderr": writing}, Stream(reading).end)


def one_fifo_opened_twice(folder: Path) -> Plumbing:
    """A pipe with a name."""
    os.mkfifo(folder / "fifo")
    reading = os.open(folder / "fifo", os.O_RDONLY | os.O_NONBLOCK)
    writing = [os.open(folder / "fifo", os.O_WRONLY) for _ in range(2)]
    os.set_blocking(reading, True)
    return Plumbing(dict(zip(("stdout", "stderr"), writing, strict=True)), Stream(reading).end)


def one_socket(_folder: Path) -> Plumbing:
    """As clients on Node make it with stderr in stdout."""
    ours, theirs = socket.socketpair()
    end = theirs.detach()
    return Plumbing({"stdout": end, "stderr": end}, Stream(ours.detach()).end)


def one_socket_for_all(_folder: Path) -> Plumbing:
    """As inetd makes it."""
    ours, theirs = socket.socketpair()
    end = theirs.detach()
    out = Stream(ours.fileno())

    def send(data: bytes) -> None:
        ours.sendall(data)
        ours.shutdown(socket.SHUT_WR)

    def output() -> bytes:
        data = out.end()
        ours.close()
        return data

    return Plumbing({"stdin": end, "stdout": end, "stderr": end}, output, send)


def _file(flags: int, opened: int) -> Plumb:
    def plumb(folder: Path) -> Plumbing:
        path = folder / "output"
        path.write_bytes(b"before\n")
        ends = [os.open(path, os.O_WRONLY | flags) for _ in range(opened)]
        return Plumbing({"stdout": ends[0], "stderr": ends[-1]}, path.read_bytes)

    return plumb


one_file = _file(0, 1)
one_file_appended = _file(os.O_APPEND, 1)
one_file_opened_twice_to_append = _file(os.O_APPEND, 2)
one_file_opened_twice = _file(0, 2)
"""Each descriptor then writes at a place of its own."""
