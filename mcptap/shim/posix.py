"""What is particular to POSIX: starting the server, signals, the process tree, the way to leave.

Kept in one place with its reasons, so that another platform can be written beside it
(`windows.py`). Linux has all of it; macOS lacks the parent-death signal, the subreaper and
`sigwaitinfo`, and does without (not tested there).
"""

from __future__ import annotations

import errno
import os
import sys
import time

from mcptap.shim.launched import ENTRIES, IGNORED

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Collection, Sequence

    from mcptap.shim.job import Job
else:
    import _signal as signal  # its other half imports enum: a quarter of a bare interpreter's start

LINUX = sys.platform == "linux"
PR_SET_PDEATHSIG = 1
PR_SET_NAME = 15
PR_SET_CHILD_SUBREAPER = 36
SI_KERNEL = 0x80
"""`si_code` of a signal that the kernel itself sent: from the terminal, to the whole group."""

OWN = (signal.SIGPIPE, signal.SIGXCPU, signal.SIGXFSZ)
"""Signals about our own writing and CPU time, if the kernel sent them; from others they are passed on."""

STOPPING = (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
CONTINUING = signal.SIGCONT
FROM_TERMINAL = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGWINCH, signal.SIGCONT, *STOPPING)
ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
"""Signals with which a client wants the server gone, and whatever it left with it."""

CHILD_ENDED = -1
"""What `Signals.wait` gives when a child has ended, stopped or gone on."""

OTHER_NAMES = ("SIGCLD", "SIGIOT", "SIGPOLL")
SIGNAL_NAMES = [
    name for name in dir(signal) if name[:3] == "SIG" and name[3] != "_" and name not in OTHER_NAMES
]

TREE_GRACE_S = 1.0
"""What is left of the server's tree has so long between SIGTERM and SIGKILL: clients wait 2 s."""


