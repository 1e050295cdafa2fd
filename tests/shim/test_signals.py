"""Signals reach the server once and at once, and nothing of its tree stays behind."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import sys
import termios
from pathlib import Path

import pytest

from tests.shim.conftest import Start
from tests.shim.running import MCPTAP, Recording, awkward, eventually, is_alive

FORWARDED = [
    *["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF"],
    *["SIGIO", "SIGURG", "SIGWINCH", "SIGRTMIN"],
]


@pytest.mark.parametrize("name", FORWARDED)
def test_a_signal_to_the_tap_alone_reaches_the_server_once(start: Start, name: str) -> None:
    tap = start(awkward("signals", *FORWARDED))
    assert tap.sees(b"ready\n")
    tap.signal(signal.Signals[name])
    assert tap.sees(name.encode() + b"\n")
    status, out, _ = tap.finish()
    assert (status, out) == (0, b"ready\n" + name.encode() + b"\nend\n")
    event = tap.recording().event("signal")
    assert (event["signal"], event["sender"], event["forwarded"]) == (name, os.getpid(), True)


def test_a_signal_stands_before_what_the_server_did_on_it(start: Start) -> None:
    for _ in range(5):
        tap = start(awkward("stubborn"))
        tap.pid_from_first_line()
        tap.signal(signal.SIGTERM)
        assert tap.status() == -signal.SIGTERM
        (path,) = tap.records.glob(f"*-{tap.pid}.jsonl")
        kinds = [json.loads(line)["k"] for line in path.read_text().splitlines()]
        assert kinds.index("signal") < kinds.index("eof")


def test_an_alarm_that_was_set_before_the_start_reaches_the_server(start: Start) -> None:
    """A timer of the kernel, which lives on when the process becomes the server."""
    tap = start(awkward("signals", "SIGALRM"), preexec_fn=lambda: signal.setitimer(signal.ITIMER_REAL, 1))
    assert tap.sees(b"SIGALRM\n")
    assert tap.finish()[0] == 0


def test_a_server_that_dies_by_the_signal_takes_the_tap_with_it(start: Start) -> None:
    tap = start(awkward("stubborn"))
    tap.pid_from_first_line()
    tap.signal(signal.SIGTERM)
    assert tap.status() == -signal.SIGTERM
    assert tap.recording().event("exit")["signal"] == "SIGTERM"


def test_a_server_may_answer_a_signal_with_an_exit_code(start: Start) -> None:
    tap = start(awkward("exit_at", "SIGINT", 7))
    assert tap.sees(b"ready\n")
    tap.signal(signal.SIGINT)
    assert tap.status() == 7


def test_sigint_then_sigterm_then_sigkill_with_stdin_open_leaves_nothing(start: Start) -> None:
    tap = start(awkward("signals", "SIGINT", "SIGTERM"))
    assert tap.sees(b"ready\n")
    tap.signal(signal.SIGINT)
    assert tap.sees(b"SIGINT\n")
    tap.signal(signal.SIGTERM)
    assert tap.sees(b"SIGTERM\n")
    server = tap.recording().event("spawn")["pid"]
    tap.signal(signal.SIGKILL)
    assert tap.status() == -signal.SIGKILL
    assert eventually(lambda: not is_alive(server))
    assert [event.fields["signal"] for event in tap.recording().events("signal")] == ["SIGINT", "SIGTERM"]


def test_a_signal_that_was_ignored_from_the_start_stays_ignored(start: Start) -> None:
    """As `nohup` does it for SIGHUP, and a shell for background jobs: passed on, and ignored there."""
    nohup = start(awkward("pid_until_end"), preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    server = nohup.pid_from_first_line()
    nohup.signal(signal.SIGHUP)
    nohup.signal(signal.SIGUSR1)  # delivered later, and not ignored: the server's end proves the order
    assert nohup.status() == -signal.SIGUSR1
    assert [event.fields["signal"] for event in nohup.recording().events("signal")] == ["SIGHUP", "SIGUSR1"]
    assert not is_alive(server)


def test_an_ignored_sigchld_does_not_hide_the_exit_status(start: Start) -> None:
    tap = start(awkward("exit_at_once", 5), preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    assert tap.status() == 5


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
def test_a_key_in_the_terminal_reaches_the_server_exactly_once(start: Start, number: int) -> None:
    master, slave = pty.openpty()

    def own_terminal() -> None:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    tap = start(awkward("signals", "SIGINT", "SIGQUIT"), stdin=slave, preexec_fn=own_terminal)
    os.close(slave)
    try:
        name = signal.Signals(number).name.encode()
        assert tap.sees(b"ready\n")
        os.write(master, b"\x03" if number == signal.SIGINT else b"\x1c")
        assert tap.sees(name + b"\n")
        os.write(master, b"\x04")
        assert tap.status() == 0
        assert tap.stdout() == b"ready\n" + name + b"\nend\n"
        assert tap.recording().event("signal")["forwarded"] is False
    finally:
        os.close(master)


def test_a_terminal_that_hangs_up_ends_the_server(start: Start) -> None:
    master, slave = pty.openpty()

    def own_terminal() -> None:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    tap = start(awkward("stubborn"), stdin=slave, preexec_fn=own_terminal)
    os.close(slave)
    server = tap.pid_from_first_line()
    os.close(master)  # the kernel tells the leader of the session alone, and that is the tap
    assert tap.status() == -signal.SIGHUP
    assert not is_alive(server)


def test_an_interrupt_before_the_server_is_started_ends_the_tap_without_a_traceback(start: Start) -> None:
    program = (
        "import os, signal, sys, types\n"
        "run = types.ModuleType('mcptap.shim.run')\n"
        "run.main = lambda arguments: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.modules['mcptap.shim.run'] = run\n"
        "from mcptap.cli import main\n"
        "main()\n"
    )
    tap = start([sys.executable, "-c", program, "run", "--", "server"], direct=True)
    assert tap.finish() == (-signal.SIGINT, b"", b"")


BEHIND = {
    "a shell that waits in the foreground": ["sh", "-c", '"$@"; exit $?', "sh"],
    "a shell that waits for the background": [
        "sh",
        "-c",
        'exec 3<&0; "$@" <&3 3<&- & exec 3<&- 0</dev/null; wait',
        "sh",
    ],
    "two shells": ["sh", "-c", 'sh -c \'"$@"; exit $?\' sh "$@"; exit $?', "sh"],
}


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("what", ["stubborn", "pid_until_end"])
def test_after_sigterm_a_server_behind_a_shell_is_gone_too(start: Start, behind: str, what: str) -> None:
    tap = start([*BEHIND[behind], *awkward(what)])
    server = tap.pid_from_first_line()
    tap.signal(signal.SIGTERM)
    assert tap.status() == -signal.SIGTERM
    assert not is_alive(server)
    assert "left" not in tap.recording().event("exit")


def test_a_grandchild_that_ignores_sigterm_is_killed_in_the_end(start: Start) -> None:
    tap = start([*BEHIND["a shell that waits in the foreground"], *awkward("signals", "SIGTERM")])
    assert tap.sees(b"ready\n")
    children = _descendants(tap.pid)
    tap.signal(signal.SIGTERM)
    tap.status()
    assert [pid for pid in children if is_alive(pid)] == []


def test_a_daemon_with_a_session_of_its_own_is_left_and_named(start: Start) -> None:
    tap = start(["sh", "-c", "setsid sleep 60 >/dev/null 2>&1 & echo ready; while :; do sleep 0.02; done"])
    assert tap.sees(b"ready\n")
    sleeper = eventually(
        lambda: [p for p in _descendants(tap.pid) if _session(p) == p and _name(p) == "sleep"]
    )[0]
    tap.signal(signal.SIGTERM)
    tap.status()
    assert is_alive(sleeper)
    assert sleeper in tap.recording().event("exit")["left"]
    os.kill(sleeper, signal.SIGKILL)


def test_a_server_that_was_stopped_and_continued_goes_on(start: Start) -> None:
    tap = start(awkward("echo"))
    tap.recording_begun()
    server = tap.recording().event("spawn")["pid"]
    os.kill(server, signal.SIGSTOP)
    tap.send(b"while it is stopped\n")
    os.kill(server, signal.SIGCONT)
    assert tap.sees(b"while it is stopped\n")
    assert tap.finish()[0] == 0
    assert tap.recording().events("signal") == []


def test_a_tap_behind_a_tap_passes_everything_on_once(start: Start, tmp_path: Path) -> None:
    inner = [*MCPTAP, "run", "--quiet", "--record", str(tmp_path / "inner.jsonl"), "--"]
    tap = start([*inner, *awkward("signals", "SIGUSR1", "SIGTERM")])
    assert tap.sees(b"ready\n")
    tap.signal(signal.SIGUSR1)
    assert tap.sees(b"SIGUSR1\n")
    status, out, err = tap.finish(b"bye\n")
    assert (status, out, err) == (0, b"ready\nSIGUSR1\nend\n", b"")
    for recording in (tap.recording(), Recording(tmp_path / "inner.jsonl")):
        assert recording.bytes("c2s") == b"bye\n"
        assert recording.bytes("s2c") == out
        assert recording.event("signal")["signal"] == "SIGUSR1"
        assert recording.event("exit")["code"] == 0


def test_the_end_of_input_ends_a_server_behind_a_shell(start: Start) -> None:
    tap = start([*BEHIND["a shell that waits in the foreground"], *awkward("pid_until_end")])
    server = tap.pid_from_first_line()
    assert tap.finish()[0] == 0
    assert not is_alive(server)


def test_a_group_that_is_killed_at_once_dies_as_a_whole(start: Start) -> None:
    tap = start(awkward("stubborn"), start_new_session=True)
    server = tap.pid_from_first_line()
    os.killpg(tap.pid, signal.SIGKILL)
    assert tap.status() == -signal.SIGKILL
    assert eventually(lambda: not is_alive(server))


def test_a_group_that_is_terminated_dies_as_a_whole(start: Start) -> None:
    tap = start(awkward("stubborn"), start_new_session=True)
    server = tap.pid_from_first_line()
    os.killpg(tap.pid, signal.SIGTERM)
    assert tap.status() == -signal.SIGTERM
    assert not is_alive(server)
    assert tap.recording().event("exit")["signal"] == "SIGTERM"


def test_a_client_that_does_not_read_still_ends_the_server_with_a_signal(start: Start) -> None:
    tap = start(awkward("flood_and_wait", 1000, 1000), read_stdout=False)
    path = tap.recording_begun()
    assert eventually(lambda: path.read_bytes().count(b'"ch":"s2c"') > 50)
    tap.signal(signal.SIGTERM)
    assert tap.status() == -signal.SIGTERM
    assert tap.recording().event("exit")["signal"] == "SIGTERM"


def test_a_second_signal_ends_the_wait_for_a_client_that_does_not_read(start: Start) -> None:
    """The server is gone by itself, but not all it wrote was taken."""
    tap = start(["sh", "-c", "head -c 100000 /dev/zero; exit 2"], read_stdout=False)
    tap.recording_begun()
    server = tap.recording().event("spawn")["pid"]
    assert eventually(lambda: not is_alive(server))
    tap.signal(signal.SIGTERM)
    assert tap.status() == 2


def _descendants(pid: int) -> list[int]:
    found = []
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return []
    for child in children:
        found += [child, *_descendants(child)]
    return found


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return -1


def _name(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().strip()
    except OSError:
        return ""
