"""How it ends: exit status, end of input, a server that leaves, a client that leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.shim.conftest import Start
from tests.shim.running import MCPTAP, PYTHON, Running, awkward, eventually, is_alive


@pytest.mark.parametrize("code", [0, 1, 3, 127, 255])
def test_the_exit_code_is_the_servers(start: Start, code: int) -> None:
    tap = start(awkward("exit_at_once", code))
    assert tap.status() == code
    assert tap.recording().event("exit")["code"] == code


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGABRT, signal.SIGPIPE]
)
def test_a_server_killed_by_a_signal_takes_the_tap_with_it_by_the_same_signal(
    start: Start, number: int
) -> None:
    tap = start(awkward("die", int(number)))
    assert tap.status() == -number
    assert tap.recording().event("exit")["signal"] == signal.Signals(number).name


def test_a_server_that_exits_while_the_client_is_idle_ends_the_tap(start: Start) -> None:
    tap = start(awkward("reply_and_exit", 4))
    tap.send(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert tap.status() == 4  # stdin is still open
    assert tap.stdout() == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'


def test_a_server_that_exits_while_the_client_writes_ends_both(start: Start) -> None:
    tap = start(awkward("reply_and_exit", 5))
    writer = tap.send_aside(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 100_000)
    assert tap.status() == 5
    writer.join(10)
    assert not writer.is_alive()
    assert tap.stderr() == b""


def test_the_last_write_of_a_server_that_exits_at_once_arrives(start: Start) -> None:
    tap = start(["sh", "-c", "head -c 300000 /dev/zero; exit 6"])
    assert tap.status() == 6
    assert len(tap.stdout()) == 300_000


def test_the_end_of_input_is_passed_on_and_the_server_may_finish(start: Start) -> None:
    tap = start(awkward("answer_after_end", 5_000_000))
    status, out, _ = tap.finish(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert (status, len(out)) == (0, 5_000_000)
    ends = [event.fields["ch"] for event in tap.recording().events("eof")]
    assert ends[0] == "c2s"
    assert sorted(ends) == ["c2s", "s2c", "stderr"]


@pytest.mark.parametrize("closed", ["2>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"])
def test_a_client_learns_at_once_that_a_server_closed_stderr(start: Start, closed: str) -> None:
    """If mcptap is to say nothing there itself."""
    tap = start(["sh", "-c", f"exec {closed}; exec sleep 60"])
    assert tap.err is not None
    assert tap.stderr() == b""
    assert tap.process.poll() is None


HELPER = 'sleep 60 <&- >&- 2>&- & echo $! >helper; exec "$@"'


@pytest.mark.parametrize("asked", [False, True])
def test_what_was_started_before_the_tap_is_none_of_the_servers(
    start: Start, tmp_path: Path, asked: bool
) -> None:
    """A shell that starts a helper, and then becomes the tap."""
    tap = [*MCPTAP, "run", "--record", str(tmp_path / "records") + "/", "--", "sh", "-c", "echo begun; cat"]
    one = start(["sh", "-c", HELPER, "sh", *tap], direct=True)
    assert one.sees(b"begun\n")
    if asked:
        one.signal(signal.SIGTERM)
        one.status()  # the end of its input would end it too
    status, _, said = one.finish()
    helper = int((tmp_path / "helper").read_text())
    try:
        assert status == (-signal.SIGTERM if asked else 0)
        assert is_alive(helper)
        assert b"left processes" not in said
        assert "left" not in one.recording().event("exit")
    finally:
        os.kill(helper, signal.SIGKILL)


def test_a_server_that_closes_stdout_lives_on_and_is_still_heard(start: Start) -> None:
    tap = start(awkward("close_stdout"))
    assert tap.stdout() == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'  # waits for the end of stdout
    assert tap.process.poll() is None
    status, _, err = tap.finish(b"abc\n")
    assert (status, err) == (0, b"4\n")


def test_a_client_that_stops_reading_ends_the_server_as_it_would_directly(start: Start) -> None:
    ends = []
    for direct in (True, False):
        tap = start(awkward("flood", 1_000_000, 1000), direct=direct, read_stdout=False)
        assert tap.process.stdout is not None
        os.read(tap.process.stdout.fileno(), 100)
        tap.process.stdout.close()
        ends.append((tap.status(), b"BrokenPipeError" in tap.stderr()))
    assert ends[0] == ends[1] == (1, True)
    assert {"s2c": "receiver closed"}.items() <= {
        event.fields["ch"]: event.fields.get("why") for event in tap.recording().events("eof")
    }.items()


def test_a_server_that_stops_reading_gives_the_client_a_broken_pipe(start: Start) -> None:
    close_stdin = "import os, sys\nos.close(0)\nos.write(1, b'closed\\n')\nimport signal\nsignal.pause()"
    tap = start([*PYTHON, "-c", close_stdin])
    assert tap.sees(b"closed\n")
    with pytest.raises(BrokenPipeError):
        tap.send(b"x" * 10_000_000)
    tap.signal(signal.SIGTERM)
    assert tap.status() == -signal.SIGTERM


def test_a_daemon_that_keeps_stdout_open_does_not_keep_the_tap(start: Start) -> None:
    tap = start(["sh", "-c", "sleep 60 & echo $!; exit 3"])
    assert tap.status() == 3
    daemon = int(tap.stdout())
    assert is_alive(daemon)
    assert tap.recording().event("exit")["left"] == [daemon]
    os.kill(daemon, signal.SIGKILL)


def test_a_daemon_that_goes_on_writing_does_not_keep_the_client_from_learning_of_the_end(
    start: Start,
) -> None:
    chatter = "while :; do echo chatter >&2; sleep 0.05; done"
    tap = start(["sh", "-c", f"({chatter}) & echo $!; head -c 300000 /dev/zero; exit 3"])
    assert tap.status() == 3
    first, newline, rest = tap.stdout().partition(b"\n")
    os.kill(int(first), signal.SIGKILL)
    assert newline + rest == b"\n" + bytes(300_000)


def test_a_daemon_that_was_left_is_named_at_the_end(start: Start, tmp_path) -> None:
    tap = start(["sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!"], options=["--no-record"])
    assert tap.status() == 0
    daemon = int(tap.stdout())
    os.kill(daemon, signal.SIGKILL)
    assert b"left processes running: %d\n" % daemon in tap.stderr()


def test_everything_is_written_for_a_slow_reader_after_the_server_has_gone(start: Start) -> None:
    tap = start(awkward("flood", 100, 1000), read_stdout=False)
    stdout = tap.process.stdout
    assert stdout is not None
    # The server is gone when its exit is known, which is after all it wrote was taken over.
    path = tap.recording_begun()
    eventually(lambda: path.read_bytes().count(b'"ch":"s2c"') >= 65)
    received = b""
    while piece := os.read(stdout.fileno(), 500):
        received += piece
    assert len(received) == 100_000
    assert tap.status() == 0


KILL_CLIENT = """
import os, subprocess, sys
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
os.write(1, server.stdout.readline())
os.read(0, 1)
"""


@pytest.mark.parametrize("what", ["stubborn", "pid_until_end"])
def test_a_killed_tap_leaves_no_server(start: Start, what: str) -> None:
    tap = start(awkward(what))
    server = tap.pid_from_first_line()
    tap.signal(signal.SIGKILL)
    assert tap.status() == -signal.SIGKILL
    assert eventually(lambda: not is_alive(server))


def test_a_killed_client_leaves_neither_tap_nor_server(start: Start, tmp_path) -> None:
    from tests.shim.running import MCPTAP

    inner = [*MCPTAP, "run", "--quiet", "--no-record", "--", *awkward("pid_until_end")]
    client = start([*PYTHON, "-c", KILL_CLIENT, *inner], direct=True)
    server = client.pid_from_first_line()
    client.signal(signal.SIGKILL)
    assert client.status() == -signal.SIGKILL
    assert eventually(lambda: not is_alive(server))


UNLUCKY = """
import fcntl, os, sys, threading
from mcptap.cli import main
real = os.close
def close(fd):
    stdin = threading.current_thread() is not threading.main_thread() and (
        fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
    )
    real(fd)
    if stdin:
        threading.Event().wait()
