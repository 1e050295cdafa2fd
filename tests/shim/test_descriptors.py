"""Whatever stdin, stdout and stderr are: pipes, sockets, terminals, files, or nothing."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import socket
import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shim.conftest import Start
from tests.shim.running import Recording, Stream, awkward, eventually

LINES = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % n for n in range(1000))


def test_pipes(start: Start) -> None:
    tap = start(awkward("echo"))
    assert tap.finish(LINES) == (0, LINES, b"")
    assert tap.recording().header.fields["stdio"] == ["pipe", "pipe", "pipe"]


def test_stdin_from_a_regular_file(start: Start, tmp_path: Path) -> None:
    source = tmp_path / "input.jsonl"
    source.write_bytes(LINES)
    with source.open("rb") as file:
        tap = start(awkward("echo"), stdin=file)
        assert tap.finish() == (0, LINES, b"")
    assert tap.recording().header.fields["stdio"] == ["file", "pipe", "pipe"]


def test_a_file_is_read_from_where_its_offset_stands(start: Start, tmp_path: Path) -> None:
    source = tmp_path / "input.jsonl"
    source.write_bytes(LINES)
    with source.open("rb", buffering=0) as file:
        file.seek(100)
        tap = start(awkward("echo"), stdin=file)
        assert tap.finish() == (0, LINES[100:], b"")


def test_stdin_from_dev_null(start: Start) -> None:
    tap = start(awkward("echo"), stdin=subprocess.DEVNULL)
    assert tap.finish() == (0, b"", b"")
    assert tap.recording().header.fields["stdio"] == ["null", "pipe", "pipe"]


def test_stdout_to_a_regular_file(start: Start, tmp_path: Path) -> None:
    target = tmp_path / "output.jsonl"
    with target.open("wb") as file:
        tap = start(awkward("echo"), stdout=file)
        assert tap.finish(LINES)[0] == 0
    assert target.read_bytes() == LINES
    assert tap.recording().bytes("s2c") == LINES


def test_stdout_to_a_file_that_is_appended_to(start: Start, tmp_path: Path) -> None:
    target = tmp_path / "output.jsonl"
    target.write_bytes(b"before\n")
    with target.open("ab") as file:
        tap = start(awkward("echo"), stdout=file)
        assert tap.finish(LINES)[0] == 0
    assert target.read_bytes() == b"before\n" + LINES


def test_stdout_and_stderr_to_dev_null(start: Start) -> None:
    tap = start(awkward("echo_twice"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert tap.finish(LINES)[0] == 0
    recording = tap.recording()
    assert recording.bytes("s2c") == recording.bytes("stderr") == LINES


def test_socket_pairs_as_node_makes_them(start: Start) -> None:
    ours, theirs = zip(*[socket.socketpair() for _ in range(3)], strict=True)
    tap = start(awkward("echo"), stdin=theirs[0], stdout=theirs[1], stderr=theirs[2])
    for end in theirs:
        end.close()
    out, err = Stream(ours[1].fileno()), Stream(ours[2].fileno())
    ours[0].sendall(LINES)
    ours[0].shutdown(socket.SHUT_WR)
    assert tap.status() == 0
    assert (out.end(), err.end()) == (LINES, b"")
    for end in ours:
        end.close()
    assert tap.recording().header.fields["stdio"] == ["socket"] * 3


def test_one_socket_for_both_directions(start: Start) -> None:
    ours, theirs = socket.socketpair()
    tap = start(awkward("echo"), stdin=theirs, stdout=theirs)
    theirs.close()
    out = Stream(ours.fileno())
    ours.sendall(LINES)
    ours.shutdown(socket.SHUT_WR)
    assert tap.status() == 0
    assert out.end() == LINES
    ours.close()


def test_a_socket_that_is_reset_ends_the_server(start: Start) -> None:
    ours, theirs = socket.socketpair()
    tap = start(awkward("pid_until_end"), stdin=theirs)
    theirs.close()
    tap.pid_from_first_line()
    ours.close()
    assert tap.status() == 0


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    master, slave = pty.openpty()
    modes = termios.tcgetattr(slave)
    modes[1] &= ~termios.OPOST
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(slave, termios.TCSANOW, modes)
    yield master, slave
    for fd in (master, slave):
        try:
            os.close(fd)
        except OSError:
            pass  # closed by the test


def test_a_terminal_as_stdin(start: Start, terminal: tuple[int, int]) -> None:
    master, slave = terminal
    before = termios.tcgetattr(slave)
    tap = start(awkward("echo"), stdin=slave)
    line = LINES.split(b"\n")[0] + b"\n"
    os.write(master, line)
    assert tap.sees(line)
    os.write(master, b"half\x04")  # the key sends on what was typed; pressed again, it ends the input
    assert tap.sees(b"half")
    os.write(master, b"\x04")
    assert tap.status() == 0
    assert tap.stdout() == line + b"half"
    assert termios.tcgetattr(slave) == before


def test_a_terminal_as_stdin_stdout_and_stderr(start: Start, terminal: tuple[int, int]) -> None:
    master, slave = terminal
    before = termios.tcgetattr(slave)
    tap = start(awkward("echo"), stdin=slave, stdout=slave, stderr=slave)
    screen = Stream(master)
    line = LINES.split(b"\n")[0] + b"\n"
    os.write(master, line)
    assert screen.sees(line)
    os.write(master, b"\x04")
    assert tap.status() == 0
    assert termios.tcgetattr(slave) == before
    assert fcntl.fcntl(slave, fcntl.F_GETFL) & os.O_NONBLOCK == 0
    os.close(slave)
    assert screen.end() == line
    assert tap.recording().header.fields["stdio"] == ["tty"] * 3


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)], ids=str)
def test_closed_descriptors_are_closed_for_the_server_too(
    start: Start, tmp_path: Path, closed: tuple[int, ...]
) -> None:
    seen = tmp_path / "seen"
    tap = start(awkward("open_descriptors", seen), preexec_fn=lambda: [os.close(fd) for fd in closed])
    assert tap.status() == 3
    assert json.loads(seen.read_text()) == [fd for fd in range(3) if fd not in closed]
    recording = tap.recording()  # it is no JSON Lines file if it was given a channel's number
    assert recording.header.fields["stdio"] == ["closed" if fd in closed else "pipe" for fd in range(3)]
    if 1 not in closed:
        assert tap.stdout() == b""


def test_a_notice_does_not_land_on_stdout_where_stderr_is_closed(start: Start, tmp_path: Path) -> None:
    tap = start(
        awkward("echo"),
        options=["--record", str(tmp_path / "records/")],
        preexec_fn=lambda: os.close(2),
    )
    assert tap.finish(b"not json\n")[:2] == (0, b"not json\n")
    (path,) = tap.records.iterdir()
    assert b"mcptap: " not in path.read_bytes()


def test_descriptors_of_the_client_are_not_left_non_blocking(start: Start) -> None:
    pipes = [os.pipe() for _ in range(3)]
    ours = [pipes[0][1], pipes[1][0], pipes[2][0]]
    theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
    tap = start(awkward("echo"), stdin=theirs[0], stdout=theirs[1], stderr=theirs[2])
    out = Stream(ours[1])
    os.write(ours[0], LINES[:1000])
    assert out.sees(LINES[:1000])
    assert [fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_NONBLOCK for fd in theirs] == [0, 0, 0]
    os.close(ours[0])
    assert tap.status() == 0
    assert [fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_NONBLOCK for fd in theirs] == [0, 0, 0]
    for fd in theirs:
        os.close(fd)
    out.end()
    for fd in ours[1:]:
        os.close(fd)


def test_descriptors_that_are_non_blocking_already_work(start: Start) -> None:
    """A client of one event loop hands over what it made non-blocking for itself."""
    stdin, feed = os.pipe()
    drain, stdout = os.pipe()
    for fd in (stdin, stdout):
        os.set_blocking(fd, False)
    tap = start(awkward("echo"), stdin=stdin, stdout=stdout)
    os.close(stdin)
    os.close(stdout)
    payload = LINES * 20  # more than the pipes hold, so that the tap meets a full one
    writer = tap.process  # the process is watched while the feeding goes on
    out = None
    sent = 0
    while sent < len(payload):
        sent += os.write(feed, payload[sent : sent + 4096])
        if out is None and sent > 200_000:
            out = Stream(drain)
    os.close(feed)
    assert out is not None
    assert writer.wait(30) == 0
    assert out.end() == payload
    os.close(drain)
    (path,) = eventually(lambda: list(tap.records.iterdir()))
    assert Recording(path).bytes("s2c") == payload
