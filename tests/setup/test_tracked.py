"""Whether git tracks a file, as real repositories say it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from mcptap.setup.tracked import repository_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *words: str) -> None:
    own = ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *own, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = (tmp_path / "repository").resolve()
    (folder / "sub").mkdir(parents=True)
    for name in ("sub/.mcp.json", "x.mcp.json", "new.json"):
        (folder / name).write_text("{}")
    git(folder, "init", "-q")
    git(folder, "add", "sub/.mcp.json", "x.mcp.json")
    return folder


@pytest.mark.parametrize("version", ["2", "4"])
def test_what_is_added_is_tracked(repository: Path, version: str) -> None:
    git(repository, "update-index", "--index-version", version)
    assert repository_of(str(repository / "sub" / ".mcp.json")) == str(repository)
    assert repository_of(str(repository / "x.mcp.json")) == str(repository)
    assert repository_of(str(repository / "new.json")) == ""
    assert repository_of(str(repository / "sub" / "new.json")) == ""


def test_a_name_that_ends_alike_is_another(repository: Path) -> None:
    (repository / ".mcp.json").write_text("{}")
    assert repository_of(str(repository / ".mcp.json")) == ""


def test_a_worktree_has_its_index_elsewhere(repository: Path, tmp_path: Path) -> None:
    git(repository, "commit", "-qm", "x")
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    path = (tmp_path / "tree" / "x.mcp.json").resolve()
    assert repository_of(str(path)) == str(path.parent)


def test_outside_of_repositories_nothing_is_tracked(tmp_path: Path) -> None:
    assert repository_of(str(tmp_path / "x")) == ""
    (tmp_path / ".git").write_bytes(b"gitdir: /no/such/place")
    assert repository_of(str(tmp_path / "x")) == ""
