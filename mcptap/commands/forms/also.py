"""The report in further forms, each to a file: one run serves people, CI and its artefacts."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mcptap.errors import UserError
from mcptap.report import formats
from mcptap.text.terminal import Terminal


@dataclass(frozen=True, slots=True)
class Also:
    """A form, and the file that it is written to."""

    form: str
    path: str


def add_also(parser: ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        type=_also,
        metavar="FORM=FILE",
        help=f"write the report to FILE as well, as {', '.join(formats.NAMES)} (may be given again)",
    )


def _also(text: str) -> Also:
    form, equals, path = text.partition("=")
    if form not in formats.NAMES or not equals or not path:
        raise ArgumentTypeError(f"{text!r} is not FORM=FILE, with {', '.join(formats.NAMES)} as the form")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise ArgumentTypeError(f"there is no folder {os.path.dirname(path)!r} for {os.path.basename(path)}")
    return Also(form, path)


def write_also(wanted: Iterable[Also], lines: Callable[[str, Terminal], Iterable[str]]) -> None:
    """Write each file: `lines` gives those of a form. Raises UserError if one can't be written."""
    for one in wanted:
        beside = f"{one.path}.{os.getpid()}.part"
        try:
            with open(beside, "w", encoding="utf-8") as file:
                for line in lines(one.form, Terminal(file)):
                    file.write(f"{line}\n")
            os.replace(beside, one.path)
        except OSError as error:
            if os.path.exists(beside):
                os.unlink(beside)
            raise UserError(f"{one.path} cannot be written: {error.strerror}") from error
