"""Where backups and records lie, and who may change configurations at a time."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from mcptap.errors import UserError
from mcptap.setup import state


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def test_it_lies_beside_the_recordings(folder: Path) -> None:
    assert state.setup_folder() == str(folder / "mcptap" / "setup")


def test_without_a_home_nothing_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "default_folders", lambda environ: ["/tmp/mcptap-0/recordings"])
    with pytest.raises(UserError, match="no home folder to keep backups in"):
        state.private_folder()


def test_where_no_folder_can_be_made_nothing_is_changed(folder: Path) -> None:
    (folder / "mcptap").write_bytes(b"")
    with pytest.raises(UserError, match=r"no place for backups.*nothing is changed"):
        state.private_folder("backups")


def test_another_user_s_folder_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state.private_folder()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(UserError, match="belongs to another user"):
        state.private_folder()


def test_files_of_one_name_have_keys_of_their_own() -> None:
    assert state.key_of("/a/.mcp.json") != state.key_of("/b/.mcp.json")
    assert state.key_of("/a/.mcp.json").startswith("mcp.json-")


def test_the_second_waits_for_the_first_and_says_so() -> None:
    said: list[str] = []
    order: list[str] = []
    waits = threading.Event()

    def second() -> None:
        with state.lock(lambda sentence: (said.append(sentence), waits.set())[0]):
            order.append("second")

    with state.lock(said.append):
        thread = threading.Thread(target=second)
        thread.start()
        assert waits.wait(60)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert said == ["waiting for another mcptap that changes configurations"]
