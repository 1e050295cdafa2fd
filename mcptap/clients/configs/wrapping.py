"""Whether mcptap stands in front of a server's command already: told by the program and by what follows it.

A server's name says nothing, and neither does a program of the same name that takes other arguments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mcptap.errors import UserError
from mcptap.shim.options import Options

PROGRAM = "mcptap"
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*|py", re.ASCII)
_PACKAGE = re.compile(r"mcptap(?:\[\w+\])?(?:(?:@|[=~<>!]=).*)?")
_LAUNCHERS = (("uvx",), ("uv", "tool", "run"), ("uv", "x"), ("pipx", "run"))
_WITH_VALUE = frozenset(
    (
        *("--from", "--with", "--with-editable", "--with-requirements", "-p", "--python", "--index"),
        *("--default-index", "--index-url", "-i", "--extra-index-url", "--pip-args", "--spec"),
        *("--directory", "--project"),
    )
)
"""Options of those launchers whose value is a word of its own."""
_PYTHON_WITH_VALUE = frozenset(("-X", "-W", "--check-hash-based-pycs"))


@dataclass(frozen=True, slots=True)
class Wrapper:
    """mcptap in front of a server."""

    words: tuple[str, ...]
    """Its own words, up to and with the separator."""
    server: tuple[str, ...]
    """The server's command line, as it stands behind the separator."""
    ours: bool
    """Whether the program itself is started; else a launcher finds it, and it need not be this one."""


def program_name(program: str) -> str:
    """The last part of a program's path, without `.exe`, in small letters if it had that."""
    name = re.split(r"[/\\]", program)[-1]
    return name[:-4].lower() if name.lower().endswith(".exe") else name


def wrapper_of(argv: Sequence[str]) -> Wrapper | None:
    """The outermost mcptap of a command line; None if it has none."""
    options = _options(argv)
    if options is None or not options.separated:
        return None
    own = len(argv) - len(options.command)
    return Wrapper(tuple(argv[:own]), tuple(argv[own:]), ours=program_name(argv[0]) == PROGRAM)


def lacks_separator(argv: Sequence[str]) -> bool:
    """Whether this tool would start a server with a command line, but nothing parts the two for certain."""
    options = _options(argv)
    return options is not None and not options.separated


def _options(argv: Sequence[str]) -> Options | None:
    """What a command line asks of `mcptap run`; None if it is none of it."""
    begin = 1 if argv and program_name(argv[0]) == PROGRAM else _behind_launcher(argv)
    arguments = list(argv[begin:])
    if not begin or not arguments:
        return None
    if arguments[0] == "run":
        arguments = arguments[1:]
    elif not arguments[0].startswith("-"):
        return None
    try:
        options = Options(arguments)
    except UserError:
        return None
    return options if options.command and not options.help else None


def layers(argv: Sequence[str]) -> int:
    """How many times mcptap stands in a command line, one in front of the other."""
    count = 0
    while (wrapper := wrapper_of(argv)) is not None:
        count += 1
        argv = wrapper.server
    return count


def server_of(argv: Sequence[str]) -> list[str]:
    """The server's own command line, behind all that stands in front of it."""
    while (wrapper := wrapper_of(argv)) is not None:
        argv = wrapper.server
    return list(argv)


def _behind_launcher(argv: Sequence[str]) -> int:
    """The index behind `mcptap` in `uvx mcptap …`, `python -m mcptap …`; 0 if it is no such command line."""
    words = [program_name(argv[0]), *argv[1:]] if argv else [""]
    if _PYTHON.fullmatch(words[0]):
        at = _first_word(words, 1, _PYTHON_WITH_VALUE, stop="-m")
        return at + 2 if words[at : at + 2] == ["-m", PROGRAM] else 0
    for launcher in _LAUNCHERS:
        if tuple(words[: len(launcher)]) == launcher:
            at = _first_word(words, len(launcher), _WITH_VALUE)
            return at + 1 if at < len(words) and _PACKAGE.fullmatch(words[at]) else 0
    return 0


def _first_word(words: Sequence[str], at: int, with_value: frozenset[str], stop: str = "") -> int:
    """The index of the first word that is no option, nor the value of one; or of the option `stop`."""
    while at < len(words) and words[at].startswith("-") and words[at] != stop:
        at += 2 if words[at] in with_value else 1
    return at
