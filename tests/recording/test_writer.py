"""Any bytes in any chunks: the recording is JSON Lines, and gives the exact bytes back."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.recording import writer
from mcptap.recording.file import RecordingFile
from mcptap.recording.format.model import NOT_JSON, Damaged, Line
from mcptap.recording.reader import Reader
from mcptap.recording.writer import ChannelRecorder, Recorder
from mcptap.wire import CHANNELS, cut_lines, split_terminator
from tests.recording.format.json_reference import is_json

HEADER = b'{"mcptap":1,"n":1,"k":"header","t":0,"wall":1,"lock":true}\n'

pieces = st.sampled_from(
    [
        b"\n", b"\r", b"\r\n", b"\n\n", b" ", b"x", b'{"jsonrpc":"2.0","id":1,"method":"ping"}', b"[1,2",
        b"3]", b'"a', b'b"', b"null", b"1e400", b"NaN", b'{"msg":{"msg":1}}', b'"msg":', b"}", b"{", b"\0",
        b"\xff", b"\xc3", b"\xa4", "\u2028".encode(), b"\xef\xbb\xbf", b'"\\ud800"', b"\x1b[31m",
        b"log " * 10, b'{"a":"' + b"y" * 30 + b'"}', b'{"id":12345678901234567890123}\n' * 9, b"1\n" * 12,
    ]
)  # fmt: skip
contents = st.lists(pieces | st.binary(max_size=12), max_size=25).map(b"".join)


@st.composite
def chunkings(draw: st.DrawFn) -> list[tuple[str, bytes]]:
    """Bytes of the three channels, cut into chunks anywhere, in any order between channels."""
    queues = []
    for channel in CHANNELS:
        data = draw(contents)
        cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
        queues.append([(channel, data[a:b]) for a, b in itertools.pairwise([0, *cuts, len(data)]) if a < b])
    order = draw(st.permutations([index for index, queue in enumerate(queues) for _ in queue]))
    return [queues[index].pop(0) for index in order]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("roundtrip")


names = itertools.count()


def record(
    folder: Path,
    chunks: list[tuple[str, bytes]],
    fast: bool,
    end: bool = True,
    limit: int = writer.LINE_LIMIT,
) -> str:
    file = RecordingFile([str(folder / f"{next(names)}.jsonl")], lambda locked: HEADER, pytest.fail)
    recorder = Recorder(0, file)
    if fast:
        recorder.codec.use_orjson()
    channels = {channel: ChannelRecorder(recorder, channel) for channel in CHANNELS}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "LINE_LIMIT", limit)
        for name, chunk in chunks:
            channels[name].take(chunk)
        if end:
            for channel in channels.values():
                channel.end()
    recorder.close()
    assert file.path is not None
    return file.path


with_limits = pytest.mark.parametrize("limit", [16, 1 << 19])


def exact(chunks: list[tuple[str, bytes]], channel: str) -> bytes:
    return b"".join(chunk for name, chunk in chunks if name == channel)


@with_limits
@given(chunks=chunkings(), fast=st.booleans(), end=st.booleans())
@settings(max_examples=80, deadline=None)
def test_the_exact_bytes_come_back(
    folder: Path, limit: int, chunks: list[tuple[str, bytes]], fast: bool, end: bool
) -> None:
    with Reader(record(folder, chunks, fast, end, limit)) as reader:
        items = list(reader.items())
        unfinished = reader.unfinished()
    assert not [item for item in items if isinstance(item, Damaged)]
    assert not (end and unfinished)
    for channel in CHANNELS:
        lines = [item for item in [*items, *unfinished] if isinstance(item, Line) and item.channel == channel]
        data = exact(chunks, channel)
        assert b"".join(line.raw for line in lines) == data
        if limit > 1000:
            assert [(line.data, line.eol) for line in lines] == [
                split_terminator(line) for line in cut_lines(data)
            ]
            assert [line.value is not NOT_JSON for line in lines] == [is_json(line.data) for line in lines]


@with_limits
@given(chunks=chunkings(), fast=st.booleans())
@settings(max_examples=60, deadline=None)
def test_every_line_of_the_file_is_json_and_numbered(
    folder: Path, limit: int, chunks: list[tuple[str, bytes]], fast: bool
) -> None:
    with open(record(folder, chunks, fast, limit=limit), "rb") as file:
        lines = file.read().split(b"\n")
    assert lines.pop() == b""
    records = []
    for line in lines:
        assert is_json(line)
        records.append(json.loads(line))
    assert [fields["n"] for fields in records] == list(range(1, len(records) + 1))
    for fields in records[1:]:
        assert list(fields)[:4] == ["n", "k", "t", "wall"]
        if fields["k"] in ("line", "part"):
            assert sum(name in fields for name in ("msg", "text", "b64")) == 1
            assert list(fields)[-1] in ("msg", "text", "b64")


@given(chunks=chunkings())
@settings(max_examples=60, deadline=None)
def test_the_same_record_is_written_with_either_parser(folder: Path, chunks: list[tuple[str, bytes]]) -> None:
    seen = []
    for fast in (False, True):
        with Reader(record(folder, chunks, fast)) as reader:
            lines = [item for item in reader.items() if isinstance(item, Line)]
            seen.append([(line.number, line.channel, line.raw, line.value is NOT_JSON) for line in lines])
    assert seen[0] == seen[1]


@given(chunks=chunkings(), size=st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_many_short_lines_are_recorded_in_slices_as_they_would_be_at_once(
    folder: Path, chunks: list[tuple[str, bytes]], size: int
) -> None:
    seen = []
    for many, each in ((1 << 30, 1 << 12), (1, size)):
        with pytest.MonkeyPatch.context() as patch:
            for name, value in (("BUSY_BYTES", 1), ("MANY_LINES", many), ("SLICE", each)):
                patch.setattr(writer, name, value)
            with Reader(record(folder, chunks, fast=True)) as reader:
                lines = [item for item in reader.items() if isinstance(item, Line)]
        seen.append([(line.number, line.channel, line.raw, line.value is NOT_JSON) for line in lines])
    assert seen[0] == seen[1]


@given(chunks=chunkings())
@settings(max_examples=60, deadline=None)
def test_the_observer_sees_each_line_with_its_number(folder: Path, chunks: list[tuple[str, bytes]]) -> None:
    seen: list[tuple[int, bytes, bool]] = []

    def observe(first: int, lines: bytes, values: list[object]) -> None:
        shown = zip(lines.split(b"\n"), values, strict=True)
        seen.extend((first + i, line, value is NOT_JSON) for i, (line, value) in enumerate(shown))

    file = RecordingFile([str(folder / f"{next(names)}.jsonl")], lambda locked: HEADER, pytest.fail)
    recorder = Recorder(0, file)
    channel = ChannelRecorder(recorder, "s2c", observe)
    for _, chunk in chunks:
        channel.take(chunk)
    channel.end()
    recorder.close()
    assert file.path is not None
    with Reader(file.path) as reader:
        lines = [item for item in reader.items() if isinstance(item, Line)]
    assert [(number, line.rstrip(b"\r"), bad) for number, line, bad in seen] == [
        (line.number, line.data.rstrip(b"\r"), line.value is NOT_JSON) for line in lines
    ]