os.close = close
sys.exit(main())
"""
"""The tap, of which nothing runs on behind the end of the server's stdin but what waits for the server."""


def test_a_server_that_ends_because_its_client_left_is_not_said_to_have_ended_before_it_answered(
    start: Start,
) -> None:
    tap = [sys.executable, "-c", UNLUCKY, "run", "--no-record", "--", "cat"]
    status, out, err = start(tap, direct=True).finish()
    assert (status, out) == (0, b"")
    assert len(err.splitlines()) == 1, err


def test_a_launcher_that_ends_first_is_not_called_the_server(start: Start) -> None:
    tap = start(["sh", "-c", "sleep 60 & echo $!; exit 0"], options=["--no-record"])
    assert tap.status() == 0
    daemon = int(tap.stdout())
    os.kill(daemon, signal.SIGKILL)
    said = tap.stderr().decode()
    assert "the started process exited with code 0 before it answered anything\n" in said
    assert "the server exited" not in said
    assert "the server is gone" not in said


def test_a_server_that_closed_stdout_and_ended_at_the_end_of_stdin_ended_as_it_should(start: Start) -> None:
    tap = start(awkward("close_stdout"), options=["--no-record"])
    assert tap.out is not None
    assert tap.out.end()
    status, _, err = tap.finish()
    assert (status, err.count(b"mcptap: ")) == (0, 1), err


