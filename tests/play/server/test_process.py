"""The runner of server processes, against real processes."""

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio

from mcptap.clients.client import StopStep
from mcptap.errors import UserError
from mcptap.play.server.launch import Launch
from mcptap.play.server.process import ServerProcess, running
from mcptap.play.server.process_tree import all_processes
from mcptap.play.server.recording import open_recording
from mcptap.play.server.stop import Exit, stop_sequence
from mcptap.recording.format.model import Event, Line
from mcptap.recording.reader import Reader, State

ECHO = "import sys\nfor line in sys.stdin.buffer: sys.stdout.buffer.write(line); sys.stdout.flush()"
DEAF = """
import signal, sys, time
for name in ("SIGTERM", "SIGINT", "SIGHUP"): signal.signal(getattr(signal, name), signal.SIG_IGN)
print("ready", flush=True)
time.sleep(600)
"""
Play = Callable[[ServerProcess, "Heard"], Awaitable[Exit]]


class Heard:
    """What a player heard, and a way to wait for more of it."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.ended: list[str] = []
        self._more = trio.Event()

    def line(self, line: Line) -> None:
        self.lines.append(line)
        self._more.set()

    def end(self, channel: str) -> None:
        self.ended.append(channel)

    async def count(self, wanted: int) -> None:
        while len(self.lines) < wanted:
            self._more = trio.Event()
            await self._more.wait()


def play(argv: list[str], recording: Path, player: Play, **launch: object) -> tuple[Exit, Heard]:
    """Start a server, let `player` play with it, and return how it ended and what was heard."""
    heard = Heard()

    async def main() -> Exit:
        start = Launch(argv, **launch)
        recorder, _ = open_recording(start, str(recording), "test", pytest.fail)
        try:
            with trio.fail_after(30):
                async with running(start, recorder, heard.line, heard.end) as server:
                    return await player(server, heard)
        finally:
            recorder.close()

    return trio.run(main), heard


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def items(recording: Path) -> list[Line | Event]:
    with Reader(str(recording)) as reader:
        return list(reader.items())


def exit_of(recording: Path) -> dict[str, object]:
    (end,) = [i.fields for i in items(recording) if isinstance(i, Event) and i.kind == "exit"]
    return end


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def send_and_stop(server: ServerProcess, heard: Heard) -> Exit:
    assert await server.send(b'{"a": 1}\n\xff\r\n')
    await heard.count(2)
    return await server.stop(stop_sequence(10))


def test_lines_come_back_as_they_were_sent_and_are_recorded(tmp_path):
    recording = tmp_path / "r.jsonl"
    end, heard = play(python(ECHO), recording, send_and_stop)
    assert (end.code, end.signal) == (0, None)
    assert [(line.raw, line.channel) for line in heard.lines] == [
        (b'{"a": 1}\n', "s2c"),
        (b"\xff\r\n", "s2c"),
    ]
    recorded = items(recording)
    lines = [i for i in recorded if isinstance(i, Line)]
    assert [(line.channel, line.raw) for line in lines] == [
        ("c2s", b'{"a": 1}\n'),
        ("c2s", b"\xff\r\n"),
        ("s2c", b'{"a": 1}\n'),
        ("s2c", b"\xff\r\n"),
    ]
    assert [line.number for line in heard.lines] == [line.number for line in lines[2:]]
    events = [i.kind for i in recorded if isinstance(i, Event)]
    assert (events[0], events[-1], sorted(events[1:-1])) == ("spawn", "exit", ["eof", "eof", "eof"])


def test_the_recording_is_finished_once_the_server_has_ended(tmp_path):
    recording = tmp_path / "r.jsonl"
    play(python(ECHO), recording, send_and_stop)
    with Reader(str(recording)) as reader:
        list(reader.items())
        assert reader.state() is State.FINISHED
        assert reader.header.argv == python(ECHO)


def test_a_last_line_without_newline_is_heard(tmp_path):
    async def player(server: ServerProcess, heard: Heard) -> Exit:
        await server.exited.wait()
        return server.exit

    end, heard = play(
        python("import sys; sys.stdout.write('half'); sys.exit(3)"), tmp_path / "r.jsonl", player
    )
    assert end.code == 3
    assert [(line.data, line.eol) for line in heard.lines] == [(b"half", b"")]
    assert heard.lines[0].number in [i.number for i in items(tmp_path / "r.jsonl")]
    assert sorted(heard.ended) == ["s2c", "stderr"]


def test_a_server_that_ignores_end_of_input_and_term_is_killed(tmp_path):
    async def player(server: ServerProcess, heard: Heard) -> Exit:
        await heard.count(1)
        return await server.stop(stop_sequence(0.05, 0.05))

    end, _ = play(python(DEAF), tmp_path / "r.jsonl", player)
    assert end.signal == "SIGKILL"
    signals = [
        i.fields["signal"] for i in items(tmp_path / "r.jsonl") if isinstance(i, Event) and i.kind == "signal"
    ]
    assert signals == ["SIGTERM", "SIGKILL"]


GRANDCHILD = """
import signal, subprocess, sys, time
deaf = [sys.executable, "-c", sys.argv[1]]
child = subprocess.Popen(deaf, start_new_session=bool(sys.argv[2]), stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="finding a tree needs /proc")
@pytest.mark.parametrize("daemon", ["", "yes"], ids=["in its group", "in a session of its own"])
def test_a_grandchild_that_ignores_term_is_gone_after_the_stop(tmp_path, daemon):
    async def player(server: ServerProcess, heard: Heard) -> Exit:
        await heard.count(1)
        return await server.stop(stop_sequence(10))

    end, heard = play(python(GRANDCHILD, DEAF, daemon), tmp_path / "r.jsonl", player)
    pid = int(heard.lines[0].data)
    assert (end.code, end.left) == (0, [pid])
    assert is_gone(pid)
    assert exit_of(tmp_path / "r.jsonl")["left"] == [pid]


