"""A command of mcptap as a child process, whose output is shown as it comes.

What starts servers runs on trio, which the screen never imports; a process of its own also
has its own signals, so that stopping it runs its stop sequence and leaves no server behind.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping

LINE_LIMIT = 4_000
"""Bytes of an output line that are kept: the whole of it is in the recording."""

KILL_AFTER_S = 20.0
"""How long a child that was told to stop may take: longer than any of its stop sequences."""

OnLine = Callable[[bytes, bool], None]
"""Called with each line of the child, without its newline, and whether it came on stderr."""


class Child:
    """`mcptap ARGUMENTS…`, run once; `variables` are added to our environment."""

    def __init__(
        self, arguments: list[str], on_line: OnLine, variables: Mapping[str, str] | None = None
    ) -> None:
        self._variables = variables or {}
        self._arguments = arguments
        self._on_line = on_line
        self._process: asyncio.subprocess.Process | None = None
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return self._stopped

    async def run(self) -> int:
        """Run it to its end; return its exit status. Raises OSError if it can't be started."""
        process = await asyncio.create_subprocess_exec(
            # -P: what lies in the directory the user happens to be in is none of our modules.
            *(sys.executable, "-P", "-m", "mcptap", *self._arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            preexec_fn=_end_with_the_screen(),
            env={**os.environ, **self._variables},
        )
        self._process = process
        if self._stopped:
            process.terminate()
        assert process.stdout is not None
        assert process.stderr is not None
        await asyncio.gather(self._take(process.stdout, False), self._take(process.stderr, True))
        return await process.wait()

    def stop(self) -> None:
        """Tell it to stop its server and end; `run` returns once that is done."""
        if self._stopped:
            return
        self._stopped = True
        process = self._process
        if process is not None and process.returncode is None:
            process.terminate()
            asyncio.get_running_loop().call_later(KILL_AFTER_S, self._kill)

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def _take(self, stream: asyncio.StreamReader, is_stderr: bool) -> None:
        held = b""
        skipping = False
        while block := await stream.read(1 << 16):
            *lines, rest = block.split(b"\n")
            for line in lines:
                if not skipping:
                    self._on_line((held + line)[:LINE_LIMIT], is_stderr)
                held, skipping = b"", False
            if skipping:
                continue
            held += rest
            if len(held) > LINE_LIMIT:
                self._on_line(held[:LINE_LIMIT], is_stderr)
                held, skipping = b"", True
        if held:
            self._on_line(held, is_stderr)


def _end_with_the_screen() -> Callable[[], None] | None:
    """What has the child told to stop if the screen is killed (on Linux), so that its server goes as well."""
    if sys.platform != "linux":
        return None
    from mcptap.shim.posix import tie_to_parent

    return tie_to_parent(signal.SIGTERM)
