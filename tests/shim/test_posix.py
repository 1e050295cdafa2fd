"""What of the platform can be seen without a server: the environment, and how an end is described."""

from __future__ import annotations

import os
import signal

import pytest

from mcptap.shim.posix import Environment, describe, has_ended, signal_name


def test_the_first_of_two_variables_of_a_name_counts_and_odd_entries_have_no_name() -> None:
    entries = [b"A=1", b"A=2", b"B=", b"=x", b"no equals sign", b"C=a=b"]
    environ = Environment(entries)
    assert environ == {b"A": b"1", b"B": b"", b"C": b"a=b"}
    assert environ.entries == entries
    assert not environ.is_plain
    assert Environment([b"A=1", b"B=2"]).is_plain


@pytest.mark.parametrize(
    ("status", "described"),
    [
        (0, ("exited with code 0", 0, None)),
        (3 << 8, ("exited with code 3", 3, None)),
        (signal.SIGKILL, ("was killed by SIGKILL", None, "SIGKILL")),
        (signal.SIGSEGV | 0x80, ("was killed by SIGSEGV", None, "SIGSEGV")),
    ],
)
def test_a_wait_status_is_an_exit_code_or_a_signal(
    status: int, described: tuple[str, int | None, str | None]
) -> None:
    assert describe(status) == described


def test_every_signal_has_the_name_that_python_gives_it() -> None:
    assert {number: signal_name(number) for number in signal.Signals} == {
        each: each.name for each in signal.Signals
    }
    assert signal_name(signal.SIGRTMIN + 3) == f"SIG{signal.SIGRTMIN + 3}"


def test_a_child_has_ended_from_its_death_on_whoever_reaps_it() -> None:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(writing)
        os.read(reading, 1)
        os._exit(0)
    assert not has_ended(pid)
    os.close(writing)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert has_ended(pid)
    os.waitpid(pid, 0)
    assert has_ended(pid)
    os.close(reading)
