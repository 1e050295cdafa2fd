"""The command as installers lay it down: wherever that is, it starts, and its Python is out of reach."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Sequence
from pathlib import Path

import pip
import pytest

from tests.shim.running import environment

ROOT = Path(__file__).parents[2]
PIP = Path(pip.__file__).with_name("__pip-runner__.py")
PACKAGES = "lib/python{}.{}/site-packages".format(*sys.version_info)
BASE = os.path.join(sys.base_prefix, "bin", "python{}.{}".format(*sys.version_info))
SERVER = ["/bin/sh", "-c", "/bin/cat /proc/self/environ; exit 7"]
BAD = {"PYTHONHOME": "/nowhere", "PYTHONHASHSEED": "bad", "LD_PRELOAD": "/nowhere.so"}

pytest.importorskip("hatchling")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no launcher")


def build(folder: Path, **variables: str) -> Path:
    """The wheel, built anew."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        env={**os.environ, **variables},
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel with the launcher."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    return build(tmp_path_factory.mktemp("wheel"))


def install(python: str | Path, wheel: Path, *options: str, **variables: str) -> None:
    """Let pip install the wheel without what it depends on, which is linked from here.

    It is started as `pip --python` starts itself the second time: the first costs as much again.
    """
    done = subprocess.run(
        [python, PIP, "install", "-q", "--no-deps", "--no-index",
         "--no-compile", "--disable-pip-version-check", *options, wheel],
        env={**os.environ, **variables}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def link_orjson(packages: Path) -> None:
    """Make the one dependency of the tap importable."""
    import orjson

    (packages / "orjson").symlink_to(Path(orjson.__file__).parent)


def environment_at(folder: Path, wheel: Path) -> Path:
    """A virtual environment with the wheel; the path of its command."""
    venv.create(folder, symlinks=True)
    install(folder / "bin" / "python3", wheel)
    link_orjson(folder / PACKAGES)
    return folder / "bin" / "mcptap"


def is_as_direct(
    command: Sequence[str | Path],
    home: Path,
    bad: dict[str, str] | None = None,
    cwd: Path | None = None,
    exact: bool = True,
) -> None:
    """Check that a server behind the command has the environment of a direct start, and is recorded."""
    env = {**environment(home), **(BAD if bad is None else bad)}
    seen = []
    for words in ([], [*command, "run", "--quiet", "--record", str(home / "r") + "/", "--"]):
        done = subprocess.run([*words, *SERVER], env=env, cwd=cwd or home, capture_output=True, check=False)
        seen.append((done.returncode, done.stdout if exact else b"", done.stderr))
    assert seen[1] == seen[0]
    assert list((home / "r").rglob("*.jsonl"))


@pytest.mark.parametrize("name", ["env", "a b ü ' $HOME", "x" * 200 + "/" + "y" * 200])
def test_in_an_environment_of_whatever_path(wheel: Path, tmp_path: Path, name: str) -> None:
    command = environment_at(tmp_path / name, wheel)
    is_as_direct([command], tmp_path)


def test_by_links_by_path_and_relative(wheel: Path, tmp_path: Path) -> None:
    command = environment_at(tmp_path / "env", wheel)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "mcptap").symlink_to("link")
    (tmp_path / "bin" / "link").symlink_to(command)
    is_as_direct([tmp_path / "bin" / "mcptap"], tmp_path)
    is_as_direct(["./mcptap"], tmp_path, cwd=command.parent)
    is_as_direct(["mcptap"], tmp_path, {**BAD, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"})
    is_as_direct([command.with_name("mcptap-python")], tmp_path, {})
    is_as_direct([command.with_name("python3"), "-m", "mcptap"], tmp_path, {})


def test_with_the_first_lines_of_an_installer_that_shuns_long_ones(wheel: Path, tmp_path: Path) -> None:
    command = environment_at(tmp_path / "env", wheel)
    script = command.with_name("mcptap-python")
    rest = script.read_text().partition("\n")[2]
    script.write_text(f"#!/bin/sh\n'''exec' '{command.parent}/python3' \"$0\" \"$@\"\n' '''\n{rest}")
    is_as_direct([command], tmp_path)


def test_behind_a_first_line_that_names_no_interpreter(wheel: Path, tmp_path: Path) -> None:
    """Some installers wrap what they install; then it is started as its first line says."""
    command = environment_at(tmp_path / "env", wheel)
    script = command.with_name("mcptap-python")
    script.rename(command.with_name("wrapped.py"))
    script.write_text(
        f'#!/usr/bin/env bash\nexec {command.parent}/python3 {command.parent}/wrapped.py "$@"\n'
    )
    script.chmod(0o755)
    is_as_direct([command], tmp_path, {}, exact=False)


def test_below_a_home(wheel: Path, tmp_path: Path) -> None:
    install(BASE, wheel, "--user", "--break-system-packages", PYTHONUSERBASE=str(tmp_path / "user"))
    link_orjson(tmp_path / "user" / PACKAGES)
    is_as_direct([tmp_path / "user" / "bin" / "mcptap"], tmp_path)
    is_as_direct([tmp_path / "user" / "bin" / "mcptap"], tmp_path, {"PYTHONNOUSERSITE": "1"})


def test_below_a_prefix_and_in_a_folder_that_pythonpath_names_or_nobody(wheel: Path, tmp_path: Path) -> None:
    install(BASE, wheel, "--prefix", str(tmp_path / "prefix"), "--break-system-packages")
    link_orjson(tmp_path / "prefix" / PACKAGES)
    is_as_direct([tmp_path / "prefix" / "bin" / "mcptap"], tmp_path)
    folder = tmp_path / "target"
    install(BASE, wheel, "--target", str(folder))
    link_orjson(folder)
    for variables in ({**BAD, "PYTHONPATH": str(folder)}, BAD):
        is_as_direct([folder / "bin" / "mcptap"], tmp_path, variables)


def test_with_dependencies_that_lie_elsewhere(wheel: Path, tmp_path: Path) -> None:
    folder = tmp_path / "env"
    venv.create(folder, symlinks=True)
    install(folder / "bin" / "python3", wheel)
    (folder / PACKAGES / "elsewhere.pth").write_text(sysconfig.get_path("purelib") + "\n")
    flood = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 2000
    done = subprocess.run(
        [folder / "bin" / "mcptap", "run", "--record", f"{tmp_path}/r/", "--", "cat"],
        input=flood, env={**environment(tmp_path), **BAD, "LD_PRELOAD": ""}, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, flood)
    assert b"recording" in done.stderr
    assert b"failed" not in done.stderr


def test_without_a_compiler_the_command_is_the_script(tmp_path: Path) -> None:
    wheel = build(tmp_path / "wheel", CC="/nowhere/cc")
    assert wheel.name.endswith("-py3-none-any.whl")
    command = environment_at(tmp_path / "env", wheel)
    assert command.read_bytes().startswith(b"#!")
    assert not command.with_name("mcptap-python").exists()
    is_as_direct([command], tmp_path, {})


def test_what_is_missing_is_said_and_the_server_runs_all_the_same(wheel: Path, tmp_path: Path) -> None:
    command = environment_at(tmp_path / "env", wheel)
    alone = tmp_path / "mcptap"
    shutil.copy(command, alone)
    (command.parent / "python3").unlink()
    for start, reason in (
        (alone, f"mcptap: cannot read {alone}-python: No such file or directory"),
        (command, f"mcptap: cannot start {command.parent}/python3: No such file or directory"),
    ):
        done = subprocess.run(
            [start, "run", "--", "sh", "-c", "echo served; exit 7"],
            capture_output=True,
            text=True,
            check=False,
        )
        said = f"{reason}; the server runs unrecorded\n"
        assert (done.returncode, done.stdout, done.stderr) == (7, "served\n", said)
        done = subprocess.run([start, "ls"], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (127, "", f"{reason}\n")
