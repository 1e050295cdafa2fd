"""Which sessions a user means."""

from __future__ import annotations

import io
import os
import sys
from types import SimpleNamespace

import pytest

from mcptap.commands.sharing.sessions import on_disk, sessions_meant
from mcptap.errors import UserError
from tests.helpers import END, record


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Recordings of two servers in the user's folder."""
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(tmp_path / "temp"))
    folder = tmp_path / "mcptap" / "recordings"
    return [
        record(folder / name / f"2026112{day}T211701.000000Z-1.jsonl", END, name=name)
        for day, name in enumerate(("files", "weather", "weather"))
    ]


def meant(*targets):
    return [path for path, _ in sessions_meant(list(targets))]


def test_a_name_stands_for_the_newest_session_of_the_server(kept):
    assert meant("weather", "FILES", "w*", "latest") == [str(kept[at]) for at in (2, 0, 2, 2)]
    with pytest.raises(UserError, match="no recording of a server of that name"):
        meant("nobody")
    with pytest.raises(UserError, match="there is no file"):
        meant("weather/x.jsonl")


def test_files_folders_sections_and_channels_are_taken_as_they_are(tmp_path):
    path = record(tmp_path / "b" / "a.jsonl", END)
    (tmp_path / "b" / "x.md").write_text("no")
    assert list(sessions_meant([str(tmp_path / "b")])) == [(str(path), False)]
    assert meant(f"{path}#1", f"s2c={path}", "-") == [f"{path}#1", f"s2c={path}", "-"]


def test_standard_input_can_be_read_twice(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"abc")))
    with on_disk("-") as path, open(path) as file:
        assert file.read() == "abc"
    assert not os.path.exists(path)
    with on_disk("x") as path:
        assert path == "x"
