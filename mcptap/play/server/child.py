"""A process that mcptap starts itself, as trio's streams; on Linux it does not outlive mcptap.

Where there is no parent-death signal it learns by the end of its input.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import IO

import trio


class Child:
    """A process with trio's streams: what is used of `trio.Process`, started by this very thread.

    `trio.lowlevel.open_process` forks in a thread that ends when it was idle for a while, and the
    parent-death signal follows the thread that forked: it would kill a server that is well.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.pid = process.pid
        self.stdin = _stream(process.stdin)
        self.stdout = _stream(process.stdout)
        self.stderr = _stream(process.stderr)
        try:
            self._handle = os.pidfd_open(process.pid)
        except (AttributeError, OSError):  # an old kernel
            self._handle = -1

    @property
    def returncode(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self._process.poll()

    async def wait(self) -> int:
        """Wait for its end, once; the exit status."""
        if self._handle < 0:
            return await trio.to_thread.run_sync(self._process.wait)
        try:
            await trio.lowlevel.wait_readable(self._handle)
        finally:
            os.close(self._handle)
        return self._process.wait()

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()


def _stream(pipe: IO[bytes] | None) -> trio.lowlevel.FdStream:
    assert pipe is not None
    with pipe:
        return trio.lowlevel.FdStream(os.dup(pipe.fileno()))


async def start_child(
    argv: Sequence[str], cwd: str | None, env: Mapping[str, str] | None
) -> Child | trio.Process:
    """Start a process as the leader of a session of its own. Raises OSError or ValueError.

    On Linux it is killed when this process is, as the tap's server is; what it started itself
    learns by the end of its input. To be called by the main thread.
    """
    pipe = subprocess.PIPE
    if sys.platform != "linux":
        return await trio.lowlevel.open_process(
            list(argv), stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env, start_new_session=True
        )
    from mcptap.shim.posix import tie_to_parent

    return Child(
        subprocess.Popen(
            argv,
            bufsize=0,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=cwd,
            env=env,
            start_new_session=True,
            preexec_fn=tie_to_parent(),  # noqa: PLW1509 - one system call, looked up beforehand
        )
    )
