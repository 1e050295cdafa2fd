"""`mcptap convert`: what another tool recorded or logged, as recordings of mcptap."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing

from mcptap.captures.convert import recording_of
from mcptap.captures.evidence import is_capture
from mcptap.captures.open import STDIN, Source, open_source, open_sources
from mcptap.commands.options import BOTH_SIDES, Parser
from mcptap.commands.output import tell
from mcptap.errors import UserError
from mcptap.recording.library import find
from mcptap.recording.paths import SUFFIX
from mcptap.recording.private import remove
from mcptap.text.enumeration import listed
from mcptap.text.units import counted

STDOUT = "-"
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def main(arguments: list[str]) -> int:
    """Convert a capture; return the exit status."""
    options = _parser().parse_args(arguments)
    path = find(options.capture, tell)
    if os.path.isdir(options.output):
        count = 0
        for count, source in enumerate(open_sources(path), 1):
            with closing(source):
                _write(source, _name(options.output, path, count))
        tell(f"{counted(count, 'session')} of {path}, each in a file of its own in {options.output}")
        return 0
    with closing(open_source(path)) as source:
        if options.output == STDOUT:
            sys.stdout.buffer.writelines(recording_of(source))
        else:
            _write(source, options.output)
        for note in source.evidence.assumptions:
            tell(f"assumed: {note}")
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap convert",
        description="Make a recording of what another tool recorded or logged. What that does not know "
        "stands in the header, and is not judged. Secrets are not masked: they stay in it as they are.",
    )
    parser.add_argument(
        "capture",
        metavar="FILE",
        help="a log or capture, FILE#2 for the second session in it (without a number: the last), - for "
        f"standard input, or {BOTH_SIDES}",
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE|FOLDER",
        required=True,
        help="where the recording goes: a new file, - for standard output, or a folder for all sessions of "
        "the log",
    )
    return parser


def _write(source: Source, output: str) -> None:
    """Write a new file, whole or not at all, and say what of the session is not known."""
    try:
        fd = os.open(output, _MAKE, 0o600)
    except FileExistsError:
        raise UserError(f"{output} is there already: name a new file, or remove it first") from None
    except OSError as error:
        raise UserError(f"{output}: cannot be written: {error.strerror}") from error
    try:
        with open(fd, "wb") as file:
            file.writelines(recording_of(source))
    except OSError as error:
        remove(output)
        raise UserError(f"{output}: cannot be written: {error.strerror}") from error
    except BaseException:
        remove(output)
        raise
    unknown = source.evidence.unknown
    less = f" It does not tell {listed(unknown, len(unknown))}." if unknown else ""
    kind = (
        source.evidence.origin if is_capture(source.evidence) else "a recording of mcptap, without its parts"
    )
    tell(f"{output}: from {kind}.{less}")


def _name(folder: str, path: str, number: int) -> str:
    """A name in the folder that is free."""
    stem = "standard-input" if path == STDIN else os.path.splitext(os.path.basename(path))[0]
    return next(
        name for name in _names(os.path.join(folder, f"{stem}-{number}")) if not os.path.lexists(name)
    )


def _names(stem: str) -> Iterator[str]:
    yield stem + SUFFIX
    for number in range(2, 1_000_000):
        yield f"{stem}.{number}{SUFFIX}"
