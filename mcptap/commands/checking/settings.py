"""Settings of `mcptap check` that a project keeps: `.mcptap.toml` or `pyproject.toml`.

What is expected of a server there is also asked of it by `mcptap probe` of one server. An option for the same
goes before.

[tool.mcptap.check]            # in .mcptap.toml: [check]
min-level = "warning"
fail-on = "error"
fail-on-open = true
design = true
lock = "mcptap.lock"           # what mcptap lock approved; beside this file
expect-tool = ["forecast", "get_*"]
forbid-tool = ["debug_*"]
max-start = 5                  # seconds
max-list-tokens = 2000

[tool.mcptap.check.max-latency]
"tools/list" = 500             # milliseconds
"tools/call:forecast" = 2000

[tool.mcptap.check.ignore]     # rule or pattern = why
crlf = "the server runs on Windows; all our clients accept it"
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from mcptap.commands.checking.expecting import OPTIONS
from mcptap.commands.options import LEVELS
from mcptap.errors import UserError
from mcptap.protocol.expectations.expectation import Expectation, expectation
from mcptap.recording.paths import is_mine
from mcptap.text.toml import read_toml_settings

OWN_FILE = ".mcptap.toml"
SHARED_FILE = "pyproject.toml"
KEYS = ("min-level", "fail-on", "fail-on-open", "design", "lock", "ignore", *OPTIONS)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the file says; None or empty where it says nothing. `path` is None if there is no file."""

    path: str | None = None
    min_level: str | None = None
    fail_on: str | None = None
    fail_on_open: bool = False
    design: bool = False
    lock: str | None = None
    """The lock that sessions are held against."""
    ignore: dict[str, str] = field(default_factory=dict)
    """Why each rule or pattern is ignored."""
    expected: tuple[Expectation, ...] = ()
    """What is expected of each server."""


def load(folder: str, tell: Callable[[str], None] = lambda _: None) -> Settings:
    """The settings that hold in a folder: the nearest file on the way up, not beyond a repository.

    In a folder in which all may write (`/tmp`) it has to be the user's own; `tell` is told what was not.
    Raises UserError if that file can't be read or has something that is no setting.
    """
    folder = os.path.abspath(folder)
    while True:
        for name in (OWN_FILE, SHARED_FILE):
            path = os.path.join(folder, name)
            if is_planted(path, folder):
                tell(f"ignored, since it is not yours in a folder where all may write: {path}")
                continue
            table = _table(path, name) if os.path.isfile(path) else None
            if table is not None:
                return _settings(path, table)
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return Settings()
        folder = parent


def is_planted(path: str, folder: str) -> bool:
    """Whether a file lies in a folder where all may write, and is not the user's own."""
    try:
        return bool(os.stat(folder).st_mode & stat.S_IWOTH) and not is_mine(os.lstat(path))
    except OSError:
        return False


def _table(path: str, name: str) -> Any:
    """The table for `check`, or None if the file has none."""
    try:
        with open(path, "rb") as file:
            document: Any = read_toml_settings(file.read())
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        if name == SHARED_FILE:
            return None  # somebody else's file: its owner will hear of it from others
        raise UserError(f"{path}: {error}") from error
    for key in ("check",) if name == OWN_FILE else ("tool", "mcptap", "check"):
        document = document.get(key) if isinstance(document, dict) else None
    return document


def _settings(path: str, table: Any) -> Settings:
    if not isinstance(table, dict):
        raise UserError(f"{path}: the settings of check have to be a table")
    unknown = sorted(set(table) - set(KEYS))
    if unknown:
        raise UserError(f"{path}: check has no setting {unknown[0]!r}; it has {', '.join(KEYS)}")
    ignore = table.get("ignore", {})
    if not isinstance(ignore, dict):
        raise UserError(f'{path}: ignore has to be a table of lines like crlf = "why"')
    for rule, reason in ignore.items():
        if not isinstance(reason, str) or not reason.strip():
            raise UserError(f"{path}: ignoring {rule} needs a reason, as a string")
    return Settings(
        path,
        _level(path, table, "min-level"),
        _level(path, table, "fail-on"),
        _switch(path, table, "fail-on-open"),
        _switch(path, table, "design"),
        _beside(path, table, "lock"),
        dict(ignore),
        tuple(one for name in OPTIONS for one in _expected(path, table, name)),
    )


def _expected(path: str, table: dict[str, Any], name: str) -> Iterator[Expectation]:
    """The expectations of one name."""
    if name not in table:
        return
    value, (form, _) = table[name], OPTIONS[name]
    if "=" in form:
        words = 'a table of lines like "tools/list" = 500'
        limits = value.items() if isinstance(value, dict) else [("", None)]
        texts = [f"{method}={_number(most)}" if _number(most) else None for method, most in limits]
    elif form == "NAME":
        words = "a list of names"
        texts = (
            [one if isinstance(one, str) else None for one in value] if isinstance(value, list) else [None]
        )
    else:
        words, texts = "a number", [_number(value)]
    for text in texts:
        if text is None:
            raise UserError(f"{path}: {name} has to be {words}")
        try:
            yield expectation(name, text, is_standing=True)
        except ValueError as error:
            raise UserError(f"{path}: {name}: {error}") from error


def _number(value: Any) -> str | None:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _switch(path: str, table: dict[str, Any], key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise UserError(f"{path}: {key} has to be true or false")
    return value


def _beside(path: str, table: dict[str, Any], key: str) -> str | None:
    """A file that is named as it is seen from the settings."""
    value = table.get(key)
    if value is not None and (not isinstance(value, str) or not value):
        raise UserError(f"{path}: {key} has to be the name of a file")
    return None if value is None else os.path.join(os.path.dirname(path), value)


def _level(path: str, table: dict[str, Any], key: str) -> str | None:
    level = table.get(key)
    allowed: Collection[str] = LEVELS if key == "min-level" else (*LEVELS, "never")
    if level is not None and level not in allowed:
        raise UserError(f"{path}: {key} is {level!r}; it can be {', '.join(allowed)}")
    return level
