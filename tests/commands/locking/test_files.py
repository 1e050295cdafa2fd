"""A lock is written in one step, or not at all."""

import os
from pathlib import Path

import pytest

from mcptap.commands.locking.files import overlooks, save_lock
from mcptap.errors import UserError
from mcptap.protocol.contract.lock import LockedServer
from mcptap.protocol.contract.lock_file import read_lock


def test_a_lock_keeps_its_mode_and_its_link(tmp_path: Path):
    path, link = tmp_path / "real.lock", tmp_path / "mcptap.lock"
    save_lock(str(path), [])
    path.chmod(0o640)
    link.symlink_to(path)
    save_lock(str(link), [LockedServer("a")])
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(read_lock(str(path)).servers) == ["a"]
    assert os.listdir(tmp_path).count("mcptap.lock") == 1
    assert len(os.listdir(tmp_path)) == 2


def test_a_place_that_takes_nothing_is_named(tmp_path: Path):
    with pytest.raises(UserError, match=r"cannot be written: .*; nothing is changed"):
        save_lock(str(tmp_path / "no" / "mcptap.lock"), [])
    assert list(tmp_path.iterdir()) == []


def test_only_texts_are_overlooked():
    assert not overlooks(("default",), None, "x")
