"""What mcptap started itself is gone when mcptap is killed, and well while its threads come and go."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import trio

from mcptap.play.server.child import Child, start_child
from tests.helpers import call, handshake, record
from tests.shim.running import eventually, is_alive

DEAF = """
import os, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n")
while True:
    signal.pause()
"""
"""A server that neither answers nor ends when it is asked to; only what kills it ends it."""

READER = """
import os, sys
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n")
sys.stdin.read()
"""
"""One that ends at the end of its input."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal")


def commands(tmp_path: Path) -> dict[str, list[str]]:
    """What of mcptap starts servers, without the server's command."""
    lines = os.fspath(record(tmp_path / "x.jsonl", [*handshake(), ("c2s", call(2, "t"))]))
    return {
        "probe": ["probe"],
        "probe as a client": ["probe", "--as", "claude-code"],
        "send": ["send", lines],
        "send and compare": ["send", "--compare", lines],
    }


def pids_of(path: Path, count: int) -> list[int]:
    def enough() -> list[int]:
        pids = path.read_text().splitlines() if path.exists() else []
        return [int(pid) for pid in pids] if len(pids) >= count else []

    pids: list[int] = eventually(enough)
    assert pids
    return pids


def kill_when_started(command: list[str], server: list[str], tmp_path: Path, servers: int = 1) -> list[int]:
    """Kill a command of mcptap once its servers have said their pids; returns those."""
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    one = subprocess.Popen(
        [sys.executable, "-m", "mcptap", *command, "--", *server],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    try:
        return pids_of(tmp_path / "pids", servers)
    finally:
        one.kill()
        one.wait()


@pytest.mark.parametrize("name", ["probe", "probe as a client", "send", "send and compare"])
def test_a_killed_mcptap_leaves_no_server(tmp_path: Path, name: str) -> None:
    server = [sys.executable, "-c", DEAF, str(tmp_path / "pids")]
    pids = kill_when_started(commands(tmp_path)[name], server, tmp_path)
    assert eventually(lambda: not any(is_alive(pid) for pid in pids))


@pytest.mark.parametrize("name", ["probe", "send"])
def test_a_server_behind_a_launcher_learns_by_the_end_of_its_input(tmp_path: Path, name: str) -> None:
    inner = f"'{sys.executable}' -c '{READER}' '{tmp_path}/pids'"
    pids = kill_when_started(commands(tmp_path)[name], ["sh", "-c", f"{inner}; :"], tmp_path)
    assert eventually(lambda: not any(is_alive(pid) for pid in pids))


def test_a_mock_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    lines = commands(tmp_path)["send"][1]
    one = subprocess.Popen(
        [sys.executable, "-m", "mcptap", "mock", lines], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert one.stdin is not None
    assert one.stdout is not None
    with one.stdin, one.stdout:
        one.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n')
        one.stdin.flush()
        one.stdout.readline()
        assert Path(f"/proc/{one.pid}/task/{one.pid}/children").read_text() == ""
        one.kill()
        one.wait()


async def close(child: Child | trio.Process) -> None:
    for stream in (child.stdin, child.stdout, child.stderr):
        assert stream is not None
        await stream.aclose()


def test_a_child_is_forked_by_the_thread_that_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal follows the thread that forked, and those that trio works with end when they are idle."""
    by: list[bool] = []
    real = subprocess.Popen

    def popen(*arguments: Any, **options: Any) -> Any:
        by.append(threading.current_thread() is asking)
        return real(*arguments, **options)

    async def play() -> int:
        child = await start_child(["sh", "-c", "read line; exit 3"], None, None)
        assert child.stdin is not None
        await child.stdin.send_all(b"\n")
        status = await child.wait()
        await close(child)
        return status

    asking = threading.current_thread()
    monkeypatch.setattr(subprocess, "Popen", popen)
    assert (trio.run(play), by) == (3, [True])


def test_a_child_that_is_killed_says_by_which_signal() -> None:
    async def play() -> int:
        child = await start_child(["sleep", "60"], None, None)
        assert child.returncode is None
        child.send_signal(signal.SIGTERM)
        status = await child.wait()
        assert child.returncode == status
        await close(child)
        return status

    assert trio.run(play) == -signal.SIGTERM
