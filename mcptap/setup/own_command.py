"""The command that is written in front of a server: this mcptap, by a path that will still be there."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass

from mcptap.errors import UserError

NAME = "mcptap"
"""The portable form: whatever mcptap is on the PATH that the client gives."""

_PROGRAM = "mcptap.exe" if os.name == "nt" else NAME
_SCRIPTS = (NAME, "mcptap-python", "mcptap.exe")
_RUNNERS_CACHES = (
    "uv/archive-v",
    "uv/environments-v",
    "uv/builds-v",
    ".cache/uv/",
    "pipx/.cache/",
    ".cache/pipx/",
)
"""Pieces of paths in which `uvx` and `pipx run` keep what they run, until they clean up."""


@dataclass(frozen=True, slots=True)
class OwnCommand:
    """The words that start mcptap, and a sentence that the user should know of them (empty: none)."""

    words: tuple[str, ...]
    warning: str = ""


def own_command(environ: Mapping[str, str]) -> OwnCommand:
    """This mcptap by its absolute path. Raises UserError if that will not last."""
    program = _program(environ)
    words = (program,) if program else (sys.executable, "-m", NAME)
    return lasting(words, environ)


def lasting(words: tuple[str, ...], environ: Mapping[str, str]) -> OwnCommand:
    """A command with an absolute path, if it will last. Raises UserError."""
    real = os.path.realpath(words[0])
    for path in (words[0], real):
        where = _passing(path, environ)
        if where:
            raise UserError(
                f"this mcptap ({path}) lies in {where}, which will be cleaned up, and then no server would "
                "start; install it (pipx install, or pip install in a virtual environment that stays), or "
                "name one that stays with --mcptap PATH"
            )
    checkout = _checkout(real)
    warning = ""
    if checkout:
        warning = (
            f"the command that is written lies in the checkout {checkout}: if that is moved or removed, "
            "servers behind mcptap don't start until mcptap unwrap was run or the path is mended"
        )
    return OwnCommand(words, warning)


def named_command(path: str) -> OwnCommand:
    """What the user wants to be written: a path that is made absolute, or the bare name. Raises UserError."""
    if path == NAME:
        return OwnCommand((NAME,))
    absolute = os.path.abspath(os.path.expanduser(path))
    if os.path.basename(absolute) not in (NAME, "mcptap.exe"):
        raise UserError(
            f"{path} is not called {NAME}, so mcptap would not find it again to take it out; name a {NAME}"
        )
    if not os.path.isfile(absolute) or not os.access(absolute, os.X_OK):
        raise UserError(f"{absolute} is no program that can be started; name an mcptap that is installed")
    return OwnCommand((absolute,))


def _program(environ: Mapping[str, str]) -> str:
    """The path of the command: as PATH has it, if that leads here, since a link there outlives an upgrade."""
    beside = _beside()
    on_path = shutil.which(NAME, path=environ.get("PATH"))
    if beside and on_path and os.path.realpath(on_path) == os.path.realpath(beside):
        return os.path.abspath(on_path)
    return beside


def _beside() -> str:
    folders = [sysconfig.get_path("scripts")]
    if os.path.basename(sys.argv[0]) in _SCRIPTS:
        folders.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
    for folder in folders:
        program = os.path.join(folder, _PROGRAM)
        if os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    return ""


def _passing(path: str, environ: Mapping[str, str]) -> str:
    """In what kind of place that is cleaned up a path lies; empty if it lies in none."""
    slashed = path.replace("\\", "/")
    caches = [cache for cache in (environ.get("UV_CACHE_DIR"),) if cache]
    if any(piece in slashed for piece in _RUNNERS_CACHES) or any(_is_below(path, cache) for cache in caches):
        return "the cache of uvx or pipx run"
    temporary = {tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/var/folders"}
    temporary |= {environ[name] for name in ("TMPDIR", "TEMP", "TMP") if os.path.isabs(environ.get(name, ""))}
    return "a temporary folder" if any(_is_below(path, folder) for folder in temporary) else ""


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/\\") + os.sep)


def _checkout(real: str) -> str:
    """The checkout in whose virtual environment a program lies; empty if it lies in none."""
    environment = os.path.dirname(os.path.dirname(real))
    if not os.path.exists(os.path.join(environment, "pyvenv.cfg")):
        return ""
    around = os.path.dirname(environment)
    marks = (".git", "pyproject.toml", "setup.py")
    return around if any(os.path.exists(os.path.join(around, mark)) for mark in marks) else ""
