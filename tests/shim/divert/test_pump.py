"""What a client gets of the server's stdout with `--divert`, what stderr gets, and what is recorded."""

from __future__ import annotations

import os
from _thread import allocate_lock
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcptap.recording.file import RecordingFile
from mcptap.recording.format.content import parse_strictly
from mcptap.recording.format.model import Line
from mcptap.recording.reader import Reader
from mcptap.recording.writer import Recorder
from mcptap.shim.divert import pump as pump_module
from mcptap.shim.divert.aside import Aside
from mcptap.shim.divert.judge import MAX_LINE, Judge
from mcptap.shim.divert.pump import DivertingPump
from mcptap.shim.notices import Notices
from tests.helpers import header
from tests.shim.running import PATIENCE_S, Stream, eventually

ASKED = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}\n'


class Between:
    """A diverting pump between pipes, with a recording."""

    def __init__(self, folder: Path) -> None:
        self.source, self.input = os.pipe()
        output, self.sink = os.pipe()
        err, self.stderr = os.pipe()
        self._reading = (output, err)
        self.client, self.aside_stream = Stream(output), Stream(err)
        self.judge = Judge()
        self.judge.client_lines(2, ASKED, [parse_strictly(ASKED)])
        self.aside = Aside(self.stderr, Notices(self.stderr, quiet=True))
        self.path = folder / "x.jsonl"
        file = RecordingFile([str(self.path)], lambda locked: header(locked=locked), self._fail)
        self.recorder = Recorder(0, file)
        self.faults: list[str] = []
        self.shown: list[object] = []
        self.pump = DivertingPump(
            self.source,
            self.sink,
            self.recorder,
            lambda _first, _lines, values: self.shown.extend(values),
            lambda _pump, _gone: os.close(self.sink),
            lambda _channel, error: self.faults.append(str(error)),
            self.judge,
            self.aside,
        )

    def start(self) -> None:
        self.aside.start()
        self.pump.start(allocate_lock())

    def send(self, *chunks: bytes) -> None:
        for chunk in chunks:
            os.write(self.input, chunk)

    def finish(self) -> tuple[bytes, bytes]:
        """What the client and stderr got, once the stream has ended."""
        os.close(self.input)
        assert self.pump.wait(PATIENCE_S)
        assert self.aside.wait(PATIENCE_S)
        self.recorder.close()
        os.close(self.stderr)
        os.close(self.source)
        got = self.client.end(), self.aside_stream.end()
        for fd in self._reading:
            os.close(fd)
        return got

    def lines(self) -> list[Line]:
        with Reader(str(self.path)) as reader:
            return [item for item in reader.items() if isinstance(item, Line)]

    @staticmethod
    def _fail(sentence: str) -> None:
        raise AssertionError(sentence)


@pytest.fixture
def between(tmp_path: Path) -> Between:
    return Between(tmp_path)


def test_the_client_gets_the_messages_and_stderr_the_rest(between: Between) -> None:
    between.start()
    between.send(b"ready\r\n42\nloading... " + ANSWER + b"[]\nbye\n")
    assert between.finish() == (ANSWER + b"[]\n", b"ready\r\n42\nloading... \nbye\n")
    lines = between.lines()
    assert b"".join(line.raw for line in lines) == b"ready\r\n42\nloading... " + ANSWER + b"[]\nbye\n"
    assert [line.diverted for line in lines] == [5, 2, 11, None, 3]
    assert b"".join(line.delivered for line in lines) == ANSWER + b"[]\n"


def test_a_message_that_comes_in_pieces_goes_on_as_it_comes(between: Between) -> None:
    between.start()
    between.send(ANSWER[:9])
    assert between.client.sees(ANSWER[:9])
    between.send(ANSWER[9:])
    assert between.finish() == (ANSWER, b"")


def test_text_without_its_newline_waits_for_the_message_behind_it(between: Between) -> None:
    between.start()
    for piece in (b"fetching", b"... ", ANSWER[:5], ANSWER[5:]):
        between.send(piece)
    assert between.finish() == (ANSWER, b"fetching... \n")
    assert [line.diverted for line in between.lines()] == [12]


