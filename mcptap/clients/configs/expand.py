"""What a client starts for an entry: its variables replaced as that client does it, and no others.

Each text is gone through once: what a variable stands for is not looked into again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcptap.clients.client import Client
from mcptap.clients.configs.document import read_file
from mcptap.clients.configs.entry import ServerEntry
from mcptap.clients.configs.nodes import UnreadableDocument
from mcptap.clients.configuration import Unset, Variables

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
FORMS: Mapping[str, str] = {
    "${NAME}": rf"\$\{{(?P<braced>{_NAME})\}}",
    "${NAME:-default}": rf"\$\{{(?P<defaulted>{_NAME}):-(?P<default>[^}}]*)\}}",
    "$NAME": rf"\$(?P<bare>{_NAME})",
    "${env:NAME}": r"\$\{env:(?P<env>[^}]+)\}",
    "{env:NAME}": r"\{env:(?P<env>[^}]+)\}",
    "{file:path}": r"\{file:(?P<file>[^}]+)\}",
    "${userHome}": r"\$\{(?P<home>userHome)\}",
    "${workspaceFolder}": r"\$\{(?P<workspace>workspaceFolder)\}",
    "${input:id}": r"\$\{(?P<input>input:[^}]+)\}",
    "${{ secrets.NAME }}": r"\$\{\{\s*(?P<secret>secrets\.[\w.-]+)\s*\}\}",
}
"""Every form that a client's `Variables` may name, as a regular expression."""


@dataclass(frozen=True, slots=True)
class UnsetVariable:
    """A variable without a value: what it is called, how and where it is spelled, and what becomes of it.

    `where` is `command`, `args[2]`, `env.NAME` or `cwd`; `becomes` is None if that is not known.
    """

    name: str
    text: str
    where: str
    becomes: Unset | None


@dataclass(frozen=True, slots=True)
class ExpandedEntry:
    """A server as the client would start it. What could not be replaced stands in it as it is spelled."""

    argv: list[str]
    env: dict[str, str]
    """The entry's own variables; values that are neither strings nor numbers are left out."""
    cwd: str
    """The entry's, as an absolute path, if the client is known to use it; else empty."""
    unset: tuple[UnsetVariable, ...]


def expand(
    entry: ServerEntry, client: Client, environ: Mapping[str, str], cwd: str, *, read_files: bool = True
) -> ExpandedEntry:
    """What this client would start in a folder, with this environment of its own.

    `read_files`: whether a form that stands for a file's text is followed.
    """
    work = _Expansion(entry, client, environ, cwd, read_files)
    shape = client.arguments.value
    argv = [
        work.text(word, _where(index), "args" if index else "command")
        for index, word in enumerate(entry.argv)
    ]
    if shape is not None and shape.expands_tilde:
        argv = [work.with_home(word) for word in argv]
    env = {
        name: work.text(str(value), f"env.{name}", "env")
        for name, value in (entry.env or {}).items()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    }
    folder = ""
    if entry.cwd and client.cwd.value is not None and client.cwd.value.uses_entry:
        folder = os.path.normpath(os.path.join(cwd, work.text(entry.cwd, "cwd", "cwd")))
    return ExpandedEntry(argv, env, folder, tuple(work.unset))


def _where(index: int) -> str:
    return f"args[{index - 1}]" if index else "command"


class _Expansion:
    """Replaces variables in the texts of one entry, and remembers those without a value."""

    def __init__(
        self, entry: ServerEntry, client: Client, environ: Mapping[str, str], cwd: str, read_files: bool
    ) -> None:
        self._variables = client.configuration.variables.value or Variables(())
        pieces = [FORMS[form] for form in self._variables.forms]
        self._pattern = re.compile("|".join(pieces)) if pieces else None
        self._environ = environ
        self._cwd = cwd
        self._beside = entry.file.parent
        self._reads = read_files
        self.unset: list[UnsetVariable] = []

    def text(self, text: str, where: str, place: str) -> str:
        """A text with its variables replaced; `place` is the entry's member in which it stands."""
        places = self._variables.places
        if self._pattern is None or (places and place not in places):
            return text
        return self._pattern.sub(self._replacement(where, place), text)

    def with_home(self, word: str) -> str:
        """A word in which a `~` at its beginning is the home folder."""
        return self._home + word[1:] if word == "~" or word.startswith(("~/", "~\\")) else word

    @property
    def _home(self) -> str:
        return self._environ.get("HOME") or self._environ.get("USERPROFILE") or os.path.expanduser("~")

    def _replacement(self, where: str, place: str) -> Callable[[re.Match[str]], str]:
        def replaced(found: re.Match[str]) -> str:
            kind = str(found.lastgroup)
            found_default = found.groupdict().get("default")
            if found_default is not None:
                kind = "defaulted"
            name = found[kind]
            value = self._value(kind, name)
            if value is not None:
                return value
            if found_default is not None:
                return found_default
            becomes = self._becomes(kind, place)
            self.unset.append(UnsetVariable(name, found[0], where, becomes))
            return "" if becomes is Unset.EMPTY else found[0]

        return replaced

    def _value(self, kind: str, name: str) -> str | None:
        if kind == "home":
            return self._home
        if kind == "workspace":
            return self._cwd
        if kind == "file":
            return self._file(name) if self._reads else None
        return self._environ.get(name) if kind not in ("input", "secret") else None

    def _file(self, name: str) -> str | None:
        try:
            path = self._beside / self.with_home(name)
            return read_file(Path(path)).decode(errors="replace").strip()
        except (OSError, ValueError, UnreadableDocument):
            return None

    def _becomes(self, kind: str, place: str) -> Unset | None:
        if kind == "input":
            return Unset.ASKED
        if kind in ("file", "secret"):
            return None
        in_env: Any = self._variables.unset_in_env if place == "env" else None
        return in_env or self._variables.unset
