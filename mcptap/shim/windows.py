"""What is particular to Windows. Written with care and never run: see mcptap/shim/README.md.

The same names as in `posix.py`. There are no signals to pass on: a Ctrl-C reaches every
process of the console by itself, and `TerminateProcess` gives no chance to do anything. That
the server dies with the tap is the work of a job object that is closed with our last handle.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import subprocess
import sys
from ctypes import wintypes

from mcptap.shim.resolve_windows import command_line

assert sys.platform == "win32"

import msvcrt  # noqa: E402 - only there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

CHILD_ENDED = -1
"""What `Signals.wait` gives when the server is gone (Windows has no SIGCHLD)."""

STOPPING: tuple[int, ...] = ()
ENDING: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM)
JOB_KILL_ON_CLOSE = 0x2000
JOB_EXTENDED_LIMITS = 9

_children: dict[int, subprocess.Popen[bytes]] = {}
_jobs: list[int] = []


class CannotStart(Exception):  # noqa: N818 - it is an outcome, not a fault
    """The server could not be started: `code` is the errno."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def original_environment() -> dict[bytes, bytes]:
    """The environment as it was handed to us."""
    return {os.fsencode(name): os.fsencode(value) for name, value in os.environ.items()}


CONTINUING = -1
"""There is no SIGCONT."""


class Job:
    """There are no process groups to look after."""

    def moved_to(self) -> int:
        """0: a server stays where it was started."""
        return 0

    def over(self) -> None:
        """Nothing is to be done."""


class Signals:
    """Waits for the child, and keeps a Ctrl-C (which the server gets as well) from ending us."""

    def __init__(self, on_terminal: bool = False) -> None:  # noqa: ARG002 - nothing is stopped here
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.ignored: set[int] = set()

    def wait(self, seconds: float | None = None) -> tuple[int, int, bool] | None:
        """`(CHILD_ENDED, 0, False)` once the server is gone; None if it is not in that time."""
        for child in _children.values():
            try:
                child.wait(seconds)
            except subprocess.TimeoutExpired:
                return None
        return CHILD_ENDED, 0, False


def start(
    argv: list[bytes],
    programs: Sequence[bytes],
    environ: Mapping[bytes, bytes],
    descriptors: Sequence[int | None],
    _signals: Signals,
) -> Child:
    """Start the first of `programs` that is a file."""
    found = next((path for path in programs if os.path.isfile(path)), None)
    if found is None:
        return Child(0, errno.ENOENT)
    line = command_line(os.fsdecode(found), [os.fsdecode(word) for word in argv[1:]])
    stdin, stdout, stderr = (subprocess.DEVNULL if fd is None else fd for fd in descriptors)
    variables = {os.fsdecode(name): os.fsdecode(value) for name, value in environ.items()}
    try:
        child = subprocess.Popen(line, stdin=stdin, stdout=stdout, stderr=stderr, env=variables)
    except OSError as error:
        return Child(0, error.errno or errno.EINVAL)
    _children[child.pid] = child
    _put_in_job(child)
    return Child(child.pid, 0)


class Child:
    """The server's process, or the errno why there is none."""

    def __init__(self, pid: int, code: int) -> None:
        self.pid = pid
        self._code = code

    def confirm(self) -> None:
        """Raises CannotStart if it could not be started."""
        if self._code:
            raise CannotStart(self._code)


def _put_in_job(child: subprocess.Popen[bytes]) -> None:
    """Tie the server's life, and that of all it starts, to ours."""
    kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel32.CreateJobObjectW.restype = wintypes.HANDLE
    job = kernel32.CreateJobObjectW(None, None)
    if not job:
        return
    # JOBOBJECT_EXTENDED_LIMIT_INFORMATION: LimitFlags stands behind two 64-bit times.
    limits = (ctypes.c_ubyte * (144 if sys.maxsize > 1 << 32 else 112))()
    ctypes.c_uint32.from_buffer(limits, 16).value = JOB_KILL_ON_CLOSE
    kernel32.SetInformationJobObject(
        wintypes.HANDLE(job), JOB_EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
    )
    kernel32.AssignProcessToJobObject(wintypes.HANDLE(job), wintypes.HANDLE(int(child._handle)))  # type: ignore[attr-defined]
    _jobs.append(job)


def inherited_descriptors() -> list[int]:
    """None: handles are not handed on by number."""
    return []


def become(
    _argv: list[bytes], _programs: Sequence[bytes], _environ: Mapping[bytes, bytes], _signals: Signals
) -> int:
    """Nothing: a process can't be replaced here."""
    return errno.ENOSYS


def has_children() -> bool:
    """Whether processes that the server left are known: never, the job object ends them."""
    return False


def reap(pid: int) -> int | None:
    """The exit code of the child, if it is gone."""
    return _children[pid].poll()


def has_ended(pid: int) -> bool:
    """Whether the child has ended."""
    return _children[pid].poll() is not None


def end_unused(pid: int) -> None:
    """End a server that was only just started."""
    _children[pid].kill()
    _children[pid].wait()


def send(_pid: int, _number: int) -> None:
    """Nothing: signals reach the server by the console, or not at all."""


def is_stopped(_pid: int) -> bool:
    """Whether the server stands still by a signal: never."""
    return False


def stop(_number: int) -> None:
    """Nothing: no signal stops a process here."""


def job_of(_server: int, _has_terminal: bool) -> Job:
    """What keeps watch over the server's process group."""
    return Job()


def descendants(_apart_from: Collection[int] = ()) -> list[int]:
    """Processes below this one: none are known."""
    return []


def end_tree(_signals: Signals, _apart_from: Collection[int] = ()) -> None:
    """Nothing: the job object ends what the server left, when we are gone."""


def signal_name(number: int) -> str:
    """SIGINT for 2, and so on."""
    return signal.Signals(number).name


def death_signal(_code: int) -> int:
    """0: nothing is killed by a signal here."""
    return 0


def describe(code: int) -> tuple[str, int | None, str | None]:
    """How the server ended: in words, and its exit code; None for a signal, which there is none of."""
    return f"exited with code {code}", code, None


def leave(code: int) -> None:
    """End with the server's exit code."""
    os._exit(code)


def use_binary_streams() -> None:
    """Keep the C runtime from translating line ends on 0, 1 and 2."""
    for fd in range(3):
        try:
            msvcrt.setmode(fd, os.O_BINARY)
        except OSError:
            pass  # closed
