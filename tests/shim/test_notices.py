"""What the tap says while it runs: little, once, escaped, on stderr only."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mcptap.shim.notices import Notices
from tests.shim.conftest import Start
from tests.shim.running import PYTHON, awkward


def test_every_line_of_the_tap_is_marked_and_printable(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "odd\nname \x1b[31m"
    folder.mkdir()
    options = ["--record", str(folder / "x\x1b[0m.jsonl"), "--name", "n\n\x1b[1m"]
    server = ["sh", "-c", "printf '\\033[31mred\\n'", "arg\nument\x1b[5m"]
    tap = start(server, options=options, cwd=folder)
    assert tap.status() == 0
    lines = tap.stderr().decode().split("\n")
    assert lines.pop() == ""
    assert len(lines) == 3
    assert all(line.startswith("mcptap: ") and line.isprintable() for line in lines), lines


def test_a_notice_does_not_cut_a_line_of_the_servers_stderr(start: Start) -> None:
    program = (
        "import os, sys\n"
        "os.write(2, b'pass' b'word: ')\n"  # not as the first notice quotes it
        "sys.stdin.readline()\n"
        "os.write(1, b'log\\n')\n"
        "sys.stdin.readline()\n"
        "os.write(2, b'thanks\\n')\n"
        "sys.stdin.readline()\n"
    )
    tap = start([*PYTHON, "-c", program], options=["--no-record"])
    assert tap.err is not None
    assert tap.err.sees(b"password: ")
    tap.send(b"1\n")
    assert tap.sees(b"log\n")
    tap.send(b"2\n")
    assert tap.err.sees(b"is not a message")
    assert b"password: thanks\nmcptap: stdout line 1" in bytes(tap.err.data)
    tap.finish(b"3\n")


def test_a_client_that_does_not_read_stderr_does_not_hold_up_the_tap(start: Start) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    tap = start(awkward("echo"), options=["--no-record"], stderr=writing)
    os.close(writing)
    payload = b"log\n" * 1000
    assert tap.finish(payload)[:2] == (0, payload)
    os.close(reading)


def test_notices_without_a_reader_are_dropped() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    notices = Notices(writing, quiet=False)
    notices.say("nobody hears this")
    notices.close()
    os.close(writing)


def test_a_notice_fits_into_what_a_pipe_takes_in_one_go() -> None:
    reading, writing = os.pipe()
    notices = Notices(writing, quiet=False)
    notices.say("漢" * 10_000)
    written = os.read(reading, 1 << 16)
    assert written.endswith(b"\n")
    assert len(written) <= 4096
    assert written.decode().rstrip("\n").isprintable()
    os.close(reading)
    os.close(writing)


class Pipe:
    """What comes out of the descriptor that notices are written to."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.reading, False)

    def read(self) -> bytes:
        try:
            return os.read(self.reading, 1 << 16)
        except BlockingIOError:
            return b""


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    os.close(pipe.reading)
    os.close(pipe.writing)


def test_a_notice_waits_until_the_line_of_the_server_has_ended(pipe: Pipe) -> None:
    notices = Notices(pipe.writing, quiet=False)
    notices.server_wrote(b"half a ")
    notices.say("first")
    notices.say("second")
    assert pipe.read() == b""
    notices.server_wrote(b"line\n")
    assert pipe.read() == b"mcptap: first\nmcptap: second\n"


def test_a_notice_waits_for_what_the_server_is_about_to_write(pipe: Pipe) -> None:
    notices = Notices(pipe.writing, quiet=False)
    notices.server_writes()
    notices.say("later")
    assert pipe.read() == b""
    notices.server_wrote(b"done\n")
    assert pipe.read() == b"mcptap: later\n"


def test_behind_a_line_that_never_ended_the_last_notices_get_lines_of_their_own(pipe: Pipe) -> None:
    notices = Notices(pipe.writing, quiet=False)
    notices.server_wrote(b"password: ")
    notices.say("the server is gone")
    notices.close()
    assert pipe.read() == b"\nmcptap: the server is gone\n"


def test_a_quiet_one_says_nothing_whatever_it_is_told(pipe: Pipe) -> None:
    notices = Notices(pipe.writing, quiet=True)
    notices.say("x")
    notices.server_wrote(b"half")
    notices.say("y")
    notices.close()
    assert pipe.read() == b""


def test_a_notice_that_does_not_fit_into_the_pipe_is_dropped_and_a_later_one_is_said(pipe: Pipe) -> None:
    os.set_blocking(pipe.writing, False)
    with suppress(BlockingIOError):
        while True:
            os.write(pipe.writing, b"x" * 4096)
    notices = Notices(pipe.writing, quiet=False)
    notices.say("dropped")
    while pipe.read():
        pass
    notices.say("said")
    assert pipe.read() == b"mcptap: said\n"
