"""`mcptap man` prints a page, or writes all."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.commands import SUMMARIES, main
from mcptap.commands.manual.roff import page


def test_in_a_pipe_a_page_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man", "ls"]) == 0
    assert capsys.readouterr().out == page("ls")
    assert main(["man"]) == 0
    assert capsys.readouterr().out == page("")


def test_all_pages_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "man1"
    assert main(["man", "--to", str(folder)]) == 0
    assert {path.name for path in folder.iterdir()} == {
        "mcptap.1",
        *(f"mcptap-{name}.1" for name in SUMMARIES),
    }
    assert (folder / "mcptap-ls.1").read_text(encoding="utf-8") == page("ls")
    assert capsys.readouterr().out == f"{len(SUMMARIES) + 1} pages written to {folder}\n"


def test_what_is_no_command_or_no_folder_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man", "none"]) == 2
    assert "there is no command 'none'" in capsys.readouterr().err
    (tmp_path / "file").touch()
    assert main(["man", "--to", str(tmp_path / "file")]) == 2
    assert "the pages can't be written" in capsys.readouterr().err
