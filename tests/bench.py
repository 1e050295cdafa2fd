"""Start, round trip and floods of a small server, directly and behind the tap, in turn; and how
fast what came of it is judged.

python tests/bench.py [ROUNDS]      # with the Python that has mcptap; figures are medians

No test: figures depend on the machine. Read the ratios, on a quiet one.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.recording.file import RecordingFile
from mcptap.recording.reader import Reader
from mcptap.recording.writer import ChannelRecorder, Recorder

SERVER = r"""
import os
def answers():
    rest = b""
    while chunk := os.read(0, 65536):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line
for line in answers():
    if line.startswith(b"flood"):
        note = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"' + b"x" * 127 + b'"}}'
        data = (note + b"\n") * 300
        for _ in range(int(line[5:]) // 300):
            view = memoryview(data)
            while view:
                view = view[os.write(1, view):]
    elif line:
        os.write(1, line + b"\n")
"""
LINE = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"' + b"y" * 240 + b'"}}\n'
DIRECT = [sys.executable, "-S", "-c", SERVER]
CALLS = 100_000
FLOOD = 300_000
"""Lines of 200 bytes in a flood from the server."""


class Peer:
    """A started server, or a tap with one behind it."""

    def __init__(self, command: list[str]) -> None:
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def ask(self) -> float:
        """Send a line and wait for it to come back; the seconds that took."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        begun = time.perf_counter()
        self.process.stdin.write(LINE)
        self.process.stdin.flush()
        assert self.process.stdout.readline() == LINE
        return time.perf_counter() - begun

    def flood(self) -> float:
        """Have the server send `FLOOD` lines; how many came a second."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        begun = time.perf_counter()
        self.process.stdin.write(b"flood%d\n" % FLOOD)
        self.process.stdin.flush()
        left = FLOOD
        while left > 0:
            left -= self.process.stdout.read1(1 << 18).count(b"\n")  # type: ignore[attr-defined]
        return FLOOD / (time.perf_counter() - begun)

    def end(self) -> None:
        """Close the server's input, and wait."""
        self.process.communicate()


def measure(command: list[str]) -> dict[str, float]:
    """One round: milliseconds to the first reply, microseconds of a round trip, lines a second."""
    peer = Peer(command)
    try:
        peer.ask()
        start = (time.perf_counter() - peer.begun) * 1e3
        trips = sorted(peer.ask() for _ in range(1000))
        return {"start": start, "trip": trips[500] * 1e6, "flood": peer.flood()}
    finally:
        peer.end()


def judge(folder: str) -> float:
    """Records a second of CPU time, read from a file and judged by all rules."""
    header = b'{"mcptap":1,"n":1,"k":"header","t":0,"wall":0,"name":"bench","lock":true}\n'
    file = RecordingFile([f"{folder}/judged.jsonl"], lambda _: header, print)
    recorder = Recorder(time.monotonic_ns(), file)
    client, server = (ChannelRecorder(recorder, channel) for channel in ("c2s", "s2c"))
    for number in range(CALLS):
        call = b'"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Oslo","days":%d}}'
        client.take(b'{"jsonrpc":"2.0","id":%d,' % number + call % (number % 9) + b"}\n")
        answer = b'{"content":[{"type":"text","text":"%d degrees, light wind, no rain"}]}' % (number % 40)
        server.take(b'{"jsonrpc":"2.0","id":%d,"result":' % number + answer + b"}\n")
    recorder.close()
    assert file.path is not None
    begun = time.process_time()
    with Reader(file.path) as reader:
        diagnosis = Diagnosis(reader.header, partial=True)
        for item in reader.items():
            diagnosis.feed(item)
        diagnosis.finish(reader.state(), reader.unfinished())
    return 2 * CALLS / (time.process_time() - begun)


def main() -> None:
    """Measure in turn, print medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as folder:
        tap = [sys.executable, "-m", "mcptap", "run", "--record", f"{folder}/", "--", *DIRECT]
        pairs = [(measure(DIRECT), measure(tap)) for _ in range(rounds)]
        rate = judge(folder)

    def median(which: int, name: str) -> float:
        return statistics.median(pair[which][name] for pair in pairs)

    print(f"start       {median(0, 'start'):10.1f} ms directly   {median(1, 'start'):10.1f} ms behind mcptap")
    print(f"round trip  {median(0, 'trip'):10.0f} µs directly   {median(1, 'trip'):10.0f} µs behind mcptap")
    print(f"flood       {median(0, 'flood'):10,.0f} a second     {median(1, 'flood'):10,.0f} behind mcptap")
    print(f"check       {rate:10,.0f} records a second, on one core")


if __name__ == "__main__":
    main()
