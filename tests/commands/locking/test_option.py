"""Which lock `--lock` means."""

from pathlib import Path

import pytest

from mcptap.commands.locking.option import load_lock
from mcptap.errors import UserError

TEXT = '{"mcptap-lock":1}\n{"server":"a"}\n'


def test_a_name_alone_is_looked_for_above_within_the_repository(tmp_path: Path):
    inner = tmp_path / "project" / "src"
    inner.mkdir(parents=True)
    (tmp_path / "project" / "mcptap.lock").write_text(TEXT)
    assert list(load_lock("mcptap.lock", str(inner)).servers) == ["a"]
    (inner / ".git").mkdir()
    with pytest.raises(UserError, match=r"there is no mcptap\.lock here or above"):
        load_lock("mcptap.lock", str(inner))
    (inner / "folder").mkdir()
    with pytest.raises(UserError, match="is a folder, and no lock"):
        load_lock("folder", str(inner))
    with pytest.raises(UserError, match="cannot be read"):
        load_lock("./mcptap.lock", str(inner))


def test_a_server_of_the_lock_may_be_named(tmp_path: Path):
    path = tmp_path / "x.lock"
    path.write_text(TEXT)
    assert load_lock(f"{path}#a").only == "a"
    with pytest.raises(UserError, match="has no server 'b'; it has a"):
        load_lock(f"{path}#b")


def test_texts_that_only_tell_the_time_are_overlooked(tmp_path: Path):
    path = tmp_path / "x.lock"
    path.write_text(TEXT)
    overlooks = load_lock(str(path)).overlooks
    assert overlooks is not None
    uuids = "0b9ce0f0-3cf5-4a4e-9b39-0d9d1a2a6d10", "7c0d7b4e-2a39-4b1c-8a55-5b8c66a7c1ee"
    assert overlooks(("description",), *(f"Session {uuid}." for uuid in uuids))
    assert not overlooks(("description",), "Adds.", "Adds all.")
    assert not overlooks(("description",), 1, 2)
