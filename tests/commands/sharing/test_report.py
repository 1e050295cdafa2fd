"""`mcptap report` as a user runs it."""

from __future__ import annotations

import os
import stat

import pytest

from mcptap.commands import main
from mcptap.export import clipboard
from tests.export.sessions import SECRETS, with_secrets


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(clipboard.programs, "__defaults__", ("linux",))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    return with_secrets(tmp_path / "a.jsonl")


def test_it_is_on_the_clipboard_and_the_user_told_where_it_belongs(session, tmp_path, monkeypatch, capsys):
    program = tmp_path / "bin" / "wl-copy"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ncat > {tmp_path}/copied\n")
    program.chmod(stat.S_IRWXU)
    monkeypatch.setenv("WAYLAND_DISPLAY", "x")
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    assert main(["report", session]) == 0
    said = capsys.readouterr().err
    copied = (tmp_path / "copied").read_text()
    assert copied.startswith("## weather: broken")
    assert not [secret for secret in SECRETS if secret in copied + said]
    assert "of Markdown are in the clipboard (wl-copy)" in said
    assert "its package here does not tell" in said
    assert f"mcptap export {session} -o session.html" in said


def test_without_a_clipboard_it_is_a_file_that_replaces_none(session, tmp_path, capsys):
    assert main(["report", session]) == 0
    assert main(["report", session]) == 0
    assert {"mcptap-report-weather.md", "mcptap-report-weather.2.md"} <= set(os.listdir(tmp_path))
    assert main(["report", session, "-o", "mcptap-report-weather.md"]) == 2
    assert "--force" in capsys.readouterr().err
