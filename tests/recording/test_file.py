"""Trouble with the disk: traffic goes on, it is said once, and a gap tells what is missing."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mcptap.recording import file as file_module
from mcptap.recording import writer
from mcptap.recording.file import RecordingFile
from mcptap.recording.format.model import Damaged, Event, Line
from mcptap.recording.reader import Reader, is_locked
from mcptap.recording.writer import ChannelRecorder, Recorder

HEADER = b'{"mcptap":1,"n":1,"k":"header","t":0,"wall":1,"lock":true}\n'


class Session:
    """A recorder with one channel, whose clock for looking after the file is always due."""

    def __init__(self, *places: Path) -> None:
        self.said: list[str] = []
        self.file = RecordingFile([str(place) for place in places], lambda locked: HEADER, self.said.append)
        self.recorder = Recorder(0, self.file)
        self.channel = ChannelRecorder(self.recorder, "c2s")

    def take(self, *lines: bytes) -> None:
        for line in lines:
            self.channel.take(line + b"\n")

    def close(self) -> list[Any]:
        self.recorder.close()
        assert self.file.path is not None
        with Reader(self.file.path) as reader:
            return list(reader.items())


@pytest.fixture(autouse=True)
def look_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "CHECK_US", 0)


@pytest.fixture
def limit_file_size() -> Iterator[Callable[[int], None]]:
    """A full disk, as far as a process can make one for itself: no file may grow over a size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size if size else before[0], before[1]))

    yield limit
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def lines(items: list[Any]) -> list[bytes]:
    return [item.data for item in items if isinstance(item, Line)]


def gaps(items: list[Any]) -> list[dict[str, Any]]:
    return [item.fields for item in items if isinstance(item, Event) and item.kind == "gap"]


def test_a_full_disk_costs_whole_records_and_is_told_once_and_in_a_gap(
    tmp_path: Path, limit_file_size: Callable[[int], None]
) -> None:
    session = Session(tmp_path / "x.jsonl")
    session.take(b"one")
    limit_file_size(os.path.getsize(tmp_path / "x.jsonl") + 40)  # less than a record
    session.take(b"two", b"three" * 20)
    whole = (tmp_path / "x.jsonl").read_bytes()
    assert whole.endswith(b"}\n")
    limit_file_size(0)
    session.take(b"four")
    items = session.close()
    assert lines(items) == [b"one", b"four"]
    (gap,) = gaps(items)
    assert gap["records"] == 2
    assert "File too large" in gap["why"]
    assert len(session.said) == 1
    assert "traffic goes on unrecorded" in session.said[0]
    # The numbers go on, so that what is missing can be seen in them too.
    assert [item.fields["n"] for item in items if isinstance(item, Event)] == [5]


def test_a_disk_that_fills_in_the_middle_of_a_batch_keeps_what_fits(
    tmp_path: Path, limit_file_size: Callable[[int], None]
) -> None:
    session = Session(tmp_path / "x.jsonl")
    session.take(b"size")
    record = os.path.getsize(tmp_path / "x.jsonl") - len(HEADER)
    limit_file_size(os.path.getsize(tmp_path / "x.jsonl") + 5 * record // 2)
    session.channel.take(b"aaaa\nbbbb\ncccc\ndddd\n")
    limit_file_size(0)
    session.take(b"last")
    items = session.close()
    kept = lines(items)[1:-1]
    assert kept == [b"aaaa", b"bbbb", b"cccc", b"dddd"][: len(kept)]
    assert 1 <= len(kept) < 4
    assert gaps(items)[0]["records"] == 4 - len(kept)


def test_a_last_gap_is_written_at_the_end_if_there_is_room_again(
    tmp_path: Path, limit_file_size: Callable[[int], None]
) -> None:
    session = Session(tmp_path / "x.jsonl")
    limit_file_size(os.path.getsize(tmp_path / "x.jsonl"))
    session.take(b"lost")
    limit_file_size(0)
    assert gaps(session.close())[0]["records"] == 1


def test_a_deleted_file_is_made_anew_and_says_what_is_missing(tmp_path: Path) -> None:
    session = Session(tmp_path / "x.jsonl")
    session.take(b"one", b"two")
    (tmp_path / "x.jsonl").unlink()
    session.take(b"three")
    items = session.close()
    assert lines(items) == [b"three"]
    assert gaps(items)[0]["records"] == 2
    assert [said for said in session.said if "deleted" in said] == session.said
    assert len(session.said) == 1


def test_a_deleted_folder_is_made_anew(tmp_path: Path) -> None:
    session = Session(tmp_path / "a" / "b" / "x.jsonl")
    session.take(b"one")
    shutil.rmtree(tmp_path / "a")
    session.take(b"two")
    assert lines(session.close()) == [b"two"]
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700


def test_a_deleted_folder_that_cannot_be_made_anew_is_told_in_one_sentence(tmp_path: Path) -> None:
    session = Session(tmp_path / "a" / "x.jsonl")
    session.take(b"one")
    shutil.rmtree(tmp_path / "a")
    (tmp_path / "a").touch()
    session.take(b"two", b"three")
    assert len(session.said) == 1
    assert "cannot record to" in session.said[0]
    (tmp_path / "a").unlink()
    session.take(b"four")
    items = session.close()
    assert (lines(items), gaps(items)[0]["records"]) == ([b"four"], 3)


def test_a_line_begun_before_the_file_was_deleted_is_no_wrong_line_after(tmp_path: Path) -> None:
    session = Session(tmp_path / "x.jsonl")
    session.channel.take(b"beg")
    (tmp_path / "x.jsonl").unlink()
    session.channel.take(b"un\n")
    assert lines(session.close()) == [b"begun"]


@pytest.fixture
def look_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "CHECK_US", 1 << 60)


