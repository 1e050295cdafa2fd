"""`mcptap run --divert` with real processes; and without it nothing of it is there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.shim.conftest import Start
from tests.shim.running import PYTHON

ASKED = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
SERVER = [
    *PYTHON,
    "-c",
    "import os, sys\n"
    "os.write(1, b'Server ready\\n')\n"
    "sys.stdin.readline()\n"
    f"os.write(1, b'loading... ' + {ANSWER!r})\n"
    "os.write(1, b'unfinished')\n",
]


def test_work_goes_on_while_the_server_prints_and_both_ways_are_recorded(
    start: Start, tmp_path: Path
) -> None:
    tap = start(SERVER, options=["--divert", "--record", str(tmp_path / "records") + "/"])
    status, out, err = tap.finish(ASKED)
    assert (status, out) == (0, ANSWER + b"unfinished")
    assert b"what is no message on stdout goes to stderr (--divert)\n" in err
    assert err.count(b"such lines go to stderr instead of to the client (--divert)") == 1
    assert b"\nServer ready\n" in err
    assert b"\nloading... \n" in err
    recording = tap.recording()
    assert recording.header.diverts
    assert recording.bytes("s2c") == b"Server ready\nloading... " + ANSWER + b"unfinished"


def test_nothing_is_diverted_without_the_option(start: Start) -> None:
    tap = start(SERVER)
    assert tap.finish(ASKED) == (0, b"Server ready\nloading... " + ANSWER + b"unfinished", b"")
    assert not tap.recording().header.diverts


def test_nothing_is_diverted_where_stdout_and_stderr_are_one(start: Start, tmp_path: Path) -> None:
    options = ["--divert", "--record", str(tmp_path / "records") + "/"]
    tap = start(SERVER, options=options, stderr=subprocess.STDOUT)
    assert tap.finish(ASKED)[1] == b"Server ready\nloading... " + ANSWER + b"unfinished"


def test_a_client_that_reads_no_stderr_gets_its_messages_and_the_end(start: Start, tmp_path: Path) -> None:
    flood = "import os\nfor n in range(60): os.write(1, b'x' * 9000 + b'\\n')\nos.write(1, b'{}\\n')\n"
    reading, writing = os.pipe()
    options = ["--quiet", "--divert", "--record", str(tmp_path / "records") + "/"]
    tap = start([sys.executable, "-S", "-c", flood], options=options, stderr=writing)
    status, out, _ = tap.finish()
    assert (status, out) == (0, b"{}\n")
    __import__("os").close(reading)
    __import__("os").close(writing)
