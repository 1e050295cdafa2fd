"""What the tap says while it runs: little, once, escaped, on stderr only."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcptap.recording.format.content import parse_strictly
from mcptap.shim.notices import Notices
from mcptap.shim.watch import Watch
from tests.shim.conftest import Start
from tests.shim.running import PYTHON, awkward

INITIALIZE = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}'


def initialized(capabilities: str) -> bytes:
    return b'{"jsonrpc":"2.0","id":0,"result":{"capabilities":%b}}' % capabilities.encode()


class Session:
    """A watch that is shown lines as a recorder would show them."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.watch = Watch(self.said.append)
        self._number = 1

    def client(self, *lines: bytes) -> None:
        self._show(self.watch.client_lines, lines)

    def server(self, *lines: bytes) -> None:
        self._show(self.watch.server_lines, lines)

    def _show(self, observer: Callable[[int, bytes, list[Any]], None], lines: tuple[bytes, ...]) -> None:
        observer(self._number + 1, b"\n".join(lines), [parse_strictly(line) for line in lines])
        self._number += len(lines)


@pytest.fixture
def session() -> Session:
    return Session()


# Pollution


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            b"Server running on stdio",
            'stdout line 2 (record 3) is not a message; logs belong on stderr: "Server',
        ),
        (b"\xef\xbb\xbf" + INITIALIZE, "starts with a byte-order mark"),
        (b'{"a":"\xff"}', "is not UTF-8"),
        (b'INFO {"jsonrpc":"2.0","id":1,"result":{}}', "has other text before the message"),
        (b'"hello"', "is JSON but no message"),
        (b"42", "is JSON but no message"),
        (b"null", "is JSON but no message"),
        (b'{"jsonrpc":"2.0","method":"x","params":{"a":NaN}}', "is not a message"),
    ],
)
def test_each_kind_of_pollution_is_named_with_its_line(session: Session, line: bytes, words: str) -> None:
    session.server(b'{"jsonrpc":"2.0","method":"notifications/x"}', line)
    (said,) = session.said
    assert words in said
    assert said.startswith("stdout line 2 (record 3) ")


@pytest.mark.parametrize(
    "line",
    [b"", b" ", b"\r", b'{"jsonrpc":"2.0","id":1,"result":{}}', b"{}", b'[{"jsonrpc":"2.0","method":"x"}]',
     b' {"jsonrpc":"2.0","id":1,"result":{}} \r'],
)  # fmt: skip
def test_what_harms_nobody_is_not_named(session: Session, line: bytes) -> None:
    session.server(line)
    assert session.said == []


def test_a_flood_of_pollution_is_named_once_for_each_kind(session: Session) -> None:
    for _ in range(100):
        session.server(b"log", b"\xff", b'"x"', b"another log")
    assert len(session.said) == 3


# Capabilities


@pytest.mark.parametrize("capabilities", ["{}", '{"logging":{}}', '{"experimental":{"tools":{}}}'])
@pytest.mark.parametrize("method", ["initialize", "server/discover"])
def test_a_capability_gap_is_named(session: Session, capabilities: str, method: str) -> None:
    session.client(INITIALIZE.replace(b"initialize", method.encode()))
    session.server(initialized(capabilities))
    (said,) = session.said
    assert f"the server's answer to {method} declares no tools, resources or prompts" in said


@pytest.mark.parametrize("capabilities", ['{"tools":{}}', '{"prompts":{},"x":1}', '{"resources":null}'])
def test_a_server_that_declares_something_is_not_named(session: Session, capabilities: str) -> None:
    session.client(INITIALIZE)
    session.server(initialized(capabilities))
    assert session.said == []


# The end


def test_requests_that_stayed_unanswered_are_named(session: Session) -> None:
    session.client(b'{"id":1,"method":"tools/list"}', b'{"id":"a","method":"ping"}', b'{"id":2,"method":"x"}')
    session.server(b'{"id":2,"result":{}}')
    session.watch.server_ended("exited with code 0", failed=False, asked_to=True)
    assert session.said == ["no answer came to tools/list (id 1), ping (id a)"]


@pytest.mark.parametrize(
    ("client", "server"),
    [
        ([b'{"id":1,"method":"x"}'], [b'{"id":1,"result":{}}']),
        ([b'{"id":1,"method":"x"}'], [b'{"id":1,"error":{"code":1,"message":""}}']),
        ([b'{"id":1,"method":"x"}'], [b'{"id":"1","result":{}}']),
        ([b'{"id":"1","method":"x"}'], [b'{"id":1,"result":{}}']),
        ([b'{"id":1,"method":"x"}'], [b'[{"id":1,"result":{}}]']),
        ([b'{"id":1,"method":"x"}'], [b'log {"id":1,"result":{}}']),
        ([b'{"id":1,"method":"x"}', b'{"method":"notifications/cancelled","params":{"requestId":1}}'], []),
        ([b'{"method":"x"}'], []),
        ([b'{"id":1,"result":{}}'], []),
        ([b'{"id":1,"method":"subscriptions/listen"}'], []),
        ([b'{"id":1,"method":"tasks/result"}'], []),
        ([b'{"id":1.0,"method":"x"}'], [b'{"id":1.0,"result":{}}']),
    ],
    ids=str,
)
def test_what_was_answered_cancelled_or_is_held_by_design_is_not_named(
    session: Session, client: list[bytes], server: list[bytes]
) -> None:
    session.client(*client)
    session.server(*server)
    session.watch.server_ended("exited with code 0", failed=False, asked_to=True)
    assert [said for said in session.said if "answer" in said] == []