def test_nothing_is_said_of_answers_where_the_tap_sees_none(start: Start) -> None:
    tap = start(
        ["sh", "-c", "head -n 1; exit 0"],
        options=["--no-record"],
        preexec_fn=lambda: os.close(1),
        stdout=None,
    )
    _, _, err = tap.finish(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert err.count(b"mcptap: ") == 1, err


PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


def waits(_one: Running) -> None:
    """The client does nothing."""


def closes(one: Running) -> None:
    """The client leaves while nothing is open."""
    one.close_stdin()


def reads_no_more(one: Running) -> None:
    """The client closes the server's stdout and leaves stdin open."""
    assert one.process.stdout is not None
    assert os.read(one.process.stdout.fileno(), 1)
    one.process.stdout.close()


def terminates(one: Running) -> None:
    assert one.sees(b"ready\n")
    one.signal(signal.SIGTERM)


def terminates_and_closes(one: Running) -> None:
    assert one.sees(b"ready\n")
    one.close_stdin()
    one.signal(signal.SIGTERM)


def asks(one: Running) -> None:
    """The client sends a request and waits for the end."""
    one.send(PING)


def asks_and_reacts(one: Running) -> None:
    """It closes stdin as soon as the server's stdout has ended."""
    one.send(PING)
    assert one.out is not None
    one.out.end()
    one.close_stdin()


ENDS: list[tuple[Callable[[Running], None], list[str], list[str]]] = [
    (closes, ["cat"], []),
    (closes, ["sh", "-c", "cat; exit 3"], ["the server exited with code 3"]),
    (reads_no_more, ["yes"], ["the server was killed by SIGPIPE"]),
    (terminates, awkward("exit_at", "SIGTERM", 3), []),
    (terminates_and_closes, awkward("exit_at", "SIGTERM", 0), []),
    (waits, awkward("exit_at_once", 0), ["the server exited with code 0 before it answered anything"]),
    (asks, awkward("reply_and_exit", 3), ["the server exited with code 3"]),
    (asks, ["sh", "-c", "read line; exit 3"], ["the server exited with code 3 before it answered anything"]),
    (asks_and_reacts, awkward("reply_and_exit", 3), ["the server exited with code 3"]),
    (asks_and_reacts, ["sh", "-c", "read line; exec >/dev/null; cat"], []),
]


@pytest.mark.parametrize(("client", "server", "said"), ENDS, ids=lambda each: getattr(each, "__name__", None))
def test_each_order_of_ends_is_as_directly_and_told_as_it_was(
    start: Start, client: Callable[[Running], None], server: list[str], said: list[str]
) -> None:
    seen = []
    for direct in (True, False):
        unread = client is reads_no_more
        one = start(server, direct=direct, options=["--no-record"], read_stdout=not unread)
        client(one)
        status = one.status()
        words = one.stderr().decode().splitlines()
        seen.append((status, b"" if unread else one.stdout()))
    assert seen[0] == seen[1]
    told = [line.removeprefix("mcptap: ") for line in words if "is not a message" not in line][1:]
    assert told == said


@pytest.mark.parametrize("stdin", ["closed", "null"])
def test_a_client_that_never_was_there_is_one_that_left_before_the_server_ended(
    start: Start, stdin: str
) -> None:
    given: dict[str, Any] = {"preexec_fn": lambda: os.close(0)} if stdin == "closed" else {}
    tap = start(["sh", "-c", "cat; exit 0"], options=["--no-record"], stdin=subprocess.DEVNULL, **given)
    assert tap.status() == 0
    assert b"before it answered" not in tap.stderr()