def cut(path: Path, size: int) -> None:
    os.truncate(path, size)


def copy_and_cut(path: Path, size: int) -> None:
    """As logrotate does with `copytruncate`."""
    shutil.copy(path, path.with_suffix(".old"))
    os.truncate(path, size)


@pytest.mark.usefixtures("look_seldom")
@pytest.mark.parametrize("how", [cut, copy_and_cut])
def test_a_file_that_others_emptied_gets_its_header_again_and_says_what_is_missing(
    tmp_path: Path, how: Callable[[Path, int], None]
) -> None:
    session = Session(tmp_path / "x.jsonl")
    session.channel.take(b"one\ntwo\n")
    how(tmp_path / "x.jsonl", 0)
    session.channel.take(b"three\n")
    session.channel.take(b"four\n")
    items = session.close()
    assert [item.number for item in items] == [2, 3, 4]
    assert lines(items) == [b"three", b"four"]
    assert gaps(items)[0]["records"] == 2
    assert "was cut by another program" in gaps(items)[0]["why"]
    assert len(session.said) == 1


@pytest.mark.usefixtures("look_seldom")
@pytest.mark.parametrize("into", [0, 5])
def test_of_a_file_that_others_cut_what_is_whole_stays(tmp_path: Path, into: int) -> None:
    session = Session(tmp_path / "x.jsonl")
    session.channel.take(b"one\n")
    size = os.path.getsize(tmp_path / "x.jsonl")
    session.channel.take(b"two\n")
    cut(tmp_path / "x.jsonl", size + into)
    session.channel.take(b"three\n")
    items = session.close()
    assert not [item for item in items if isinstance(item, Damaged)]
    assert lines(items) == [b"one", b"three"]
    assert gaps(items)[0]["records"] == 1


@pytest.mark.usefixtures("look_seldom")
def test_a_file_that_is_cut_within_its_header_gets_a_whole_one(tmp_path: Path) -> None:
    session = Session(tmp_path / "x.jsonl")
    session.channel.take(b"one\n")
    cut(tmp_path / "x.jsonl", 9)
    session.channel.take(b"two\n")
    assert lines(session.close())[-1:] == [b"two"]


@pytest.mark.usefixtures("look_seldom")
def test_a_file_that_is_emptied_at_the_moment_of_a_write_gets_its_header_before_that(tmp_path: Path) -> None:
    session = Session(tmp_path / "x.jsonl")
    session.channel.take(b"one\ntwo\n")
    path, whole = tmp_path / "x.jsonl", (tmp_path / "x.jsonl").read_bytes()
    with open(path, "r+b") as file:
        file.truncate(0)
        file.write(whole.splitlines(keepends=True)[-1])
    session.channel.take(b"three\n")
    items = session.close()
    assert lines(items) == [b"two", b"three"]
    assert gaps(items)[0]["records"] == 1


