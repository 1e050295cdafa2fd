"""One channel: a chunk is recorded, then forwarded, until one of its ends is gone."""

from __future__ import annotations

import os
from _thread import allocate_lock
from collections.abc import Iterator
from typing import Any

import pytest

from mcptap.recording.writer import ChannelRecorder, Recorder
from mcptap.shim.pumps import CHUNK, Pump
from tests.shim.running import PATIENCE_S


class Recordings:
    """Stands in for a channel's recorder: keeps what it is told, with all else in one order."""

    def __init__(self, order: list[Any], fault: Exception | None = None) -> None:
        self._order = order
        self._fault = fault

    def take(self, chunk: bytes) -> None:
        if self._fault is not None:
            raise self._fault
        self._order.append(("recorded", chunk))

    def end(self, why: str) -> None:
        self._order.append(("end", why))


class Channel:
    """A pump between two pipes, and what it did, in its order."""

    def __init__(self) -> None:
        self.source, self.input = os.pipe()
        self.output, self.sink = os.pipe()
        self.order: list[Any] = []

    def pump(self, records: Any = None) -> Pump:
        pump = Pump(
            self.source,
            self.sink,
            "s2c",
            Recorder(0, None),
            records or Recordings(self.order),
            lambda _pump, receiver_gone: self.order.append(("over", receiver_gone)),
            lambda channel, error: self.order.append(("fault", channel, str(error))),
            lambda: self.order.append("before"),
            lambda chunk: self.order.append(("after", chunk)),
        )
        pump.start(allocate_lock())
        return pump

    def close(self, *fds: int) -> None:
        for fd in fds or (self.source, self.input, self.output, self.sink):
            try:
                os.close(fd)
            except OSError:
                assert not fds


@pytest.fixture
def channel() -> Iterator[Channel]:
    channel = Channel()
    yield channel
    channel.close()


def test_a_chunk_is_recorded_before_it_is_forwarded_and_the_end_is_told_once(channel: Channel) -> None:
    pump = channel.pump()
    os.write(channel.input, b"half a line")
    assert os.read(channel.output, 100) == b"half a line"
    channel.close(channel.input)
    assert pump.wait(PATIENCE_S)
    chunk = b"half a line"
    assert channel.order == [
        ("recorded", chunk), "before", ("after", chunk), ("end", ""), ("over", False),
    ]  # fmt: skip


def test_a_receiver_that_is_gone_ends_the_channel_and_is_named_as_its_end(channel: Channel) -> None:
    channel.close(channel.output)
    pump = channel.pump()
    os.write(channel.input, b"x\n")
    assert pump.wait(PATIENCE_S)
    assert channel.order == [("recorded", b"x\n"), "before", ("end", "receiver closed"), ("over", True)]


def test_a_fault_of_the_recording_is_told_once_and_the_traffic_goes_on(channel: Channel) -> None:
    pump = channel.pump(Recordings(channel.order, ValueError("broken")))
    for _ in range(2):
        os.write(channel.input, b"x\n")
        assert os.read(channel.output, 100) == b"x\n"
    channel.close(channel.input)
    assert pump.wait(PATIENCE_S)
    assert [entry for entry in channel.order if entry[0] in ("fault", "end", "over")] == [
        ("fault", "s2c", "broken"),
        ("over", False),
    ]


@pytest.mark.parametrize("side", ["source", "sink"])
def test_a_descriptor_that_somebody_made_non_blocking_carries_every_byte(channel: Channel, side: str) -> None:
    os.set_blocking(getattr(channel, side), False)
    pump = channel.pump()
    sent = bytes(range(256)) * (3 * CHUNK // 256)
    received = bytearray()
    for start in range(0, len(sent), CHUNK // 2):
        os.write(channel.input, sent[start : start + CHUNK // 2])
        while len(received) < start + 1:
            received += os.read(channel.output, CHUNK)
    channel.close(channel.input)
    while len(received) < len(sent):
        received += os.read(channel.output, CHUNK)
    assert pump.wait(PATIENCE_S)
    assert received == sent


def test_it_is_idle_while_nothing_can_be_read(channel: Channel) -> None:
    pump = Pump(channel.source, channel.sink, "s2c", Recorder(0, None), None, _ignore, _ignore)
    assert pump.is_idle(0)
    assert not pump.is_idle(1 << 62)
    os.write(channel.input, b"x")
    assert not pump.is_idle(0)


def test_all_was_delivered_once_a_chunk_went_on_after_the_source_was_empty(channel: Channel) -> None:
    pump = channel.pump()
    assert not pump.has_delivered()
    os.write(channel.input, b"one more")
    channel.close(channel.input)
    assert pump.wait(PATIENCE_S)
    assert pump.has_delivered()


def test_with_the_real_recorder_the_observer_sees_a_line_before_it_is_forwarded(channel: Channel) -> None:
    def observe(number: int, lines: bytes, values: list[Any]) -> None:
        channel.order.append((number, lines, values))

    pump = channel.pump(ChannelRecorder(Recorder(0, None), "s2c", observe))
    os.write(channel.input, b'{"id":1}\n')
    channel.close(channel.input)
    assert pump.wait(PATIENCE_S)
    assert channel.order[:2] == [(2, b'{"id":1}', [{"id": 1}]), "before"]


def _ignore(*_: object) -> None:
    """Nothing."""
