from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from mcptap.setup.doctor.machine import RealDisk, this_machine
from mcptap.setup.records import FileRecord, Wrapped, keep


def test_the_real_disk_says_what_is_there(tmp_path):
    program = tmp_path / "run"
    program.write_text("")
    program.chmod(0o700)
    disk = RealDisk()
    assert (disk.is_file(str(program)), disk.is_folder(str(program))) == (True, False)
    assert disk.is_executable(str(program))
    assert disk.open_to(program) == 0
    program.chmod(0o644)
    assert not disk.is_executable(str(program)) or os.geteuid() == 0
    assert disk.open_to(program) == 0o44
    assert disk.open_to(tmp_path / "none") is None
    assert not disk.is_tracked(program)


def test_what_is_on_record_is_known(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    file = tmp_path / "a.json"
    file.write_text("{}")
    where = ("mcpServers", "a")
    assert not RealDisk().has_record(file, where, "a")
    wrapped = Wrapped("codex", "user", where, "a", b"x", b"y", None, b"z")
    keep(FileRecord(os.path.realpath(file), (wrapped,)))
    assert RealDisk().has_record(file, where, "a")


def test_without_a_home_nothing_is_on_record(monkeypatch):
    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert RealDisk().has_record(Path("/none"), (), "a") in (True, False)


def test_this_machine_is_where_we_are(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    here = this_machine()
    assert (here.cwd, here.platform) == (Path.cwd(), sys.platform)
    assert here.is_windows is (sys.platform == "win32")


@pytest.mark.parametrize(("platform", "windows"), [("win32", True), ("linux", False)])
def test_windows_is_told_by_the_platform(platform, windows):
    from tests.setup.machines import machine

    assert machine(platform=platform).is_windows is windows
