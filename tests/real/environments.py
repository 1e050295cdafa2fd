"""Real servers and clients in environments of their own, made once for all clones of a user.

They lie in `mcptap-tests/` of the user's cache folder; delete it to have them made anew. Where a
registry can't be reached, or Node is not there, the tests are skipped with the reason.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mcptap-tests"
PATIENCE_S = 170.0


class UnavailableError(Exception):
    """An environment can't be made here; the text says why."""


def python_with(name: str, requirement: str) -> str:
    """The Python of a virtual environment with a package from PyPI in it."""

    def make(folder: Path) -> None:
        # Our own pip can do it: to install another one takes longer than the rest.
        _do([sys.executable, "-m", "venv", "--without-pip", str(folder)])
        pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install"]
        quietly = ["--quiet", "--disable-pip-version-check", "--retries", "0", "--timeout", "15"]
        _do([*pip, *quietly, requirement])

    return str(_made(name, f"{requirement} {sys.version}", make) / "bin" / "python")


def node_with(name: str, package: str) -> list[str]:
    """The command of a package from npm that has one program."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        raise UnavailableError("Node.js and npm are not installed")

    def make(folder: Path) -> None:
        folder.mkdir()
        _do(
            [
                npm,
                "install",
                "--silent",
                "--no-fund",
                "--no-audit",
                "--fetch-retries=0",
                "--prefix",
                str(folder),
                package,
            ]
        )

    programs = sorted((_made(name, package, make) / "node_modules" / ".bin").iterdir())
    found = [path for path in programs if path.name.startswith("mcp-server")]
    return [node, str(found[0].resolve())]


class Environments:
    """All of them, made at the same time when the first is asked for."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(3)
        self.mcp1: Future[str] = self._threads.submit(python_with, "mcp-1", "mcp>=1.20,<2")
        self.mcp2: Future[str] = self._threads.submit(python_with, "mcp-2", "mcp>=2,<3")
        self.everything: Future[list[str]] = self._threads.submit(
            node_with, "server-everything", "@modelcontextprotocol/server-everything"
        )


def _made(name: str, requirement: str, make: Callable[[Path], None]) -> Path:
    """The folder of an environment; made if it is not there, by one process at a time."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    folder, ready = FOLDER / name, FOLDER / f"{name}.ready"
    with (FOLDER / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists() or ready.read_text() != requirement:
            ready.unlink(missing_ok=True)
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            ready.write_text(requirement)
    return folder


def _do(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(f"{command[0]} did not do: {error}") from error
    if done.returncode:
        last = (done.stderr.strip() or "it said nothing").splitlines()[-1]
        raise UnavailableError(f"{Path(command[0]).name} failed: {last[:300]}")
