"""Progress on stderr: on a terminal, for what takes long, and gone in the end."""

import io
import itertools
from pathlib import Path
from types import SimpleNamespace

import pytest

from mcptap.report import progress
from mcptap.report.progress import BIG, Progress


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def quick_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = itertools.count()
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(seconds))


def written(output: io.StringIO, path: str, *positions: int) -> str:
    source = SimpleNamespace(path=path, position=0)
    with Progress(source, output) as shown:
        for source.position in positions:
            shown.step()
    return output.getvalue()


def sparse(tmp_path: Path, size: int) -> str:
    path = tmp_path / "big.jsonl"
    with path.open("wb") as file:
        file.truncate(size)
    return str(path)


def test_a_big_file_shows_its_share_and_wipes_the_line(tmp_path: Path):
    text = written(FakeTerminal(), sparse(tmp_path, 2 * BIG), BIG // 2, BIG)
    assert "25 % (16.8 MB) read of" in text
    assert "50 % (33.6 MB) read of" in text
    assert text.endswith("\r\x1b[K")


def test_a_stream_shows_how_much_it_was_so_far():
    text = written(FakeTerminal(), "standard input", 1000, BIG + 1)
    assert "%" not in text
    assert "33.6 MB read of standard input" in text


def test_a_small_file_is_read_in_silence(tmp_path: Path):
    assert written(FakeTerminal(), sparse(tmp_path, BIG - 1), BIG - 2) == ""


def test_no_terminal_no_progress(tmp_path: Path):
    assert written(io.StringIO(), sparse(tmp_path, 2 * BIG), BIG) == ""


def test_a_name_does_not_drive_the_terminal(tmp_path: Path):
    text = written(FakeTerminal(), "evil\x1b[31m", BIG + 1)
    assert "\x1b[31m" not in text
