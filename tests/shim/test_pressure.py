"""A slow side slows the other, as it would directly, with little memory in between."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.shim.conftest import Start
from tests.shim.running import Running, Stream, awkward, eventually

PIPE = 1 << 16
MEMORY_KB = 60 << 10
"""The bound under any flood."""

BIG = 5_000_000


def peak_kb(pid: int) -> int:
    """The most memory a process had so far."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def is_waiting(pid: int) -> bool:
    """Whether a process sleeps: here, in a write that nobody takes."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b") ")[2][:1] == b"S"


def recorded(tap: Running, channel: str) -> int:
    return len(tap.recording().bytes(channel))


def test_a_client_that_does_not_read_stops_the_server(start: Start) -> None:
    tap = start(awkward("flood_and_wait", BIG // 1000, 1000), read_stdout=False)
    tap.recording_begun()
    assert eventually(lambda: recorded(tap, "s2c") >= PIPE // 2)
    server = tap.recording().event("spawn")["pid"]
    assert eventually(lambda: is_waiting(server))
    # What was taken from the server is what the pipe to the client holds, and a chunk in hand.
    assert recorded(tap, "s2c") <= 2 * PIPE
    assert tap.process.stdout is not None
    tap.out = Stream(tap.process.stdout.fileno())
    assert tap.out.wait(lambda seen: len(seen) == BIG)
    assert peak_kb(tap.pid) < MEMORY_KB
    assert tap.finish()[0] == 0
    assert recorded(tap, "s2c") == BIG


def test_a_server_that_does_not_read_stops_the_client(start: Start) -> None:
    tap = start(awkward("count_at", "SIGUSR1"))
    assert tap.sees(b"ready\n")
    data = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * (BIG // 41)
    writer = tap.send_aside(data, close=True)
    assert eventually(lambda: recorded(tap, "c2s") >= PIPE // 2)
    assert eventually(lambda: is_waiting(tap.pid))
    assert recorded(tap, "c2s") <= 2 * PIPE
    assert writer.is_alive()
    tap.signal(signal.SIGUSR1)
    writer.join(30)
    assert tap.sees(b"%d\n" % len(data))
    assert tap.status() == 0
    assert recorded(tap, "c2s") == len(data)


def test_both_sides_may_write_before_they_read(start: Start) -> None:
    """The client writes all it has before it reads; the server does both at once."""
    tap = start(awkward("both_ways", BIG), read_stdout=False)
    data = b"c" * (BIG - 1) + b"\n"
    tap.send(data)
    assert tap.process.stdout is not None
    tap.out = Stream(tap.process.stdout.fileno())
    status, out, _ = tap.finish()
    assert (status, len(out)) == (0, BIG + len(b"%d\n" % BIG))
    assert out.endswith(b"\n%d\n" % BIG)


@pytest.mark.parametrize(
    ("lines", "size", "limit_kb"),
    [(50_000, 200, MEMORY_KB), (20, 1_000_000, MEMORY_KB), (1, 64_000_000, 100 << 10)],
    ids=["short lines", "long lines", "one line of 64 MB"],
)
def test_memory_is_bounded_in_a_flood(start: Start, lines: int, size: int, limit_kb: int) -> None:
    tap = start(awkward("flood_and_wait", lines, size))
    assert tap.out is not None
    assert tap.out.wait(lambda seen: len(seen) == lines * size)
    assert peak_kb(tap.pid) < limit_kb
    assert tap.finish()[0] == 0


def test_memory_is_bounded_for_a_flood_of_the_client(start: Start) -> None:
    tap = start(awkward("count_late"))
    tap.send(b'{"r":"' + b"x" * 40_000_000 + b'"}\n' + b'{"id":1}\n' * 200_000)
    assert eventually(lambda: is_waiting(tap.pid))
    assert peak_kb(tap.pid) < MEMORY_KB
    assert tap.finish()[:2] == (0, b"%d\n" % (40_000_009 + 1_800_000))


@pytest.mark.parametrize(
    ("begin", "middle", "end", "loud"),
    [
        ("", "\n", "", True),
        ("", "0\n", "", True),
        ("", "0\n", "", False),
        ("[", '{"":0},', "0]", True),
        ("[", "[],", "[]]", False),
    ],
    ids=["empty lines, loud", "short values, loud", "short values", "objects, loud", "arrays"],
)
def test_memory_is_bounded_for_what_is_much_larger_as_a_value_or_as_records_on_all_channels(
    start: Start, tmp_path: Path, begin: str, middle: str, end: str, loud: bool
) -> None:
    size = 70_000 if "\n" in middle else 500_000  # more than a chunk, and nearly a whole line
    quiet = [] if loud else ["--quiet"]
    options = [*quiet, "--record", str(tmp_path / "records") + "/"]
    tap = start(awkward("flood_everywhere", begin, middle, end, size), options=options)
    line = (begin + middle * (size // len(middle)) + end).encode() + b"\n"
    tap.send(line * 2)
    assert tap.out is not None
    assert tap.err is not None
    assert tap.out.wait(lambda seen: len(seen) == len(line) * 2)
    assert tap.err.wait(lambda seen: len(seen) >= len(line) * 2)
    assert peak_kb(tap.pid) < MEMORY_KB
    assert tap.finish()[0] == 0
    recording = tap.recording()
    assert len(recording.bytes("c2s")) == len(recording.bytes("stderr")) == len(line) * 2


@pytest.mark.parametrize(
    ("count", "size"), [(60, 400_000), (20_000, 30)], ids=["of 400 kB", "of a usual size, 20,000 of them"]
)
def test_memory_is_bounded_whatever_ids_stay_open(
    start: Start, tmp_path: Path, count: int, size: int
) -> None:
    tap = start(awkward("count_late"), options=["--record", str(tmp_path / "records") + "/"])
    lines = b"".join(b'{"id":"%d%b","method":"x"}\n' % (n, b"i" * size) for n in range(count))
    tap.send(lines)
    assert eventually(lambda: recorded(tap, "c2s") == len(lines))
    assert peak_kb(tap.pid) < MEMORY_KB
    assert tap.finish()[:2] == (0, b"%d\n" % len(lines))


def test_a_receiver_that_did_not_read_for_long_is_in_the_recording(start: Start) -> None:
    tap = start(awkward("flood_and_wait", 1000, 1000), read_stdout=False)
    tap.recording_begun()
    assert eventually(lambda: recorded(tap, "s2c") >= PIPE // 2)
    # The event is about real time: more than a second without a read.
    begun = tap.recording().items[-1].t_us
    other = start(["sleep", "1.3"], direct=True)
    other.status()
    assert tap.process.stdout is not None
    tap.out = Stream(tap.process.stdout.fileno())
    assert tap.finish()[0] == 0
    event = tap.recording().event("blocked")
    assert (event["ch"], event["us"] > 1_000_000, event["t"] > begun) == ("s2c", True, True)
