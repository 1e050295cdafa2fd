"""The tap in front of a server of a test: what is sent, and that nothing is left of the server."""

import os
import sys
import threading
from pathlib import Path

from mcptap.play.server.process_tree import all_processes
from mcptap.pytest.tap import Tap

IGNORES_ALL = """
import os, signal, subprocess, sys
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
print(os.getpid(), child.pid, flush=True)
while True:
    signal.pause()
"""


def tap(script: str, folder: Path) -> Tap:
    return Tap([sys.executable, "-c", script], folder / "x.jsonl", "x", str(folder), os.environ)


def test_lines_and_stderr_come_and_the_exit_status_is_told(tmp_path: Path):
    script = "import sys; print(input()); print('said', file=sys.stderr); sys.exit(3)"
    one = tap(script, tmp_path)
    assert one.send(b"a line\n", 60)
    assert list(one.lines()) == [b"a line\n"]
    assert one.ending == " (exit status 3)"
    one.close()
    assert one.stderr == "said\n"


def test_what_nobody_reads_is_given_up(tmp_path: Path):
    one = tap("import signal; signal.pause()", tmp_path)
    assert not one.send(b"x" * (1 << 23), 0.2)
    one.close()
    assert one.has_ended
    assert not one.send(b"more", 0.2)


def test_nothing_is_left_of_a_server_that_ignores_signals_nor_of_its_child(tmp_path: Path):
    one = tap(IGNORES_ALL, tmp_path)
    pids = {int(word) for word in next(one.lines()).split()}
    assert len(pids) == 2
    one.close()
    one.close()  # once more is nothing
    living = {process.pid for process in all_processes() if process.state not in ("Z", "X")}
    assert not pids & living
    assert b'"exit"' in (tmp_path / "x.jsonl").read_bytes()  # the tap lived to record how it ended


def test_no_thread_is_left(tmp_path: Path):
    before = threading.active_count()
    one = tap("print(1)", tmp_path)
    list(one.lines())
    one.close()
    assert threading.active_count() == before
