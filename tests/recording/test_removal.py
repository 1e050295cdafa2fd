"""What is deleted is the very file that was listed, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mcptap.recording import removal
from mcptap.recording.removal import Listed, delete, list_file
from tests.helpers import END, SPAWN, Tape, record

as_root = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a file away"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return record(tmp_path / "base" / "weather" / "x.jsonl", [SPAWN, *END])


def listed(path: Path) -> Listed:
    one = list_file(str(path.parents[1]), str(path))
    assert isinstance(one, Listed), one
    return one


def test_a_recording_that_ended_is_deleted(path: Path) -> None:
    assert delete(listed(path)) == ""
    assert not path.exists()


def test_a_recording_right_in_the_folder_is_deleted(tmp_path: Path) -> None:
    path = record(tmp_path / "x.jsonl", END)
    one = list_file(str(tmp_path), str(path))
    assert isinstance(one, Listed)
    assert delete(one) == ""


def test_a_recording_that_is_being_written_is_not(tmp_path: Path) -> None:
    with Tape(tmp_path / "base" / "weather" / "x.jsonl") as tape:
        assert delete(listed(Path(tape.path))).startswith("it is locked: ")
        assert os.path.exists(tape.path)


def test_a_link_a_pipe_and_a_folder_are_not_listed(path: Path) -> None:
    link, pipe, folder = (path.with_name(name) for name in ("link.jsonl", "pipe.jsonl", "folder.jsonl"))
    link.symlink_to(path)
    os.mkfifo(pipe)
    folder.mkdir()
    base = str(path.parents[1])
    assert {list_file(base, str(other)) for other in (link, pipe, folder)} == {"it is no regular file"}
    assert list_file(base, str(path.with_name("none"))) == "No such file or directory"


def test_a_file_with_another_name_is_neither_listed_nor_deleted(path: Path) -> None:
    one = listed(path)
    os.link(path, path.with_name("other.jsonl"))
    assert list_file(one.base, one.path) == "it has other names (hard links)"
    assert delete(one) == "it has other names (hard links)"
    assert path.exists()


@as_root
def test_a_file_of_another_user_is_neither_listed_nor_deleted(path: Path) -> None:
    one = listed(path)
    os.chown(path, 12345, -1)
    assert list_file(one.base, one.path) == "it is not yours"
    assert delete(one) == "it is not yours"


@as_root
def test_nothing_is_deleted_in_a_folder_of_another_user(path: Path) -> None:
    one = listed(path)
    os.chown(path.parent, 12345, -1)
    assert delete(one) == "its folder is not yours"
    assert path.exists()


def test_another_file_in_its_place_stays(path: Path) -> None:
    one = listed(path)
    data = path.read_bytes()
    path.rename(path.with_suffix(".old"))
    path.write_bytes(data)
    assert delete(one) == "it changed since it was listed"
    assert path.read_bytes() == data


def test_a_file_that_was_written_to_stays(path: Path) -> None:
    one = listed(path)
    with path.open("ab") as file:
        file.write(b"{}\n")
    assert delete(one) == "it changed since it was listed"
    assert path.exists()


def test_a_link_in_its_place_stays_and_so_does_what_it_leads_to(path: Path) -> None:
    one = listed(path)
    target = path.rename(path.with_suffix(".old"))
    path.symlink_to(target)
    assert delete(one) != ""
    assert path.is_symlink()
    assert target.exists()


def test_a_link_in_place_of_its_folder_is_not_gone_through(path: Path, tmp_path: Path) -> None:
    one = listed(path)
    elsewhere = tmp_path / "elsewhere"
    path.parent.rename(elsewhere)
    path.parent.symlink_to(elsewhere)
    assert delete(one) != ""
    assert (elsewhere / path.name).exists()


def test_what_lies_outside_of_the_folder_stays(path: Path, tmp_path: Path) -> None:
    one = list_file(str(tmp_path / "base" / "weather" / "deeper"), str(path))
    assert isinstance(one, Listed)
    os.mkdir(one.base)
    assert delete(one) == "it is in no folder for recordings"
    assert path.exists()


def test_a_name_that_leads_elsewhere_at_the_last_moment_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = listed(path)
    real = os.read

    def swap(fd: int, size: int) -> bytes:
        path.rename(path.with_suffix(".old"))
        path.write_text("precious")
        return real(fd, size)

    monkeypatch.setattr(removal.os, "read", swap)
    assert delete(one) == "it changed since it was listed"
    monkeypatch.undo()
    assert path.read_text() == "precious"


@pytest.mark.parametrize("by_folder", [True, False])
def test_what_does_not_begin_as_a_recording_stays(
    tmp_path: Path, by_folder: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removal, "_BY_FOLDER", by_folder)
    path = tmp_path / "base" / "weather" / "x.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text('{"not": "one"}\n')
    assert delete(listed(path)) == "it is no recording"
    assert path.exists()


def test_where_folders_cannot_be_opened_the_same_holds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removal, "_BY_FOLDER", False)
    one = listed(path)
    with path.open("ab") as file:
        file.write(b"{}\n")
    assert delete(one) == "it changed since it was listed"
    assert delete(listed(path)) == ""
    assert not path.exists()
