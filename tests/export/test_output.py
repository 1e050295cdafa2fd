"""Where an export goes."""

from __future__ import annotations

import os
import stat

import pytest

from mcptap.errors import UserError
from mcptap.export.output import write


def test_a_new_file_is_the_users_alone(tmp_path):
    write(str(tmp_path / "x"), [b"a", b"b"])
    assert (tmp_path / "x").read_bytes() == b"ab"
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["x"]


def test_what_is_there_stays_unless_it_is_to_be_replaced(tmp_path):
    path = tmp_path / "x"
    path.write_text("mine")
    with pytest.raises(UserError, match="is there already"):
        write(str(path), [b"new"])
    assert path.read_text() == "mine"
    write(str(path), [b"new"], replace=True)
    assert path.read_text() == "new"


def test_another_that_comes_first_is_not_replaced(tmp_path):
    def pieces():
        yield b"half"
        (tmp_path / "x").write_text("theirs")

    with pytest.raises(UserError, match="is there already"):
        write(str(tmp_path / "x"), pieces())
    assert (tmp_path / "x").read_text() == "theirs"
    assert os.listdir(tmp_path) == ["x"]


def test_nothing_half_written_is_left(tmp_path):
    def pieces():
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(str(tmp_path / "x"), pieces())
    assert os.listdir(tmp_path) == []
    with pytest.raises(UserError, match=r"cannot be written: No such file"):
        write(str(tmp_path / "none" / "x"), [b"a"])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_is_told():
    with pytest.raises(UserError, match="No space left"):
        write("/dev/full", [b"x" * 100_000])
