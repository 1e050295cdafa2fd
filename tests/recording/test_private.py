"""Files of mcptap's own, replaced in one step."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mcptap.recording.private import remove, write_private


def test_a_file_is_replaced_whole_and_is_the_users_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings"
    before = os.umask(0o277)
    try:
        write_private(str(path), b"old")
        write_private(str(path), b"new")
    finally:
        os.umask(before)
    assert path.read_bytes() == b"new"
    assert os.name == "nt" or path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_leaves_the_old_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings"
    write_private(str(path), b"old")

    def full(fd: int) -> None:
        raise OSError("no room")

    monkeypatch.setattr("mcptap.recording.private.os.fsync", full)
    with pytest.raises(OSError, match="no room"):
        write_private(str(path), b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_removing_what_is_not_there_is_no_matter(tmp_path: Path) -> None:
    remove(str(tmp_path / "none"))
    assert list(tmp_path.iterdir()) == []
