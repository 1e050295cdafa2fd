"""What a client has seen is in the recording, however and whenever everything is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mcptap.recording.format.model import Line
from mcptap.recording.reader import State
from tests.shim.conftest import Start
from tests.shim.running import MCPTAP, Recording, awkward, environment

TRIES = 50


@pytest.mark.parametrize("newline", ["\\n", ""], ids=["a whole line", "no newline yet"])
def test_a_client_that_kills_at_once_finds_what_it_read(tmp_path: Path, newline: str) -> None:
    """100 of 100: fifty bad lines, and fifty times bytes whose newline never came."""
    server = ["sh", "-c", f"printf 'not json at all{newline}'; exec sleep 60"]

    def read_and_kill(number: int) -> str:
        place = tmp_path / f"{number}.jsonl"
        command = [*MCPTAP, "run", "--quiet", "--record", str(place), "--", *server]
        tap = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(tmp_path),
            start_new_session=True,
        )
        with tap:
            assert tap.stdout is not None
            seen = os.read(tap.stdout.fileno(), 100)
            os.killpg(tap.pid, signal.SIGKILL)
        recording = Recording(place)
        assert recording.state is State.CRASHED
        assert recording.bytes("s2c").startswith(seen)
        return seen.decode().rstrip()

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(read_and_kill, range(TRIES))) == ["not json at all"] * TRIES


def test_a_request_never_stands_after_its_answer(start: Start) -> None:
    """Under load in both directions, with answers that come as fast as they can."""
    count = 20_000
    tap = start(awkward("echo"))
    requests = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % number for number in range(count))
    assert tap.finish(requests)[:2] == (0, requests)
    numbers: dict[str, dict[int, int]] = {"c2s": {}, "s2c": {}}
    for item in tap.recording().items:
        if isinstance(item, Line):
            numbers[item.channel][item.value["id"]] = item.number
    assert len(numbers["c2s"]) == len(numbers["s2c"]) == count
    assert all(numbers["c2s"][i] < numbers["s2c"][i] for i in range(count))


def test_records_are_numbered_without_gaps_and_their_times_go_forward_per_channel(start: Start) -> None:
    tap = start(awkward("echo_twice"))
    tap.finish(b'{"id":1}\n' * 5000)
    with tap.recording().path.open("rb") as file:
        records = [json.loads(line) for line in file]
    assert [fields["n"] for fields in records] == list(range(1, len(records) + 1))
    for channel in ("c2s", "s2c", "stderr"):
        times = [fields["t"] for fields in records if fields.get("ch") == channel]
        assert times == sorted(times)


def test_a_live_recording_is_told_from_a_finished_and_a_crashed_one(start: Start, tmp_path: Path) -> None:
    tap = start(awkward("echo"))
    tap.send(b"x\n")
    assert tap.sees(b"x\n")
    assert tap.recording().state is State.LIVE
    tap.finish()
    assert tap.recording().state is State.FINISHED
    other = start(awkward("echo"), options=["--quiet", "--record", str(tmp_path / "other.jsonl")])
    other.send(b"x\n")
    assert other.sees(b"x\n")
    other.signal(signal.SIGKILL)
    other.status()
    assert Recording(tmp_path / "other.jsonl").state is State.CRASHED


def test_a_process_that_the_server_left_does_not_keep_the_recording_live(start: Start) -> None:
    tap = start(["sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!"])
    assert tap.status() == 0
    assert tap.recording().state is State.FINISHED
    os.kill(int(tap.stdout()), signal.SIGKILL)