@pytest.mark.parametrize("line", [b"x" * (MAX_LINE - 1) + b"\n", b"y" * (MAX_LINE + 1) + b"\n"])
def test_a_long_line_is_held_up_to_the_limit(between: Between, line: bytes) -> None:
    between.start()
    between.send(line)
    out, err = between.finish()
    assert (out, err) == ((b"", line) if len(line) <= MAX_LINE else (line, b""))
    (recorded,) = between.lines()
    assert recorded.raw == line
    assert recorded.delivered == out


def test_a_prompt_goes_on_when_it_has_waited(between: Between, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pump_module, "HOLD_NS", 1_000_000)
    between.start()
    between.send(b"Password: ")
    assert between.client.sees(b"Password: ")
    between.send(b"and more\n", b"text\n")
    assert between.finish() == (b"Password: and more\n", b"text\n")


def test_what_is_held_goes_on_at_the_end_of_the_stream(between: Between) -> None:
    between.start()
    between.send(b"unfinished")
    assert between.finish() == (b"unfinished", b"")


def test_what_is_held_goes_on_when_nothing_more_is_waited_for(between: Between) -> None:
    between.start()
    between.send(b"unfinished")
    assert eventually(lambda: b"unfinished" in between.path.read_bytes())
    assert eventually(lambda: between.pump.let_go() or between.client.data)
    assert between.finish() == (b"unfinished", b"")


def test_all_passes_where_stderr_is_gone(between: Between) -> None:
    between.pump.start(allocate_lock())  # and nobody writes aside
    between.send(b"text\n", b"loading " + ANSWER)
    assert between.finish() == (b"text\nloading " + ANSWER, b"")
    assert [line.diverted for line in between.lines()] == [None, None]


def test_all_passes_as_it_came_once_recording_is_broken(
    between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    between.start()
    between.send(b"held")
    assert eventually(lambda: b"held" in between.path.read_bytes())

    def broken(*_: object) -> int:
        raise ValueError("broken")

    monkeypatch.setattr(between.recorder, "write", broken)
    between.send(b" and text\nmore", b" text\n")
    assert eventually(lambda: between.faults)
    monkeypatch.undo()
    assert between.client.sees(b"more text\n")
    assert between.finish() == (b"held and text\nmore text\n", b"")
    assert between.faults == ["broken"]


def test_a_flood_of_messages_with_text_between_them_is_sorted(between: Between) -> None:
    between.start()
    message = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"%d"}}\n'
    messages = [message % n for n in range(5000)]
    sent = b"".join(m + (b"log\n" if n % 1000 == 0 else b"") for n, m in enumerate(messages))
    view = memoryview(sent)
    while view:
        view = view[os.write(between.input, view) :]
    assert between.finish() == (b"".join(messages), b"log\n" * 5)
    assert b"".join(line.raw for line in between.lines()) == sent


PIECES = st.lists(
    st.sampled_from(
        [
            ANSWER,
            b"text\n",
            b"x ",
            b"\n",
            b"{",
            b"}\n",
            b"[INFO] ",
            b"\xff",
            b"\r\n",
            b'"a": 1,\n',
            b"42\n",
            ASKED,
        ]
    ),
    max_size=12,
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PIECES, st.integers(1, 9))
def test_every_byte_arrives_on_one_side_and_the_recording_says_on_which(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], step: int
) -> None:
    between = Between(tmp_path_factory.mktemp("between"))
    between.start()
    sent = b"".join(pieces)
    for at in range(0, len(sent), step):
        between.send(sent[at : at + step])
    client, aside = between.finish()
    lines = between.lines()
    assert b"".join(line.raw for line in lines) == sent
    assert b"".join(line.delivered for line in lines) == client
    kept = b"".join(line.data[: line.diverted] for line in lines if line.diverted is not None)
    assert aside.replace(b"\n", b"").replace(b"\r", b"") == kept.replace(b"\r", b"")
    for line in lines:
        if isinstance(line.value, dict | list):
            assert line.diverted is None