class CannotStart(Exception):  # noqa: N818 - it is an outcome, not a fault
    """The server could not be started: `code` is the errno."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Environment(dict[bytes, bytes]):
    """Variables by name, and `entries`, from which the server gets exactly what we got.

    A name may stand there twice (the first counts, as for getenv), and an entry may have no
    name or no `=`: the kernel passes on whatever it was given.
    """

    def __init__(self, entries: list[bytes]) -> None:
        self.entries = entries
        for entry in entries:
            name, equals, value = entry.partition(b"=")
            if equals and name:
                self.setdefault(name, value)

    @property
    def is_plain(self) -> bool:
        """Whether the dictionary says it all."""
        return len(self) == len(self.entries)


def original_environment() -> Environment:
    """The environment as it was handed to us.

    Python itself adds LC_CTYPE in the C locale (PEP 538), which the server would then see.
    """
    return Environment(ENTRIES)


def use_binary_streams() -> None:
    """Nothing: descriptors are binary here."""


class Signals:
    """The signals of this process, held back so that one thread can take them in order.

    They are blocked before any thread starts, so every thread inherits that and the main
    thread alone receives them, by `wait`. All of them, for the server may do what it likes
    with each. `on_terminal`: this process reads from or writes to a terminal, which stops it for
    that in the background, if the signals for it are not blocked.
    """

    def __init__(self, on_terminal: bool = False) -> None:
        kept = {signal.SIGKILL, signal.SIGSTOP}
        if on_terminal:
            kept |= {signal.SIGTTIN, signal.SIGTTOU}
        self._waited = signal.valid_signals() - kept
        self._before = signal.pthread_sigmask(signal.SIG_BLOCK, self._waited)
        self.ignored = {number for number in self._waited if signal.getsignal(number) is signal.SIG_IGN}
        """Those that were ignored when we were started, as `nohup` does with SIGHUP."""
        self.ignored.difference_update({signal.SIGPIPE, signal.SIGXFSZ} - IGNORED)  # by Python, for itself
        for number in self.ignored - {signal.SIGPIPE, signal.SIGXFSZ}:
            signal.signal(number, signal.SIG_DFL)  # else they, or a child's status, would be lost
        self._early: list[tuple[int, int, bool]] = []

    def take_early(self) -> None:
        """Keep what came before there was a server for it: the terminal's as well, which it never got."""
        while signal.sigpending() & self._waited and (caught := self._take(0)):
            self._early.append((caught[0], caught[1], False))

    def restore_in_child(self) -> None:
        """In the forked child: leave signals as they were handed to us."""
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):  # Python's own ways with them
            signal.signal(number, signal.SIG_DFL)
        for number in self.ignored:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._before)

    def wait(self, seconds: float | None = None) -> tuple[int, int, bool] | None:
        """The next signal: its number, its sender's pid (0 if unknown), whether the whole
        foreground group has it from the terminal. None if none came in so many seconds.
        """
        return self._early.pop(0) if self._early else self._take(seconds)

    def _take(self, seconds: float | None) -> tuple[int, int, bool] | None:
        if not hasattr(signal, "sigwaitinfo"):
            return self._wait_without_info(seconds)
        while True:
            if seconds is None:
                info = signal.sigwaitinfo(self._waited)
            else:
                timed = signal.sigtimedwait(self._waited, seconds)
                if timed is None:
                    return None
                info = timed
            number, by_kernel = info.si_signo, info.si_code == SI_KERNEL
            if number == signal.SIGCHLD and info.si_code > 0:
                return CHILD_ENDED, info.si_pid, False
            if number in OWN and (by_kernel or info.si_pid == os.getpid()):
                continue
            from_terminal = by_kernel and number in FROM_TERMINAL  # else a timer, say
            return number, info.si_pid, from_terminal and not self._for_leader(number)

    @staticmethod
    def _for_leader(number: int) -> bool:
        """A terminal that hangs up tells the leader of its session alone, and we may be that."""
        return number == signal.SIGHUP and os.getsid(0) == os.getpid()

    def _wait_without_info(self, seconds: float | None) -> tuple[int, int, bool] | None:
        if seconds is not None:
            if not signal.sigpending() & self._waited:
                time.sleep(seconds)
            if not signal.sigpending() & self._waited:
                return None
        number = signal.sigwait(self._waited)
        if number == signal.SIGCHLD:
            return CHILD_ENDED, 0, False
        return number, 0, number in (signal.SIGINT, signal.SIGQUIT) and _in_foreground()


def _in_foreground() -> bool:
    try:
        fd = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(fd)


def _prctl() -> Callable[[int, int | bytes], int] | None:
    """prctl(2), on Linux. Looked up before the fork: the child should do as little as it can."""
    if not LINUX:
        return None
    try:
        # The C half of ctypes: the other half costs as much as all modules of the shim together.
        from _ctypes import call_function, dlopen, dlsym

        function = dlsym(dlopen(None, os.RTLD_NOW), "prctl")  # type: ignore[arg-type]
    except (ImportError, OSError):
        return None

    def prctl(option: int, value: int | bytes) -> int:
        result: int = call_function(function, (option, value, 0, 0, 0))
        return result

    return prctl


def tie_to_parent(number: int = signal.SIGKILL) -> Callable[[], None]:
    """What a child calls between fork and exec to be sent a signal when its parent dies (Linux).

    To be made before the fork. The signal follows the death of the *thread* that forked.
    """
    prctl, parent = _prctl(), os.getpid()

    def tie() -> None:
        if prctl is not None:
            prctl(PR_SET_PDEATHSIG, number)
            if os.getppid() != parent:  # it died before that
                os._exit(1)

    return tie


def inherited_descriptors() -> list[int]:
    """Descriptors above 2 that were handed to us: meant for the server, and its alone."""
    numbers: list[int] | range = range(256)
    for folder in ("/dev/fd", "/proc/self/fd"):
        try:
            numbers = [int(name) for name in os.listdir(folder)]
            break
        except OSError:  # a container without it
            continue
    return [fd for fd in numbers if fd > 2 and _is_inheritable(fd)]


def _is_inheritable(fd: int) -> bool:
    try:
        return os.get_inheritable(fd)
    except OSError:  # the listing's own, closed by now
        return False


