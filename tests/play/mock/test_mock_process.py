"""The stand-in as a real process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.play.tape import (
    INITIALIZE,
    INITIALIZED,
    Tape,
    add,
    as_line,
    handshake,
    healthy,
    request,
    result,
    text_result,
)

WAIT_S = 30


def mock(path: Path, *options: str, say: bytes) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "mcptap", "mock", str(path), *options]
    return subprocess.run(command, input=say, capture_output=True, timeout=WAIT_S, check=False)


def lines(*messages: Any) -> bytes:
    return b"".join(as_line(message) for message in messages)


def test_a_client_that_sends_all_at_once_gets_every_answer_and_the_recorded_code(tmp_path):
    tape = handshake(Tape()).client(add(2, 1, 2)).server(b"adding\n").server(text_result(2, "3")).end(5)
    played = mock(tape.write(tmp_path / "r.jsonl"), say=lines(INITIALIZE, INITIALIZED, add(9, 1, 2)))
    assert played.stdout.splitlines()[1:] == [b"adding", as_line(text_result(9, "3"))[:-1]]
    assert played.returncode == 5
    assert played.stderr == b""


def test_a_crash_by_a_signal_is_a_crash_by_that_signal(tmp_path):
    tape = handshake(Tape()).client(add(2, 1, 2)).eof("s2c").eof("c2s")
    path = tape.event("exit", signal="SIGSEGV", us=1).write(tmp_path / "r.jsonl")
    assert mock(path, say=lines(INITIALIZE, add(9, 1, 2))).returncode == -signal.SIGSEGV


def test_recorded_latency_keeps_the_order_of_the_recorded_answers(tmp_path):
    tape = Tape().client(add(1, 1, 1)).client(add(2, 2, 2))
    tape.server(text_result(2, "fast"))
    tape.at += 200
    path = tape.server(text_result(1, "slow")).write(tmp_path / "r.jsonl")
    played = mock(path, "--latency", say=lines(add(1, 1, 1), add(2, 2, 2)))
    assert [json.loads(line)["id"] for line in played.stdout.splitlines()] == [2, 1]


def test_an_unknown_request_is_told_to_the_developer_on_stderr(tmp_path):
    played = mock(healthy().write(tmp_path / "r.jsonl"), say=lines(add(9, 5, 5)))
    assert b"but none for these params" in played.stderr


def test_a_server_that_ignored_the_end_has_to_be_killed_again(tmp_path):
    tape = handshake(Tape()).eof("c2s").event("signal", signal="SIGTERM", sender=1, forwarded=True)
    path = tape.event("exit", signal="SIGKILL", us=1).write(tmp_path / "r.jsonl")
    command = [sys.executable, "-m", "mcptap", "mock", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(lines(INITIALIZE))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.stdin.close()
        process.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.3)
        process.kill()
        assert process.wait(WAIT_S) == -signal.SIGKILL


def test_a_second_recording_adds_the_requests_that_it_knows(tmp_path):
    healthy().write(tmp_path / "main.jsonl")
    Tape().client(request(1, "server/discover")).server(result(1)).write(tmp_path / "sibling.jsonl")
    say = lines(request("probe", "server/discover"), add(9, 1, 2))
    played = mock(tmp_path / "main.jsonl", str(tmp_path / "sibling.jsonl"), say=say)
    assert [json.loads(line)["id"] for line in played.stdout.splitlines()] == ["probe", 9]


def test_a_fault_without_an_occasion_is_told(tmp_path):
    path = healthy().write(tmp_path / "r.jsonl")
    assert b"no occasion" in mock(path, "--fault", "null-field", say=lines(INITIALIZE)).stderr


def test_it_is_told_as_well_if_the_client_ends_the_mock(tmp_path):
    command = [sys.executable, "-m", "mcptap", "mock", str(healthy().write(tmp_path / "r.jsonl"))]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, "--fault", "null-field"], stdin=pipe, stdout=pipe, stderr=pipe
    ) as process:
        process.stdin.write(lines(INITIALIZE))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(WAIT_S) == -signal.SIGTERM
        assert process.stderr.read() == b"mcptap mock: there was no occasion for the fault null-field\n"


def test_answers_without_newline_and_bytes_that_are_no_utf_8_come_as_they_were(tmp_path):
    tape = Tape().client(add(1, 1, 1)).server(b"\xff\xfe\n").server(as_line(result(1))[:-1])
    played = mock(tape.write(tmp_path / "r.jsonl"), say=lines(add(1, 1, 1)))
    assert played.stdout == b"\xff\xfe\n" + as_line(result(1))[:-1]
