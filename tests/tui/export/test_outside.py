import os
from pathlib import Path

import pytest

from mcptap.errors import UserError
from mcptap.tui.export.outside import (
    clipboard_trouble,
    export_path,
    open_in,
    private_file,
    program,
    write_export,
)


def test_a_deaf_terminal_and_a_long_text_are_told_apart_from_the_rest():
    assert clipboard_trouble("x", {"TERM": "xterm-256color"}) == ""
    assert "no clipboard" in clipboard_trouble("x", {"TERM": "linux"})
    assert "Terminal.app" in clipboard_trouble("x", {"TERM": "xterm", "TERM_PROGRAM": "Apple_Terminal"})
    assert "too long" in clipboard_trouble("x" * 100_000, {"TERM": "xterm"})


def test_files_are_private_and_never_overwrite(tmp_path):
    path = export_path("mcptap", ".md", os.fspath(tmp_path))
    write_export(path, "a")
    assert os.stat(path).st_mode & 0o777 == 0o600
    with pytest.raises(UserError, match="cannot be written"):
        write_export(path, "b")
    assert Path(path).read_text() == "a"
    copy = private_file("ü", ".txt")
    assert os.stat(copy).st_mode & 0o777 == 0o600
    os.unlink(copy)


def test_the_editor_is_the_users():
    assert program(("VISUAL", "EDITOR"), "vi", {"EDITOR": "code --wait"}) == ["code", "--wait"]
    assert program(("PAGER",), "less", {}) == ["less"]


def test_a_program_that_is_not_there_is_named(tmp_path):
    assert "cannot be started" in open_in(["/no/such/program"], "x")
    assert open_in(["true"], "x") == ""
    assert "status 1" in open_in(["false"], "x")