def test_a_server_behind_a_shell_is_gone_when_the_player_is_cancelled(tmp_path):
    pids: list[int] = []

    async def player(server: ServerProcess, heard: Heard) -> Exit:
        await heard.count(2)
        pids.extend(int(line.data) for line in heard.lines if line.data.isdigit())
        raise trio.TooSlowError  # what a deadline of the player does

    with pytest.raises(trio.TooSlowError):
        play(["sh", "-c", 'echo $$; "$@"; true', "sh", *python(DEAF)], tmp_path / "r.jsonl", player)
    assert len(pids) == 1
    assert is_gone(pids[0])
    assert exit_of(tmp_path / "r.jsonl")["signal"] == "SIGKILL"


def test_a_stop_sequence_may_signal_the_process_alone_with_stdin_open(tmp_path):
    code = "import signal, sys; print('ready', flush=True); signal.pause()"

    async def player(server: ServerProcess, heard: Heard) -> Exit:
        await heard.count(1)
        return await server.stop([StopStep("SIGINT", 10, group=False)])

    end, _ = play(python(code), tmp_path / "r.jsonl", player)
    assert end.signal == "SIGINT"
    assert end.status == 128 + signal.SIGINT


def test_a_signal_without_a_name_is_told_by_its_number(tmp_path):
    async def player(server: ServerProcess, heard: Heard) -> Exit:
        await server.exited.wait()
        return server.exit

    end, _ = play(python("import os; os.kill(os.getpid(), 40)"), tmp_path / "r.jsonl", player)
    assert (end.signal, end.status) == ("SIG40", 168)


def test_sending_to_a_server_that_reads_no_more_is_told(tmp_path):
    async def player(server: ServerProcess, heard: Heard) -> Exit:
        await heard.count(1)
        while await server.send(b"x" * 100_000 + b"\n"):
            pass
        return await server.stop(stop_sequence(0.01, 10))

    code = "import os, time; os.close(0); print('closed', flush=True); time.sleep(600)"
    play(python(code), tmp_path / "r.jsonl", player)
    ends = {
        i.fields["ch"]: i.fields.get("why")
        for i in items(tmp_path / "r.jsonl")
        if getattr(i, "kind", "") == "eof"
    }
    assert ends == {"c2s": "receiver closed", "s2c": None, "stderr": None}


@pytest.mark.parametrize(
    ("argv", "cwd", "words", "status"),
    [
        (["no-such-server-7f3a"], None, "no such program on the PATH", 127),
        (["./missing/server"], None, "no such file", 127),
        ([sys.executable], "/no/such/folder", "working directory '/no/such/folder' is no folder", 126),
        (["/"], None, "it is a folder", 126),
    ],
)
def test_a_server_that_cannot_be_started_is_one_sentence_and_recorded(tmp_path, argv, cwd, words, status):
    async def player(server: ServerProcess, heard: Heard) -> Exit:
        pytest.fail("it started")

    with pytest.raises(UserError, match=words):
        play(argv, tmp_path / "r.jsonl", player, cwd=cwd)
    (event,) = items(tmp_path / "r.jsonl")
    assert (event.kind, event.fields["status"]) == ("spawn", status)
    assert words in event.fields["error"]


@pytest.mark.skipif(sys.platform != "linux", reason="descriptors are counted in /proc")
def test_runs_in_a_row_leave_no_descriptor_and_no_child(tmp_path):
    async def player(server: ServerProcess, heard: Heard) -> Exit:
        await server.send(b"hello\n")
        return await server.stop(stop_sequence(10))

    command = ["sh", "-c", "cat; setsid sleep 600 >/dev/null 2>&1 & exit 0"]

    def ours() -> tuple[int, set[int]]:
        children = {p.pid for p in all_processes() if p.parent == os.getpid()}
        return len(os.listdir("/proc/self/fd")), children

    play(command, tmp_path / "first.jsonl", player)
    before = ours()
    for number in range(25):
        end, heard = play(command, tmp_path / f"{number}.jsonl", player)
        assert (end.code, len(end.left), heard.lines[0].data) == (0, 1, b"hello")
    assert ours() == before
