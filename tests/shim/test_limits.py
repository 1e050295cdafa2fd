"""What mcptap/shim/README.md says of `mcptap run`: each was seen, compared with a direct start."""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from tests.shim.conftest import Start
from tests.shim.running import MCPTAP, PYTHON, awkward, environment, eventually, is_alive

PR_SET_PDEATHSIG, PR_GET_PDEATHSIG = 1, 2


def through_and_direct(start: Start, server: list[str], data: bytes = b"", **popen: object) -> list[object]:
    """Status and stdout of a server, behind the tap and directly."""
    return [start(server, direct=direct, **popen).finish(data)[:2] for direct in (False, True)]


def test_the_parent_that_the_server_sees_is_mcptap(start: Start) -> None:
    server = [*PYTHON, "-c", "import os; print(os.getppid(), flush=True)"]
    tap, one = start(server), start(server, direct=True)
    assert (int(tap.finish()[1]), int(one.finish()[1])) == (tap.pid, os.getpid())


def test_orphans_of_the_server_become_children_of_mcptap(start: Start) -> None:
    server = ["sh", "-c", "(sleep 60 & echo $!) ; cat"]
    for direct in (False, True):
        one = start(server, direct=direct)
        orphan = one.pid_from_first_line()
        try:
            stat = Path(f"/proc/{orphan}/stat").read_text()
            parent = int(stat.rpartition(") ")[2].split()[1])
            assert (parent == one.pid) == (not direct)
        finally:
            os.kill(orphan, signal.SIGKILL)
            one.finish()


def test_the_signal_at_the_parents_death_is_mcptaps_own(start: Start) -> None:
    program = "import ctypes; n = ctypes.c_int(); ctypes.CDLL(None).prctl(2, ctypes.byref(n)); print(n.value)"
    libc = ctypes.CDLL(None)
    seen = through_and_direct(
        start, [*PYTHON, "-c", program], preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGUSR1)
    )
    assert seen == [(0, b"9\n"), (0, b"10\n")]


def test_timers_set_before_the_start_run_in_mcptap(start: Start) -> None:
    program = "import signal; print(signal.getitimer(signal.ITIMER_REAL)[0] > 0)"
    seen = through_and_direct(
        start, [*PYTHON, "-c", program], preexec_fn=lambda: signal.setitimer(signal.ITIMER_REAL, 100)
    )
    assert seen == [(0, b"False\n"), (0, b"True\n")]


def test_what_the_server_leaves_unread_of_a_shared_file_is_read_by_mcptap(
    start: Start, tmp_path: Path
) -> None:
    shared = tmp_path / "shared"
    shared.write_text("first\nsecond\n")
    seen = []
    for tap in ([*MCPTAP, "run", "--quiet", "--no-record", "--"], []):
        with shared.open() as file:
            done = subprocess.run(
                ["sh", "-c", '"$@"; cat', "sh", *tap, "sh", "-c", "read line; echo $line"],
                stdin=file, capture_output=True, env=environment(tmp_path), check=False,
            )  # fmt: skip
        seen.append(done.stdout)
    assert seen == [b"first\n", b"first\nsecond\n"]


def test_why_a_write_to_the_client_failed_is_always_that_it_is_gone(start: Start) -> None:
    program = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGPIPE, signal.SIG_IGN)\n"
        "try:\n"
        "    while True: os.write(1, b'x' * 100)\n"
        "except OSError as error: os.write(2, error.strerror.encode())"
    )
    seen = []
    for direct in (False, True):
        with open("/dev/full", "wb") as full:
            seen.append(start([*PYTHON, "-c", program], direct=direct, stdout=full).finish()[2])
    assert seen == [b"Broken pipe", b"No space left on device"]


def test_that_the_server_dumped_core_is_not_in_the_status(start: Start, tmp_path: Path) -> None:
    def dump() -> None:
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))

    seen = []
    for direct in (False, True):
        one = start(["sh", "-c", "echo ready; exec cat"], direct=direct, preexec_fn=dump)
        assert one.sees(b"ready\n")
        one.signal(signal.SIGQUIT)
        _, status = os.waitpid(one.pid, 0)
        seen.append((os.WTERMSIG(status), os.WCOREDUMP(status)))
    if not seen[1][1]:
        pytest.skip("nothing dumps core here")
    assert seen == [(signal.SIGQUIT, False), (signal.SIGQUIT, True)]


def test_a_server_that_stops_itself_is_not_seen_to_stop(start: Start) -> None:
    server = [
        *PYTHON,
        "-c",
        "import os; print(os.getpid(), flush=True); os.kill(os.getpid(), 19); print('on')",
    ]
    one = start(server)
    pid = one.pid_from_first_line()
    assert eventually(lambda: Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] == "T")
    assert os.waitpid(one.pid, os.WUNTRACED | os.WNOHANG) == (0, 0)
    one.signal(signal.SIGCONT)
    assert one.finish()[:2] == (0, b"%d\non\n" % pid)


def test_sigstop_stops_mcptap_and_not_the_server(start: Start) -> None:
    one = start(awkward("stubborn"))
    server = one.pid_from_first_line()
    one.signal(signal.SIGSTOP)
    os.waitpid(one.pid, os.WUNTRACED)
    assert Path(f"/proc/{server}/stat").read_text().rpartition(") ")[2][0] != "T"
    one.signal(signal.SIGCONT)
    one.signal(signal.SIGTERM)
    assert one.status() == -signal.SIGTERM


def test_flags_and_sizes_of_the_clients_pipes_do_not_reach_the_server(start: Start) -> None:
    program = "import fcntl; print(fcntl.fcntl(0, 3) & 0o4000 > 0, fcntl.fcntl(0, 1032))"
    seen = []
    for direct in (False, True):
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        fcntl.fcntl(reading, 1031, 1 << 12)
        one = start([*PYTHON, "-c", program], direct=direct, stdin=reading)
        os.close(reading)
        os.close(writing)
        seen.append(one.finish()[1])
    assert seen == [b"False 65536\n", b"True 4096\n"]


def test_descriptors_that_are_sent_over_a_socket_are_lost(start: Start) -> None:
    program = (
        "import socket, sys\n"
        "try: print(len(socket.recv_fds(socket.socket(fileno=0), 10, 1)[1]))\n"
        "except OSError as error: print(error.strerror)"
    )
    seen = []
    for direct in (False, True):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            one = start([*PYTHON, "-c", program], direct=direct, stdin=theirs)
            socket.send_fds(ours, [b"x"], [1])
            seen.append(one.finish()[1])
    assert seen == [b"Socket operation on non-socket\n", b"1\n"]


@pytest.mark.parametrize("direct", [False, True])
def test_killed_it_takes_the_server_with_it_and_not_what_that_started(start: Start, direct: bool) -> None:
    one = start(["sh", "-c", "sleep 60 & echo $!; wait"], direct=direct)
    child = one.pid_from_first_line()
    one.signal(signal.SIGKILL)
    assert one.status() == -signal.SIGKILL
    assert is_alive(child)
    os.kill(child, signal.SIGKILL)
