"""Reading recordings that are whole, growing, cut, damaged, newer, or none at all."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.recording.file import RecordingFile
from mcptap.recording.format import events
from mcptap.recording.format.decode import decode_header, decode_record
from mcptap.recording.format.model import Damaged, Event, Header, Line, Part, RecordingError
from mcptap.recording.reader import BLOCK, Reader, State
from mcptap.recording.writer import ChannelRecorder, Recorder

HEADER = (
    b'{"mcptap":1,"n":1,"k":"header","t":0,"wall":1,"version":"0.1","name":"x","argv":["x",{"b64":"/w=="}],'
    b'"program":null,"cwd":"/","parent":{"pid":1},"env":{"names":[]},"lock":true}\n'
)


class Tape:
    """A recording in the making, with all kinds of records."""

    def __init__(self, path: Path, header: bytes = HEADER) -> None:
        self.path = path
        self.file = RecordingFile([str(path)], lambda locked: header, pytest.fail)
        self.recorder = Recorder(0, self.file)
        self.client = ChannelRecorder(self.recorder, "c2s")
        self.server = ChannelRecorder(self.recorder, "s2c")

    def all_kinds(self) -> None:
        self.recorder.event(events.spawn(7))
        self.client.take(b'{"id":1}\n')
        self.server.take(b'{"id"')
        self.client.take(b"caf\xc3\xa9\nlog\r\n\xff\n")
        self.server.take(b":1}\n")
        self.recorder.event(events.signal("SIGTERM", 1, forwarded=True))
        self.server.take(b"never ended")
        self.client.end()
        self.server.end("receiver closed")

    def exit(self) -> None:
        self.recorder.event(events.exited(0, None, 5))

    def close(self) -> None:
        self.recorder.close()


@pytest.fixture
def tape(tmp_path: Path) -> Tape:
    return Tape(tmp_path / "x.jsonl")


def read(path: Path) -> list[Any]:
    with Reader(str(path)) as reader:
        return list(reader.items())


def lines_of(items: list[Any]) -> list[bytes]:
    return [item.raw for item in items if isinstance(item, Line)]


def test_every_kind_is_read(tape: Tape) -> None:
    tape.all_kinds()
    tape.exit()
    tape.close()
    items = read(tape.path)
    assert lines_of(items) == [
        b'{"id":1}\n', "café\n".encode(), b"log\r\n", b"\xff\n", b'{"id":1}\n', b"never ended",
    ]  # fmt: skip
    assert [item.kind for item in items if isinstance(item, Event)] == [
        "spawn",
        "signal",
        "eof",
        "eof",
        "exit",
    ]
    assert not [item for item in items if isinstance(item, Damaged)]


def test_a_line_tells_when_its_first_byte_came(tape: Tape) -> None:
    tape.all_kinds()
    tape.close()
    line = next(item for item in read(tape.path) if isinstance(item, Line) and item.channel == "s2c")
    assert line.first_us <= line.t_us
    assert json.loads(tape.path.read_bytes().split(b"\n")[line.number - 1])["t0"] == line.first_us


def test_the_header_is_usable_whatever_is_in_it() -> None:
    for fields in (
        {},
        {"name": 1, "argv": "x", "cwd": 5, "program": [], "parent": 1, "env": None, "wall": "x"},
    ):
        header = decode_header(json.dumps({"mcptap": 1, **fields}, separators=(",", ":")).encode())
        assert isinstance(header.name, str)
        assert header.argv == []
        assert isinstance(header.cwd, str)
        assert header.parent == {}
        assert header.environment == {}
        assert header.start_wall_us == 0


def test_a_cut_at_any_byte_loses_only_what_was_cut(tape: Tape, tmp_path: Path) -> None:
    tape.all_kinds()
    tape.exit()
    tape.close()
    whole = tape.path.read_bytes()
    everything = [repr(item) for item in read(tape.path)]
    cut = tmp_path / "cut.jsonl"
    for end in [*range(0, len(HEADER), 20), *range(len(HEADER) - 1, len(whole))]:
        cut.write_bytes(whole[:end])
        if end < len(HEADER):
            with pytest.raises(RecordingError):
                Reader(str(cut))
            continue
        with Reader(str(cut)) as reader:
            items = [repr(item) for item in reader.items()]
            assert items == everything[: len(items)]
            assert len(items) >= whole[:end].count(b"\n") - 1 - whole[:end].count(b'"part"')
            assert reader.state() is State.CRASHED
            assert reader.cut == (not whole[:end].endswith(b"\n"))


@pytest.mark.parametrize(
    "damage",
    [
        b"", b"garbage", b"{", b"[]", b"null", b"\0" * 50, b"\xff\xfe", b'{"n":3,"k":"line"}',
        b'{"k":5,"t":1,"wall":1}', b'{"n":3,"k":"line","t":1,"wall":1,"ch":"c2s"}',
        b'{"n":3,"k":"line","t":-1,"wall":1,"ch":"c2s","msg":1}',
        b'{"n":3,"k":"line","t":1,"wall":1,"ch":"x","msg":1}',
        b'{"n":3,"k":"line","t":true,"wall":1,"ch":"c2s","msg":1}',
        b'{"n":3,"k":"line","t":1,"wall":1,"ch":"c2s","b64":"!!!"}',
        b'{"n":3,"k":"line","t":1,"wall":1,"ch":"c2s","text":5}',
        b'{"n":3,"k":"line","t":1,"wall":1,"ch":"c2s","eol":"\\u0085","text":"x"}', HEADER[:-1],
    ],
    ids=lambda damage: repr(damage)[:40],
)  # fmt: skip
def test_damage_in_the_middle_is_one_damaged_item(tape: Tape, damage: bytes) -> None:
    tape.all_kinds()
    tape.exit()
    tape.close()
    lines = tape.path.read_bytes().split(b"\n")
    assert b'"k":"line"' in lines[2]
    before = read(tape.path)
    tape.path.write_bytes(b"\n".join([*lines[:2], damage, *lines[3:]]))
    after = read(tape.path)
    assert [type(item) for item in after] == [type(i) if n != 1 else Damaged for n, i in enumerate(before)]
    assert (after[1].number, after[1].raw) == (3, damage)
    assert after[2:] == before[2:]


def test_a_lost_part_makes_its_line_a_damaged_item_and_no_wrong_bytes(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mcptap.recording.writer.LINE_LIMIT", 20)
        tape = Tape(tmp_path / "x.jsonl")
        for piece in (b"aaaaaaaaaaaa", b"bbbbbbbbbbbb", b"cccccccccccc", b"d\n", b"next\n"):
            tape.server.take(piece)
        tape.close()
    records = tape.path.read_bytes().split(b"\n")
    assert lines_of(read(tape.path)) == [b"a" * 12 + b"b" * 12 + b"c" * 12 + b"d\n", b"next\n"]
    for lost in (1, 2, 3):
        tape.path.write_bytes(b"\n".join(records[:lost] + records[lost + 1 :]))
        items = read(tape.path)
        assert isinstance(items[0], Damaged)
        assert lines_of(items) == [b"next\n"]


def test_a_lost_part_leaves_no_glued_unfinished_line(tape: Tape) -> None:
    for piece in (b"aaa", b"bbb", b"ccc"):
        tape.server.take(piece)
    tape.close()
    records = tape.path.read_bytes().split(b"\n")
    tape.path.write_bytes(b"\n".join(records[:2] + records[3:]))
    with Reader(str(tape.path)) as reader:
        list(reader.items())
        assert [line.data for line in reader.unfinished()] in ([], [b"aaa"])


def test_unknown_kinds_and_fields_are_kept(tape: Tape) -> None:
    tape.close()
    with tape.path.open("ab") as file:
        file.write(b'{"n":2,"k":"weather","t":1,"wall":2,"sky":"blue"}\n')
        file.write(b'{"n":3,"k":"line","t":1,"wall":2,"new":[1],"ch":"c2s","msg":{"id":1}}\n')
    event, line = read(tape.path)
    assert (event.kind, event.fields["sky"]) == ("weather", "blue")
    assert (line.data, line.value) == (b'{"id":1}', {"id": 1})


def test_a_newer_format_is_refused_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    path.write_bytes(b'{"mcptap":2,"k":"header","version":"9.1"}\n')
    with pytest.raises(RecordingError, match=r"new\.jsonl: has format 2, written by mcptap '9\.1'; .*update"):
        Reader(str(path))


def test_what_a_newer_recording_says_of_itself_cannot_drive_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    path.write_bytes(b'{"mcptap":2,"version":"\\u001b[31mred\\nmcptap: fine"}\n')
    with pytest.raises(RecordingError) as caught:
        Reader(str(path))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\n", b"{}", b"{}\n", b"hello\n", b'{"mcptap":', b'{"mcptap":}\n', b'{"mcptap":1\n',
        b'{"mcptap":0}\n', b'{"mcptap":true}\n', b'{"mcptap":"1"}\n', b'{"mcptap":1.5}\n',
        b' {"mcptap":1}\n', b"\xef\xbb\xbf" + HEADER, b'{"mcptap":-1}\n',
        b'{"mcptap":' + b"9" * 5000 + b"}\n", b"\x1f\x8b\x08\0", b"\0" * 100,
    ],
    ids=lambda content: repr(content)[:30],
)  # fmt: skip
def test_what_is_no_recording_is_refused_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordingError) as caught:
        Reader(str(path))
    assert str(caught.value).startswith(f"{path}: ")


def test_what_cannot_be_opened_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.jsonl", tmp_path):
        with pytest.raises(RecordingError, match="cannot be opened"):
            Reader(str(path))


fuzz_names = itertools.count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def use(path: Path) -> None:
    """Everything that a user of a reader touches; only RecordingError may come."""
    try:
        reader = Reader(str(path))
    except RecordingError:
        return
    with reader:
        header = reader.header
        _ = (header.name, header.argv, header.cwd, header.program, header.parent, header.environment)
        for item in [*reader.items(), *reader.unfinished()]:
            assert isinstance(item, Line | Event | Damaged)
            if isinstance(item, Line):
                _ = (item.value, item.raw + b"")
        assert reader.state() in State


@given(data=st.binary(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_bytes_as_a_file_are_refused_or_read(folder: Path, data: bytes) -> None:
    path = folder / "any.jsonl"
    path.write_bytes(data)
    use(path)


@given(data=st.binary(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_bytes_behind_a_header_are_read(folder: Path, data: bytes) -> None:
    path = folder / "behind.jsonl"
    path.write_bytes(HEADER + data)
    use(path)


scalars: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
    | st.sampled_from(["c2s", "s2c", "line", "part", "header", "exit", "spawn"])
    | st.sampled_from(["\n", "\r\n", "", "/w==", "=", "\ud800"])
)  # fmt: skip
anything: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=4), x, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(
    ["n", "k", "t", "wall", "ch", "t0", "eol", "from", "at", "msg", "text", "b64", "errno", "x"]
)


@st.composite
def records(draw: st.DrawFn) -> bytes:
    """Something like a record: right at first, then with fields replaced, added or taken."""
    fields: dict[str, Any] = {
        "n": 2,
        "k": draw(st.sampled_from(["line", "part", "exit"])),
        "t": 1,
        "wall": 2,
        "ch": "s2c",
    }
    fields[draw(st.sampled_from(["at", "from", "t0"]))] = draw(st.integers(0, 20))
    fields[draw(st.sampled_from(["msg", "text", "b64"]))] = draw(anything)
    for name in draw(st.lists(names, max_size=3)):
        if draw(st.booleans()):
            fields[name] = draw(anything)
        else:
            fields.pop(name, None)
    return json.dumps(fields, separators=(",", draw(st.sampled_from([":", " : "])))).encode()


@given(lines=st.lists(records(), max_size=8))
@settings(max_examples=60, deadline=None)
def test_records_that_are_nearly_right_are_read(folder: Path, lines: list[bytes]) -> None:
    for number, line in enumerate(lines, 2):
        assert isinstance(decode_record(line, number), Line | Part | Event | Damaged)
    path = folder / "nearly.jsonl"
    path.write_bytes(HEADER + b"\n".join(lines))
    use(path)


@given(st.dictionaries(st.text(max_size=8) | names, anything, max_size=6), anything)
@settings(max_examples=60, deadline=None)
def test_any_header_is_refused_or_usable(folder: Path, fields: dict[str, Any], version: Any) -> None:
    path = folder / "header.jsonl"
    path.write_bytes(
        json.dumps({"mcptap": 1, **fields, "version": version}, separators=(",", ":")).encode() + b"\n"
    )
    use(path)
    path.write_bytes(json.dumps({"mcptap": version, **fields}, separators=(",", ":")).encode() + b"\n")
    use(path)


def test_a_record_without_end_does_not_fill_the_memory(tape: Tape, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcptap.recording.reader.MAX_RECORD", 10_000)
    monkeypatch.setattr("mcptap.recording.reader.BLOCK", 1000)
    tape.close()
    with tape.path.open("ab") as file:
        file.write(b"x" * 100_000 + b"\n" + b'{"n":3,"k":"exit","t":1,"wall":1,"code":0}\n')
    with Reader(str(tape.path)) as reader:
        first, second = reader.items()
        assert isinstance(first, Damaged)
        assert len(first.raw) < 11_000
        assert (second.number, second.kind) == (3, "exit")


def test_a_growing_recording_is_followed(tape: Tape) -> None:
    with Reader(str(tape.path)) as reader:
        assert list(reader.items()) == []
        tape.client.take(b"one\ntw")
        assert lines_of(list(reader.items())) == [b"one\n"]
        assert [line.data for line in reader.unfinished()] == [b"tw"]
        tape.client.take(b"o\n")
        assert lines_of(list(reader.items())) == [b"two\n"]
        assert reader.unfinished() == []
        with tape.path.open("ab") as file:  # half a record, as a reader may catch it
            file.write(b'{"n":9,"k":"line","t":1,"wal')
        assert list(reader.items()) == []
        assert reader.cut
        with tape.path.open("ab") as file:
            file.write(b'l":1,"ch":"c2s","text":"three"}\n')
        assert lines_of(list(reader.items())) == [b"three\n"]
        assert not reader.cut
    tape.close()


def test_live_finished_and_crashed_are_told_apart_by_the_lock(tape: Tape) -> None:
    def state() -> State:
        with Reader(str(tape.path)) as reader:
            list(reader.items())
            return reader.state()

    assert state() is State.LIVE
    assert state() is State.LIVE  # to look takes nothing away
    tape.exit()
    assert state() is State.LIVE
    tape.close()
    assert state() is State.FINISHED


def test_a_session_that_ends_after_it_was_read_is_no_crash(tape: Tape) -> None:
    tape.all_kinds()
    with Reader(str(tape.path)) as reader:
        list(reader.items())
        tape.exit()
        tape.close()
        assert reader.state() is State.LIVE
        list(reader.items())
        assert reader.state() is State.FINISHED


def test_a_recording_of_which_nothing_was_read_yet_is_not_live_for_what_is_left(tape: Tape) -> None:
    tape.server.take(b"x" * BLOCK + b"\n")
    tape.close()
    with Reader(str(tape.path)) as reader:
        assert reader.state() is State.CRASHED


def test_a_recording_without_an_end_and_without_its_lock_is_a_crash(tape: Tape) -> None:
    tape.all_kinds()
    tape.close()
    with Reader(str(tape.path)) as reader:
        list(reader.items())
        assert reader.state() is State.CRASHED


def test_a_last_record_that_is_damaged_may_have_been_the_end(tape: Tape) -> None:
    tape.all_kinds()
    tape.close()
    with tape.path.open("ab") as file:
        file.write(b'{"n":99,"k":"exit","t":9,"wall":9,"code":"0"}\n')
    with Reader(str(tape.path)) as reader:
        list(reader.items())
        assert reader.state() is State.UNKNOWN


def test_a_start_that_failed_is_finished(tape: Tape) -> None:
    tape.recorder.event(events.failed_spawn(2, "x", 127))
    tape.close()
    with Reader(str(tape.path)) as reader:
        list(reader.items())
        assert reader.state() is State.FINISHED


def test_without_locks_the_state_is_unknown_until_the_end(tmp_path: Path) -> None:
    tape = Tape(tmp_path / "x.jsonl", HEADER.replace(b'"lock":true', b'"lock":false'))
    tape.close()
    with Reader(str(tape.path)) as reader:
        list(reader.items())
        assert reader.state() is State.UNKNOWN


def test_the_header_is_what_was_written(tape: Tape) -> None:
    tape.close()
    with Reader(str(tape.path)) as reader:
        assert isinstance(reader.header, Header)
        assert [os.fsencode(word) for word in reader.header.argv] == [b"x", b"\xff"]
        assert reader.header.program is None
