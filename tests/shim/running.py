"""Real processes for the tests: a server started through the tap, or directly."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mcptap.recording.format.model import Event, Item, Line
from mcptap.recording.reader import Reader, State

PATIENCE_S = 30.0
"""How long a test waits for what has to come before it fails; nothing is judged by it."""

SERVERS = Path(__file__).parent.parent / "servers"
PYTHON = [sys.executable, "-S", "-E"]

_script = shutil.which("mcptap", path=sysconfig.get_path("scripts"))
MCPTAP = [_script] if _script else [sys.executable, "-m", "mcptap"]


LAUNCHED = _script is not None and Path(_script).read_bytes()[:2] != b"#!"
"""Whether the command is the compiled launcher."""


def awkward(what: str, *arguments: object) -> list[str]:
    """The command of a server of `tests/servers/awkward.py`."""
    return [*PYTHON, str(SERVERS / "awkward.py"), what, *map(str, arguments)]


def eventually(condition: Callable[[], Any]) -> Any:
    """What the condition gives once it is true, or at last."""
    end = time.monotonic() + PATIENCE_S
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return value


def is_alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2][:1] not in (b"Z", b"X")
    except OSError:
        return False


class Stream:
    """Collects what comes out of a descriptor, in a thread."""

    def __init__(self, fd: int) -> None:
        self.data = bytearray()
        self.ended = False
        self._fd = fd
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()

    def _collect(self) -> None:
        while True:
            try:
                piece = os.read(self._fd, 1 << 20)
            except OSError:  # a terminal whose other side is gone
                piece = b""
            with self._news:
                self.data += piece
                self.ended = not piece
                self._news.notify_all()
            if not piece:
                return

    def wait(self, condition: Callable[[bytearray], bool]) -> bool:
        """Whether the condition comes true for the data."""
        with self._news:
            return self._news.wait_for(lambda: condition(self.data), PATIENCE_S)

    def sees(self, data: bytes) -> bool:
        """Whether these bytes come."""
        return self.wait(lambda seen: data in seen)

    def end(self) -> bytes:
        """All bytes, once the other side has closed."""
        self._thread.join(PATIENCE_S)
        assert self.ended, "the other side never closed"
        return bytes(self.data)


class Running:
    """A server behind the tap (or, with `direct`, by itself)."""

    def __init__(
        self,
        server: Sequence[str | bytes],
        home: Path,
        options: Sequence[str],
        direct: bool,
        read_stdout: bool,
        **popen: Any,
    ) -> None:
        self.records = home / "records"
        command = list(server) if direct else [*MCPTAP, "run", *options, "--", *server]
        settings: dict[str, Any] = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "bufsize": 0,
            "env": environment(home),
            "cwd": home,
        }
        self.process = subprocess.Popen(command, **{**settings, **popen})
        self.pid = self.process.pid
        self.out = Stream(self.process.stdout.fileno()) if self.process.stdout and read_stdout else None
        self.err = Stream(self.process.stderr.fileno()) if self.process.stderr else None

    def send(self, data: bytes) -> None:
        """Write to the server's stdin, all of it."""
        assert self.process.stdin is not None
        view = memoryview(data)
        while view:
            view = view[os.write(self.process.stdin.fileno(), view) :]

    def send_aside(self, data: bytes, close: bool = False) -> threading.Thread:
        """The same in a thread, for more than a pipe holds."""

        def work() -> None:
            try:
                self.send(data)
            except OSError:
                return
            if close:
                self.close_stdin()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        return thread

    def close_stdin(self) -> None:
        """End the server's stdin."""
        if self.process.stdin is not None:
            self.process.stdin.close()

    def sees(self, data: bytes) -> bool:
        """Whether these bytes come on stdout."""
        assert self.out is not None
        return self.out.sees(data)

    def pid_from_first_line(self) -> int:
        """The pid that the server wrote as its first line."""
        assert self.out is not None
        assert self.out.wait(lambda seen: b"\n" in seen)
        return int(self.out.data.split(b"\n")[0])

    def signal(self, number: int) -> None:
        """Send a signal to the started process alone."""
        os.kill(self.pid, number)

    def status(self) -> int:
        """The exit status, once it is over."""
        return self.process.wait(PATIENCE_S)

    def finish(self, data: bytes = b"") -> tuple[int, bytes, bytes]:
        """Send the last data, end stdin, and give status, stdout and stderr."""
        if self.process.stdin is not None:
            self.send_aside(data, close=True)
        status = self.status()
        return status, self.stdout(), self.stderr()

    def stdout(self) -> bytes:
        """All that came on stdout."""
        return self.out.end() if self.out is not None else b""

    def stderr(self) -> bytes:
        """All that came on stderr."""
        return self.err.end() if self.err is not None else b""

    def recording_begun(self) -> Path:
        """The path of the recording, once the start of the server stands in it."""

        def begun() -> list[Path]:
            return [path for path in self.records.rglob("*.jsonl") if b'"k":"spawn"' in path.read_bytes()]

        (path,) = eventually(begun)
        return path

    def recording(self) -> Recording:
        """The one recording that was made."""
        (path,) = self.records.rglob("*.jsonl")
        return Recording(path)

    def clean_up(self) -> None:
        """End what is still there, and close everything."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(2)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for stream in (self.out, self.err):
            if stream is not None:
                stream._thread.join(2)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


class Recording:
    """A recording, read to its end."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        with Reader(os.fspath(path)) as reader:
            self.header = reader.header
            self.items: list[Item] = list(reader.items())
            self.unfinished: list[Line] = reader.unfinished()
            self.state: State = reader.state()

    def bytes(self, channel: str) -> bytes:
        """The exact bytes of a channel."""
        lines = [item for item in self.items if isinstance(item, Line)] + self.unfinished
        return b"".join(line.raw for line in lines if line.channel == channel)

    def lines(self, channel: str) -> list[Line]:
        """The lines of a channel."""
        return [item for item in self.items if isinstance(item, Line) and item.channel == channel]

    def events(self, kind: str) -> list[Event]:
        """The events of a kind."""
        return [item for item in self.items if isinstance(item, Event) and item.kind == kind]

    def event(self, kind: str) -> dict[str, Any]:
        """The fields of the one event of a kind."""
        (event,) = self.events(kind)
        return event.fields


def environment(home: Path, **more: str) -> dict[str, str]:
    """A small environment, as clients pass it on, that keeps a test in its own folder."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "LANG": "C.UTF-8",
        **more,
    }