def become(argv: list[bytes], programs: Sequence[bytes], environ: Environment, signals: Signals) -> int:
    """Replace this process by the server; returns, with the errno, only if that fails."""
    prctl = _prctl()
    if prctl is not None:
        prctl(PR_SET_CHILD_SUBREAPER, 0)
    signals.restore_in_child()
    return _execute(programs, argv, environ)


def start(
    argv: list[bytes],
    programs: Sequence[bytes],
    environ: Environment,
    descriptors: Sequence[int | None],
    signals: Signals,
) -> Child:
    """Start the first of `programs` that can be. Raises OSError if there can be no process.

    `descriptors` become 0, 1 and 2; None means closed, as ours was. All else is inherited
    as from a direct start. A plain fork, since only between fork and exec can the parent-death
    signal be set; it is cheap in a process this small. It must be called by the main thread,
    and before any other runs: the signal follows the death of the *thread* that forked.
    """
    prctl = _prctl()
    if prctl is not None:
        # Orphans of the server's tree become our children, so that they can be found.
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        prctl(PR_SET_NAME, b"mcptap\0")  # else ps and pgrep see a python
    tie = tie_to_parent()
    asks_whether_it_leads = os.getpid() == os.getpgrp() and os.path.basename(argv[0]) == b"setsid"
    failed, report = os.pipe()
    signals.take_early()
    pid = os.fork()
    if pid == 0:
        code = errno.ENOENT
        try:
            tie()
            if asks_whether_it_leads:  # and forks then, and stays behind or ends
                os.setpgid(0, 0)
            _set_descriptors(descriptors)
            signals.restore_in_child()
            code = _execute(programs, argv, environ)
        except OSError as error:
            code = error.errno or errno.EIO
        finally:
            os.write(report, b"%d" % code)
            os._exit(127)
    os.close(report)
    return Child(pid, failed)


class Child:
    """A process that is about to become the server."""

    def __init__(self, pid: int, report: int) -> None:
        self.pid = pid
        self._report = report

    def confirm(self) -> None:
        """Wait until it is the server. Raises CannotStart."""
        answer = os.read(self._report, 16)  # ends without a byte when the exec closes the other end
        os.close(self._report)
        if answer:
            os.waitpid(self.pid, 0)
            raise CannotStart(int(answer))


def _set_descriptors(descriptors: Sequence[int | None]) -> None:
    for target, fd in enumerate(descriptors):
        if fd is None:
            os.close(target)
        else:
            os.dup2(fd, target)


def _execute(programs: Sequence[bytes], argv: list[bytes], environ: Environment) -> int:
    """Try to become one of the programs, as execvp(3) does; return the errno of the failure."""
    code = errno.ENOENT
    execute = os.execve if environ.is_plain else _execute_exactly
    for path in programs:
        try:
            execute(path, argv, environ)
        except OSError as error:
            if error.errno == errno.ENOEXEC and _is_text(path):
                # A script without a first line for the kernel: clients that use execvp run it.
                execute(b"/bin/sh", [b"sh", path, *argv[1:]], environ)
            if error.errno not in (errno.ENOENT, errno.ENOTDIR):
                code = error.errno or errno.EIO
            if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.EACCES):
                break
    return code


def _execute_exactly(path: bytes, argv: list[bytes], environ: Environment) -> None:
    """execve(2) with entries that `os.execve`, which takes names and values, can't express."""
    try:
        from ctypes import CDLL, c_char_p, get_errno
    except ImportError:
        os.execve(path, argv, environ)
    words = (c_char_p * (len(argv) + 1))(*argv, None)
    entries = (c_char_p * (len(environ.entries) + 1))(*environ.entries, None)
    CDLL(None, use_errno=True).execve(path, words, entries)
    raise OSError(get_errno(), os.strerror(get_errno()), path)


def _is_text(path: bytes) -> bool:
    with open(path, "rb") as file:
        return b"\0" not in file.read(256)


