"""A command of mcptap as a child."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcptap.tui.run.child import LINE_LIMIT, Child
from tests.helpers import END, handshake, record, text_result
from tests.shim.running import eventually, is_alive


def run(*arguments):
    """Exit status and lines of `mcptap ARGUMENTS`."""
    told = []
    child = Child(list(arguments), lambda line, is_stderr: told.append((line, is_stderr)))
    return asyncio.run(child.run()), told


def test_stdout_is_told_line_by_line_and_the_exit_status_returned():
    status, told = run("rules", "--json")
    assert status == 0
    assert told
    assert not any(is_stderr or b"\n" in line for line, is_stderr in told)


def test_what_comes_on_stderr_is_marked():
    status, told = run("show", "/no/such/recording.jsonl")
    assert status == 2
    assert [is_stderr for _, is_stderr in told] == [True]
    assert b"/no/such/recording.jsonl" in told[0][0]


def test_a_long_line_is_cut_and_the_next_one_is_whole(tmp_path):
    steps = [*handshake(), ("s2c", text_result(9, "x" * 300_000)), ("s2c", b"next\n"), *END]
    _, told = run("show", "--raw", "s2c", os.fspath(record(tmp_path / "x.jsonl", steps)))
    assert [len(line) for line, _ in told[1:]] == [LINE_LIMIT, len("next")]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_child_that_was_told_to_stop_before_it_began_ends_at_once():
    async def play():
        child = Child(["mock", "--help"], lambda line, is_stderr: None)
        child.stop()
        child.stop()
        assert child.stopped
        return await child.run()

    assert asyncio.run(play()) != 0


def test_a_child_that_cannot_be_started_raises(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(OSError, match="No such file"):
        run("rules")


SCREEN = """
import asyncio, sys
from mcptap.tui.run.child import Child
asyncio.run(Child(sys.argv[1:], lambda line, is_stderr: None).run())
"""
DEAF = """
import os, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n")
while True:
    signal.pause()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal")
def test_a_screen_that_is_killed_leaves_neither_command_nor_server(tmp_path):
    pids = tmp_path / "pids"
    arguments = ["probe", "--", sys.executable, "-c", DEAF, os.fspath(pids)]
    screen = subprocess.Popen(
        [sys.executable, "-c", SCREEN, *arguments],
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")},
    )
    try:
        assert eventually(lambda: pids.exists() and pids.read_text().endswith("\n"))
        (command,) = map(int, Path(f"/proc/{screen.pid}/task/{screen.pid}/children").read_text().split())
    finally:
        screen.kill()
        screen.wait()
    servers = [int(pid) for pid in pids.read_text().split()]
    assert eventually(lambda: not any(is_alive(pid) for pid in [command, *servers]))
