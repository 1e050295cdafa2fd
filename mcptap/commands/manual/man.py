"""`mcptap man`: manual pages, made of the commands' own parsers when they are asked for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from mcptap.commands import SUMMARIES
from mcptap.commands.manual.roff import page, page_name
from mcptap.commands.options import Parser
from mcptap.errors import UserError
from mcptap.text.escape import visible


def main(arguments: list[str]) -> int:
    """Show a page, print it, or write all of them; return the exit status."""
    options = _parser().parse_args(arguments)
    if options.to:
        print(f"{write_all(options.to)} pages written to {visible(options.to)}")
        return 0
    command = options.command or ""
    if command and command not in SUMMARIES:
        raise UserError(f"there is no command {command!r}; see mcptap --help")
    text = page(command)
    viewer = shutil.which("man") if sys.stdout.isatty() else None
    if viewer is None:
        print(text, end="")
        return 0
    return subprocess.run([viewer, "-l", "-"], input=text.encode(), check=False).returncode


def write_all(folder: str) -> int:
    """Write a page for each command into a folder; returns how many. Raises UserError."""
    pages = {f"{page_name(command)}.1": page(command) for command in ("", *SUMMARIES)}
    try:
        os.makedirs(folder, exist_ok=True)
        for name, text in pages.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise UserError(f"the pages can't be written to {folder}: {error.strerror}") from error
    return len(pages)


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap man",
        description="Show the manual page of a command, or of mcptap itself. In a pipe it is roff.",
    )
    parser.add_argument("command", nargs="?", metavar="COMMAND", help="which command")
    parser.add_argument("--to", metavar="DIR", help="write all pages into this folder, for man to find")
    return parser
