"""stdout and stderr that are one: their order stays, and no word of the tap is among them."""

from __future__ import annotations

import fcntl
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shim import comparing
from tests.shim.comparing import Plumb, run_both
from tests.shim.conftest import Start
from tests.shim.running import PYTHON, Stream, awkward
from tests.shim.test_session import FEW_THREADS

JOINED = [
    comparing.one_pipe,
    comparing.one_fifo_opened_twice,
    comparing.one_socket,
    comparing.one_socket_for_all,
    comparing.one_file,
    comparing.one_file_appended,
    comparing.one_file_opened_twice_to_append,
]
WORDS_ABOUT_IT = b'not json\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


@pytest.mark.parametrize(
    "plumb", JOINED, ids=["pipe", "fifo", "socket", "inetd", "file", "append", "append twice"]
)
def test_the_order_and_all_bytes_are_as_in_a_direct_start(start: Start, tmp_path: Path, plumb: Plumb) -> None:
    directly, through, tap = run_both(start, awkward("alternate", 500), plumb, tmp_path, WORDS_ABOUT_IT)
    assert through == directly
    assert through.status == 3
    recording = tap.recording()
    assert recording.header.joined
    assert recording.bytes("s2c") == b"".join(b"out %d\nerr %d\n" % (n, n) for n in range(500))
    assert recording.bytes("stderr") == b""
    assert through.output.endswith(recording.bytes("s2c"))


def test_a_file_opened_twice_is_written_at_both_places_and_nothing_is_said_into_it(
    start: Start, tmp_path: Path
) -> None:
    """stdout is the longer one, so where each begins can be seen."""
    server = ["sh", "-c", "echo short >&2; exec 2>&-; head -c 100000 /dev/zero | tr '\\0' x; exit 1"]
    directly, through, tap = run_both(start, server, comparing.one_file_opened_twice, tmp_path)
    assert b"mcptap" not in through.output
    assert len(through.output) == len(directly.output) == 100_000
    recording = tap.recording()
    assert not recording.header.joined
    assert recording.bytes("stderr") == b"short\n"


@pytest.mark.parametrize("descriptors", ["terminal", "null", "two pipes", "two files"])
def test_what_is_not_one_stays_apart(start: Start, tmp_path: Path, descriptors: str) -> None:
    master, slave = pty.openpty()
    targets = {
        "terminal": (slave, slave),
        "null": (subprocess.DEVNULL, subprocess.DEVNULL),
        "two pipes": (subprocess.PIPE, subprocess.PIPE),
        "two files": tuple(os.open(tmp_path / name, os.O_WRONLY | os.O_CREAT) for name in "ab"),
    }
    stdout, stderr = targets[descriptors]
    screen = Stream(master)
    tap = start(awkward("alternate", 3), stdout=stdout, stderr=stderr)
    assert tap.finish()[0] == 3
    os.close(slave)
    screen.end()
    recording = tap.recording()
    assert not recording.header.joined
    assert (recording.bytes("s2c"), recording.bytes("stderr")) == (
        b"out 0\nout 1\nout 2\n",
        b"err 0\nerr 1\nerr 2\n",
    )


def test_the_flags_of_a_file_are_left_as_they_were(start: Start, tmp_path: Path) -> None:
    fd = os.open(tmp_path / "output", os.O_WRONLY | os.O_CREAT)
    before = fcntl.fcntl(fd, fcntl.F_GETFL)
    assert start(awkward("alternate", 1), stdout=fd, stderr=fd).finish()[0] == 3
    assert fcntl.fcntl(fd, fcntl.F_GETFL) == before
    os.close(fd)


def test_a_client_learns_that_a_server_which_lives_on_closed_both(start: Start, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    server = [*PYTHON, "-c", "import os; os.write(2, b'last'); os.close(1); os.close(2); os.read(0, 1)"]
    tap = start(server, stdout=writing, stderr=writing, options=[])
    os.close(writing)
    assert Stream(reading).end() == b"last"
    assert tap.process.poll() is None
    assert tap.finish()[0] == 0


def test_a_server_that_closes_one_of_them_is_heard_on_the_other(start: Start, tmp_path: Path) -> None:
    server = [*PYTHON, "-c", "import os; os.close(1); os.write(2, b'still here'); os.read(0, 1)"]
    directly, through, _ = run_both(start, server, comparing.one_pipe, tmp_path)
    assert through == directly
    assert through.output == b"still here"


def test_nothing_is_said_where_the_tap_has_to_step_aside(start: Start) -> None:
    tap = [sys.executable, "-c", FEW_THREADS.format(left=0), "run", "--no-record", "--", "cat"]
    running = start(tap, direct=True, stderr=subprocess.STDOUT)
    assert running.finish(b"every byte")[:2] == (0, b"every byte")


def test_that_the_server_cannot_be_started_is_said_all_the_same(start: Start) -> None:
    """A shell would have said so on the same stream, and no other word will come on it."""
    tap = start(["no-such-server"], options=[], stderr=subprocess.STDOUT)
    status, out, _ = tap.finish()
    assert (status, out.count(b"\n"), out[:8]) == (127, 1, b"mcptap: ")
