"""Which mcptap is written into configurations, and which is not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from mcptap.errors import UserError
from mcptap.setup import own_command
from mcptap.setup.own_command import OwnCommand, lasting, named_command


@pytest.mark.parametrize(
    "path",
    [
        "/home/a/.cache/uv/archive-v0/x1/bin/mcptap",
        "/mnt/big/uv/archive-v0/x1/bin/mcptap",
        "/home/a/.local/pipx/.cache/6d9/bin/mcptap",
        "/home/a/.cache/pipx/6d9/bin/mcptap",
        "/mine/cache/x/bin/mcptap",
        "/tmp/x/bin/mcptap",
        "/var/tmp/x/bin/mcptap",
        "/scratch/x/bin/mcptap",
    ],
)
def test_a_path_that_is_cleaned_up_is_refused(path: str) -> None:
    with pytest.raises(UserError, match=r"which will be cleaned up.*--mcptap PATH"):
        lasting((path,), {"UV_CACHE_DIR": "/mine/cache", "TMPDIR": "/scratch"})


def test_a_link_to_such_a_path_is_refused_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "realpath", lambda path: "/home/a/.cache/uv/archive-v0/x/bin/mcptap")
    with pytest.raises(UserError, match="the cache of uvx"):
        lasting(("/home/a/bin/mcptap",), {})


@pytest.mark.parametrize(
    "path", ["/home/a/.local/bin/mcptap", "/home/a/.local/share/uv/tools/mcptap/bin/mcptap"]
)
def test_an_installed_one_is_written_without_a_word(path: str) -> None:
    assert lasting((path,), {}) == OwnCommand((path,))


def test_a_checkout_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = tmp_path / "checkout" / ".venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "pyvenv.cfg").write_text("")
    monkeypatch.setattr(own_command, "_passing", lambda path, environ: "")
    program = str(environment / "bin" / "mcptap")
    assert lasting((program,), {}).warning == ""
    (tmp_path / "checkout" / "pyproject.toml").write_text("")
    assert str(tmp_path / "checkout") in lasting((program,), {}).warning


def test_the_command_on_path_is_taken_if_it_leads_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, outside, other = (tmp_path / name for name in ("inside", "outside", "other"))
    for folder in (inside, outside, other):
        folder.mkdir()
    for folder in (inside, other):
        (folder / "mcptap").write_text("")
        (folder / "mcptap").chmod(0o755)
    (outside / "mcptap").symlink_to(inside / "mcptap")
    monkeypatch.setattr(sys, "argv", [str(inside / "mcptap-python")])
    monkeypatch.setattr(own_command, "_passing", lambda path, environ: "")
    for folder, written in ((outside, outside), (other, inside)):
        found = own_command.own_command({"PATH": str(folder)})
        assert found.words == (str(written / "mcptap"),)


def test_without_a_command_the_module_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_command, "_beside", lambda: "")
    monkeypatch.setattr(own_command, "_passing", lambda path, environ: "")
    assert own_command.own_command({"PATH": ""}).words == (sys.executable, "-m", "mcptap")


def test_what_the_user_names_is_made_absolute_and_has_to_be_an_mcptap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mcptap").write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="no program that can be started"):
        named_command("./mcptap")
    (tmp_path / "mcptap").chmod(0o755)
    assert named_command("./mcptap").words == (str(tmp_path / "mcptap"),)
    assert named_command("mcptap").words == ("mcptap",)
    with pytest.raises(UserError, match="is not called mcptap"):
        named_command("./tap")
