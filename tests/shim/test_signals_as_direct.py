"""Each signal, sent to the tap alone, does what it would do to the server: by default, handled, ignored."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence

import pytest

from tests.shim.conftest import Start
from tests.shim.running import LAUNCHED, PYTHON, Running, awkward, eventually, is_alive

STANDARD = [number for number in range(1, 32) if number not in (signal.SIGKILL, signal.SIGSTOP)]
ALL = [*STANDARD, signal.SIGRTMIN, signal.SIGRTMIN + 5, signal.SIGRTMAX]
STOPPING = (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
HARMLESS = (signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH)
CAT = ["sh", "-c", "echo ready; exec cat"]


def state(pid: int) -> str:
    """The state of a process, as ps shows it."""
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(") ")[2][0]


def server_of(one: Running) -> int:
    """The pid of the server behind a tap."""
    with open(f"/proc/{one.pid}/task/{one.pid}/children") as file:
        return int(file.read().split()[0])


@pytest.mark.parametrize("number", [n for n in ALL if n not in STOPPING + HARMLESS])
def test_a_signal_that_kills_kills_both(start: Start, number: int) -> None:
    for direct in (True, False):
        one = start(CAT, direct=direct)
        assert one.sees(b"ready\n")
        one.signal(number)
        assert one.status() == -number, direct
        assert one.stderr() == b""


@pytest.mark.parametrize("number", HARMLESS)
def test_a_signal_that_does_nothing_does_nothing(start: Start, number: int) -> None:
    one = start(CAT)
    assert one.sees(b"ready\n")
    one.signal(number)
    assert one.finish(b"goes on\n") == (0, b"ready\ngoes on\n", b"")


@pytest.mark.parametrize("number", STOPPING)
def test_a_signal_that_stops_stops_both_until_they_are_to_go_on(start: Start, number: int) -> None:
    # In an orphaned group, as that of tests in the background may be, the kernel would stop nobody.
    one = start(CAT, process_group=0)
    assert one.sees(b"ready\n")
    server = server_of(one)
    for _ in range(2):
        one.signal(number)
        _, status = os.waitpid(one.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        assert os.WSTOPSIG(status) == number
        assert state(server) == "T"
        one.signal(signal.SIGCONT)
        assert eventually(lambda: state(server) != "T")
    assert one.finish(b"goes on\n") == (0, b"ready\ngoes on\n", b"")


@pytest.mark.parametrize("order", [1, -1], ids=["in order", "backwards"])
def test_each_signal_that_the_server_handles_reaches_it_and_is_no_more_than_that(
    start: Start, order: int
) -> None:
    numbers = [int(number) for number in ALL[::order]]
    program = (
        "import os, signal, sys\n"
        f"signal.pthread_sigmask(signal.SIG_BLOCK, {numbers})\n"
        "os.write(1, b'ready\\n')\n"
        f"for _ in {numbers}: os.write(1, b'%d\\n' % signal.sigwait({numbers}))\n"
        "while b := os.read(0, 9999): os.write(1, b)"
    )
    one = start([*PYTHON, "-c", program])
    expected = b"ready\n"
    assert one.sees(expected)
    for number in numbers:
        one.signal(number)
        expected += b"%d\n" % number
        assert one.sees(expected), number
    assert one.finish(b"goes on\n") == (0, expected + b"goes on\n", b"")


SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGCHLD, signal.SIGTSTP)


@pytest.mark.parametrize("numbers", [*((number,) for number in SIGNALS), ALL], ids=[*SIGNALS, "all"])
@pytest.mark.skipif(not LAUNCHED, reason="Python hides what it ignores for itself")
def test_signals_that_are_ignored_from_the_start_are_ignored_by_both(
    start: Start, numbers: Sequence[int]
) -> None:
    def ignore() -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)

    seen = []
    for direct in (True, False):
        one = start(
            ["sh", "-c", "grep SigIgn /proc/self/status; exec cat"],
            direct=direct, preexec_fn=ignore, restore_signals=False,
        )  # fmt: skip
        assert one.sees(b"\n")
        for number in numbers:
            one.signal(number)
        seen.append(one.finish(b"goes on\n"))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGPIPE", "SIGCHLD"])
def test_a_server_may_handle_what_was_ignored_when_it_was_started(start: Start, name: str) -> None:
    def ignore() -> None:
        signal.signal(signal.Signals[name], signal.SIG_IGN)

    one = start(awkward("exit_at", name, 7), preexec_fn=ignore, restore_signals=False)
    assert one.sees(b"ready\n")
    one.signal(signal.Signals[name])
    assert one.status() == 7


WAITING = """
import os, signal, sys
numbers = sorted(map(int, sys.argv[1:]))
assert sorted(signal.sigwait(set(numbers)) for _ in numbers) == numbers
os.write(1, b"all came")
"""


@pytest.mark.parametrize(
    "names", [["SIGTERM"], ["SIGTERM", "SIGHUP"], ["SIGINT", "SIGTSTP", "SIGUSR1"]], ids=str
)
def test_signals_that_wait_at_the_start_reach_the_server(start: Start, names: list[str]) -> None:
    numbers = [signal.Signals[name] for name in names]

    def block_and_send() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
        for number in numbers:
            os.kill(os.getpid(), number)

    server = [*PYTHON, "-c", WAITING, *(str(int(number)) for number in numbers)]
    for direct in (True, False):
        one = start(server, direct=direct, preexec_fn=block_and_send)
        assert one.finish() == (0, b"all came", b"")


@pytest.mark.skipif(not LAUNCHED, reason="without the launcher Python answers until our first line")
def test_an_interrupt_at_any_moment_of_the_start_ends_it_in_silence(start: Start) -> None:
    """Before Python, in it, before the server or in it: which of them a moment hits is up to the machine."""
    for step in range(30):
        one = start(["sleep", "60"])
        time.sleep(step * 0.003)
        one.signal(signal.SIGINT)
        assert (one.status(), one.stdout(), one.stderr()) == (-signal.SIGINT, b"", b"")


HELPER = """
import os, signal, subprocess
helper = subprocess.Popen(["sleep", "60"], stdin=-3, stdout=-3, stderr=-3)
signal.signal(signal.SIGINT, lambda *_: os.write(1, b"handled\\n"))
os.write(1, b"%d\\n" % helper.pid)
while b := os.read(0, 9999): os.write(1, b)
"""


def test_a_signal_that_was_handled_long_ago_ends_no_helper_of_the_server(start: Start) -> None:
    one = start([*PYTHON, "-c", HELPER])
    helper = one.pid_from_first_line()
    try:
        one.signal(signal.SIGINT)
        assert one.sees(b"handled\n")
        one.send(b"and the client goes on\n")
        assert one.sees(b"goes on\n")
        assert one.finish()[0] == 0
        assert is_alive(helper)
    finally:
        os.kill(helper, signal.SIGKILL)