@pytest.mark.usefixtures("look_seldom")
def test_a_file_that_is_emptied_again_and_again_stays_a_recording(tmp_path: Path) -> None:
    session = Session(tmp_path / "x.jsonl")
    for number in range(20):
        cut(tmp_path / "x.jsonl", 0)
        session.channel.take(b"%d\n" % number)
    assert len(session.said) == 1
    items = session.close()
    assert (gaps(items)[0]["since"], lines(items)) == (0, [b"19"])


def test_a_file_that_was_renamed_goes_on_under_its_new_name(tmp_path: Path) -> None:
    session = Session(tmp_path / "x.jsonl")
    session.channel.take(b"one\n")
    (tmp_path / "x.jsonl").rename(tmp_path / "x.jsonl.1")
    (tmp_path / "x.jsonl").touch()
    session.take(b"two")
    session.recorder.close()
    with Reader(str(tmp_path / "x.jsonl.1")) as reader:
        items = list(reader.items())
    assert (lines(items), gaps(items)) == ([b"one", b"two"], [])


def test_the_deleted_file_is_named_and_not_the_one_that_took_its_place(tmp_path: Path) -> None:
    session = Session(tmp_path / "x.jsonl")
    session.take(b"one")
    (tmp_path / "x.jsonl").unlink()
    (tmp_path / "x.jsonl").touch()
    session.take(b"two")
    session.recorder.close()
    (said,) = session.said
    assert f"{tmp_path}/x.jsonl was deleted; recording goes on in {tmp_path}/x.1.jsonl" in said


def test_the_next_place_is_taken_where_the_first_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    session = Session(tmp_path / "file" / "x.jsonl", tmp_path / "other" / "x.jsonl")
    session.take(b"one")
    assert session.file.path == str(tmp_path / "other" / "x.jsonl")
    assert lines(session.close()) == [b"one"]
    assert session.said == []


def test_no_place_at_all_is_told_once_and_lines_are_lost_until_there_is_one(tmp_path: Path) -> None:
    blocker = tmp_path / "folder"
    blocker.touch()
    session = Session(blocker / "x.jsonl")
    session.take(b"one", b"two")
    assert len(session.said) == 1
    assert str(blocker) in session.said[0]
    blocker.unlink()
    session.take(b"three")
    items = session.close()
    assert lines(items) == [b"three"]
    assert gaps(items)[0]["records"] == 2


def test_a_header_that_does_not_fit_leaves_no_file(
    tmp_path: Path, limit_file_size: Callable[[int], None]
) -> None:
    limit_file_size(10)
    session = Session(tmp_path / "x.jsonl")
    session.take(b"one")
    assert list(tmp_path.iterdir()) == []
    limit_file_size(0)
    session.take(b"two")
    assert lines(session.close()) == [b"two"]


def test_nothing_is_written_after_the_end(tmp_path: Path) -> None:
    """A pump may still have a chunk in hand when the session is over."""
    session = Session(tmp_path / "x.jsonl")
    session.take(b"one")
    session.close()
    session.take(b"late")
    assert len(list(tmp_path.iterdir())) == 1
    with Reader(str(tmp_path / "x.jsonl")) as reader:
        assert lines(list(reader.items())) == [b"one"]


def test_a_reader_that_looks_at_the_start_does_not_take_the_lock_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds a shared lock for an instant, in which the tap may ask for its own."""
    real = fcntl.flock
    refusals = [BlockingIOError(), BlockingIOError()]

    def flock(fd: int, operation: int) -> None:
        if refusals:
            raise refusals.pop()
        real(fd, operation)

    seen: list[bool] = []
    monkeypatch.setattr(file_module.fcntl, "flock", flock)
    file = RecordingFile(
        [str(tmp_path / "x.jsonl")], lambda locked: seen.append(locked) or HEADER, pytest.fail
    )
    file.restore(1)
    assert seen == [True]
    assert is_locked(str(tmp_path / "x.jsonl"))
    file.close()


def test_a_file_system_without_locks_is_told_in_the_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(fd: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    seen: list[bool] = []
    monkeypatch.setattr(file_module.fcntl, "flock", flock)
    file = RecordingFile(
        [str(tmp_path / "x.jsonl")], lambda locked: seen.append(locked) or HEADER, pytest.fail
    )
    file.restore(1)
    file.close()
    assert seen == [False]