def test_a_request_sent_just_before_the_client_left_is_not_named(session: Session) -> None:
    session.client(b'{"id":1,"method":"x"}')
    session.watch.client_ended()
    session.watch.server_ended("exited with code 0", failed=False, asked_to=False)
    assert session.said == []


def test_a_server_that_ends_by_itself_before_an_answer_is_named(session: Session) -> None:
    session.client(INITIALIZE)
    session.watch.server_ended("exited with code 1", failed=True, asked_to=False)
    assert session.said == ["the server exited with code 1 before it answered anything"]


# Lines that are made to break the watch


HOSTILE = [
    b'{"id":"\\ud800","method":"\\udfff"}',
    b'{"id":"' + b"9" * 5000 + b'","method":"x"}',
    b'{"id":"' + b"9" * 5000 + b'","result":{}}',
    b'{"id":' + b"9" * 4000 + b',"result":{}}',
    b'{"id":' + b"[" * 900 + b"]" * 900 + b',"method":"x"}',
    b'{"id":{"a":[1]},"method":"x"}',
    b'{"id":1e999,"method":"x"}',
    b'{"id":null,"method":"x"}',
    b'{"id":true,"method":"x"}',
    b'{"id":1,"method":["x"]}',
    b'{"method":"notifications/cancelled","params":[1]}',
    b'{"method":"notifications/cancelled","params":{"requestId":{"a":1}}}',
    b'{"id":"\\ud800","result":{}}',
    b'{"id":1,"result":{"capabilities":[]}}',
    b'"id" \xff \x1b[31m',
    b'not json "id":"\\ud800"',
    "\u0664".join(['{"id":"', '","result":{}}']).encode(),
]


def test_hostile_lines_neither_raise_nor_drive_the_terminal(session: Session) -> None:
    for line in HOSTILE:
        session.client(line)
    for line in HOSTILE:
        session.server(line)
    session.watch.server_ended("exited with code 0", failed=False, asked_to=True)
    assert all(said.isprintable() for said in session.said)


def test_hostile_lines_are_recorded_in_both_directions(start: Start) -> None:
    payload = b"\n".join(HOSTILE * 3) + b"\n"
    tap = start(awkward("echo"))
    assert tap.finish(payload)[:2] == (0, payload)
    recording = tap.recording()
    assert recording.bytes("c2s") == recording.bytes("s2c") == payload
    assert recording.events("gap") == []


# Words on the terminal


def test_what_is_shown_of_the_wire_cannot_drive_a_terminal() -> None:
    watch = Session()
    watch.server(b"\x1b[31m\x07\r\xe2\x80\xaegnp.exe\xe2\x81\xa6")
    (said,) = watch.said
    assert said.endswith(': "␛[31m␇␍<U+202E>gnp.exe<U+2066>"')
    assert said.isprintable()


def run_loud(start: Start, server: list[str], data: bytes = b"", **popen: Any) -> list[str]:
    tap = start(server, options=["--no-record"], **popen)
    _, _, err = tap.finish(data)
    return err.decode().splitlines()


def test_the_start_line_says_what_runs_where_and_where_it_records(start: Start, tmp_path: Path) -> None:
    tap = start(["sh", "-c", "exit 0", "a b", "\x1b[31m"], options=["--record", str(tmp_path / "x.jsonl")])
    assert tap.status() == 0
    (line, *_) = tap.stderr().decode().splitlines()
    assert line.startswith("mcptap: started sh -c exit 0 ")
    assert "␛[31m" in line
    assert f" in {tmp_path}" in line
    assert line.endswith(f"recording to {tmp_path}/x.jsonl")


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


def test_a_flood_of_pollution_is_one_line_on_stderr(start: Start) -> None:
    lines = run_loud(start, ["sh", "-c", "yes 'log line' | head -n 50000"])
    assert len([line for line in lines if "is not a message" in line]) == 1
    assert len(lines) <= 3


def test_quiet_removes_every_word(start: Start) -> None:
    tap = start(["sh", "-c", "echo log; echo err >&2; exit 3"], options=["--quiet", "--no-record"])
    assert (tap.status(), tap.stdout(), tap.stderr()) == (3, b"log\n", b"err\n")


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


def test_a_death_that_nobody_asked_for_is_told_and_one_that_was_is_not(start: Start) -> None:
    crash = run_loud(start, awkward("die", int(signal.SIGSEGV)))
    assert any("the server was killed by SIGSEGV" in line for line in crash)
    tap = start(awkward("stubborn"), options=["--no-record"])
    tap.pid_from_first_line()
    tap.signal(signal.SIGTERM)
    tap.status()
    assert b"killed" not in tap.stderr()


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
