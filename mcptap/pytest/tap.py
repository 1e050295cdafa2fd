"""The process of `mcptap run` in front of a server, for a client in the same process as a test.

The tap, and not the test's own process, owns the server: it records what passes, and no thread, signal or
child of the tests is touched.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from mcptap.play.server import process_tree
from mcptap.play.server.stop import signal_name
from mcptap.recording.format.model import Event, RecordingError
from mcptap.recording.reader import Reader

LEAVE_S, TERM_S, KILL_S = 2.0, 2.0, 2.0
"""How long a server may take to end: after its input ends, after it was told to, after it was killed."""
MOST_STDERR = 1 << 20
"""So many bytes of stderr are kept: the last ones. All of it is in the recording."""


class Tap:
    """A server behind the tap. Raises OSError if the tap can't be started."""

    def __init__(
        self, command: Sequence[str], recording: Path, name: str, cwd: str, env: Mapping[str, str]
    ) -> None:
        self.name = name
        self.recording = recording
        self._words = bytearray()
        self._sending = threading.Lock()
        self._closed = False
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-P", "-m", "mcptap", "run", "--quiet", "--name", name),
                *("--record", str(recording), "--", *command),
            ],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=dict(env),
            start_new_session=True,
            preexec_fn=_tied(),  # noqa: PLW1509 - one system call, looked up beforehand
        )
        self._since = process_tree.start_of(self._process.pid)
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        self._listener = threading.Thread(target=self._listen, name=f"mcptap {name} stderr", daemon=True)
        self._listener.start()

    @property
    def stderr(self) -> str:
        """What came on stderr so far."""
        return bytes(self._words).decode(errors="backslashreplace")

    @property
    def has_ended(self) -> bool:
        """Whether the server is gone."""
        return self._process.poll() is not None

    @property
    def ending(self) -> str:
        """How the server ended, in a clause with a space in front; empty if that is not known."""
        try:
            code = self._process.wait(LEAVE_S + TERM_S)
        except subprocess.TimeoutExpired:
            return ""
        return f" ({signal_name(-code)})" if code < 0 else f" (exit status {code})"

    def lines(self) -> Iterator[bytes]:
        """What comes on stdout, line by line, to its end."""
        stdout = self._process.stdout
        assert stdout is not None
        with os.fdopen(os.dup(stdout.fileno()), "rb") as buffered:
            yield from buffered

    def send(self, data: bytes, limit_s: float) -> bool:
        """Send bytes as they are; False if they were not all taken in time, or the server is gone."""
        stdin = self._process.stdin
        assert stdin is not None
        deadline = time.monotonic() + limit_s
        with self._sending, selectors.DefaultSelector() as selector:
            if stdin.closed:
                return False
            selector.register(stdin, selectors.EVENT_WRITE)
            rest = memoryview(data)
            while rest:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    return False
                try:
                    rest = rest[os.write(stdin.fileno(), rest[: 1 << 16]) :]
                except BlockingIOError:
                    continue
                except OSError:
                    return False
        return True

    def close(self) -> None:
        """End the server: its input ends, then it is told to, then it is killed. None of its tree is left."""
        if self._closed:
            return
        self._closed = True
        process = self._process
        assert process.stdin is not None
        with self._sending:
            process.stdin.close()
        for number, wait_s in ((None, LEAVE_S), (signal.SIGTERM, TERM_S), (signal.SIGKILL, KILL_S)):
            if number == signal.SIGKILL:
                self._kill_rest()  # the tap goes on, and records how it ended
            elif number is not None:
                process.send_signal(number)
            try:
                process.wait(wait_s)
                break
            except subprocess.TimeoutExpired:
                continue
        if process.poll() is None:
            process.kill()
        self._kill_rest()
        process.wait()
        self._listener.join(LEAVE_S)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def _kill_rest(self) -> None:
        """What is left of the server and of what it started, in the sessions of both processes."""
        leaders = {self._process.pid, *self._server()}
        for one in process_tree.all_processes():
            if one.session in leaders and one.started >= self._since and one.pid != self._process.pid:
                process_tree.kill(one.pid)

    def _server(self) -> list[int]:
        """The server's process, as the recording has it."""
        try:
            with Reader(str(self.recording)) as reader:
                for item in reader.items():
                    if isinstance(item, Event) and item.kind == "spawn":
                        pid = item.fields.get("pid")
                        return [pid] if isinstance(pid, int) and pid > 1 else []
        except (OSError, RecordingError):
            pass
        return []

    def _listen(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        while chunk := stderr.read(1 << 16):
            self._words += chunk
            del self._words[:-MOST_STDERR]


def _tied() -> Callable[[], None] | None:
    """What ties the tap to this process, so that it is gone with it, however that ends (Linux)."""
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        return None  # it would be gone with the thread
    from mcptap.shim.posix import tie_to_parent

    return tie_to_parent()