def has_children() -> bool:
    """Whether any process is our child: the server, or (Linux) what it left behind."""
    if not LINUX:
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def reap(pid: int) -> int | None:
    """Reap what can be reaped; the wait status of `pid` if it was among it."""
    status = None
    while True:
        try:
            done, wait_status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if done == 0:
            return status
        if done == pid:
            status = wait_status


def has_ended(pid: int) -> bool:
    """Whether a child has ended, be it reaped or not; never where that can't be asked."""
    if not hasattr(os, "waitid"):
        return False
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def is_stopped(pid: int) -> bool:
    """Whether a child of ours stands still, by a signal; never where that can't be asked."""
    if not hasattr(os, "waitid"):
        return False
    try:
        return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return False


def stop(number: int) -> None:
    """Stand still by a signal, so that whoever waits for us sees it, until we are to go on."""
    os.kill(os.getpid(), number)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    signal.pthread_sigmask(signal.SIG_BLOCK, {number})


def end_unused(pid: int) -> None:
    """End a server that was only just started."""
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def send(pid: int, number: int) -> None:
    """Send a signal to a process, or to the group `-pid`, that may be gone."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def job_of(server: int, has_terminal: bool) -> Job:
    """What keeps watch over the server's process group. `has_terminal`: it reads one that is stdin."""
    from mcptap.shim.job import Job  # not needed before the server is started

    return Job(server, has_terminal)


def descendants(apart_from: Collection[int] = ()) -> list[int]:
    """Pids of all processes below this one, but for some and what is below them.

    On Linux; elsewhere none are known.
    """
    if not LINUX:
        return []
    try:
        entries = os.listdir("/proc")
    except OSError:
        return []
    parents = {}
    for entry in entries:
        if entry.isdigit():
            fields = _stat(int(entry))
            if fields and fields[0] not in ("Z", "X"):
                parents[int(entry)] = int(fields[1])
    below = {os.getpid()}
    found: list[int] = []
    while True:
        more = [p for p in parents if parents[p] in below and p not in below and p not in apart_from]
        if not more:
            return found
        below.update(more)
        found += more


def _stat(pid: int) -> list[str]:
    """Fields of /proc/PID/stat from the state on; empty if the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].decode().split()
    except OSError:
        return []


def end_tree(signals: Signals, apart_from: Collection[int] = ()) -> None:
    """End what the server left behind, but for some processes: SIGTERM, a moment, SIGKILL.

    Processes that made a session of their own are meant to stay (daemons): they are left.
    """
    session = os.getsid(0)

    def ours() -> list[int]:
        return [pid for pid in descendants(apart_from) if _session(pid) == session]

    for number, grace in ((signal.SIGTERM, TREE_GRACE_S), (signal.SIGKILL, 0.5)):
        for pid in ours():
            send(pid, number)
        end = time.monotonic() + grace
        while ours() and time.monotonic() < end:
            signals.wait(0.02)
            reap(0)


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return -1


def signal_name(number: int) -> str:
    """SIGTERM for 15, and so on."""
    for name in SIGNAL_NAMES:
        if getattr(signal, name) == number:
            return name
    return f"SIG{number}"  # a real-time signal


def death_signal(wait_status: int) -> int:
    """The signal that killed the server; 0 if it exited."""
    return os.WTERMSIG(wait_status) if os.WIFSIGNALED(wait_status) else 0


def describe(wait_status: int) -> tuple[str, int | None, str | None]:
    """How the server ended: in words, and its exit code or the name of the signal that killed it."""
    if os.WIFSIGNALED(wait_status):
        name = signal_name(os.WTERMSIG(wait_status))
        return f"was killed by {name}", None, name
    code = os.WEXITSTATUS(wait_status)
    return f"exited with code {code}", code, None


def leave(wait_status: int) -> None:
    """End as the server ended: with its exit code, or by the signal that killed it."""
    if os.WIFSIGNALED(wait_status):
        number = os.WTERMSIG(wait_status)
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the server's core dump is the one wanted
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
        os._exit(128 + number)
    os._exit(os.WEXITSTATUS(wait_status))
