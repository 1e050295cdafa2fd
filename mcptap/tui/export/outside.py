"""What leaves the screen: the clipboard, files, the editor and the pager."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from datetime import datetime

from mcptap.errors import UserError

CLIPBOARD_LIMIT = 74_000
"""Characters that terminals take by OSC 52: 100,000 of base64 in the strictest of them."""

_DEAF = ("linux", "dumb", "vt100", "vt220", "cons25")


def clipboard_trouble(text: str, environ: Mapping[str, str]) -> str:
    """Why the terminal will not take the text into its clipboard; empty if it may.

    No terminal answers OSC 52, so that only the known ones that do not obey can be told.
    """
    if len(text) > CLIPBOARD_LIMIT:
        return "it is too long for the terminal's clipboard"
    if environ.get("TERM", "").startswith(_DEAF):
        return "this terminal has no clipboard"
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        return "Terminal.app does not obey the clipboard's sequence"
    return ""


def private_file(text: str, suffix: str) -> str:
    """Write a file of mode 0600 in the temporary directory; return its path. Raises OSError."""
    fd, path = tempfile.mkstemp(prefix="mcptap-", suffix=suffix)
    with open(fd, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
    return path


def export_path(name: str, suffix: str, folder: str) -> str:
    """A path for an export that does not exist yet."""
    stem = f"{name}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    path = os.path.join(folder, stem + suffix)
    number = 1
    while os.path.exists(path):
        path = os.path.join(folder, f"{stem}.{number}{suffix}")
        number += 1
    return path


def write_export(path: str, content: str | bytes) -> None:
    """Write an export that must not exist yet. Raises UserError, and leaves nothing half-written."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        data = content.encode(errors="replace") if isinstance(content, str) else content
        with open(fd, "wb") as file:
            file.write(data)
    except OSError as error:
        if not isinstance(error, FileExistsError) and os.path.exists(path):
            os.unlink(path)
        why = "there is such a file already" if isinstance(error, FileExistsError) else error.strerror
        raise UserError(f"{path}: cannot be written: {why}") from error


def program(names: tuple[str, ...], default: str, environ: Mapping[str, str]) -> list[str]:
    """The command that the first of these variables names, else the default one."""
    for name in names:
        value = environ.get(name, "").strip()
        if value:
            return shlex.split(value)
    return [default]


def open_in(command: list[str], path: str) -> str:
    """Run a program on a file and wait for it; return what went wrong, if anything did."""
    try:
        status = subprocess.run([*command, path], check=False).returncode
    except OSError as error:
        return f"{command[0]}: cannot be started: {error.strerror}"
    return f"{command[0]} ended with status {status}" if status else ""
