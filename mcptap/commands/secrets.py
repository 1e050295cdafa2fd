"""Values of masked words of a recorded command: from variables of the user's, or typed on the terminal."""

from __future__ import annotations

import os
from collections.abc import Sequence

from mcptap.commands.options import Parser
from mcptap.commands.terminal import ask
from mcptap.errors import UserError
from mcptap.play.server.launch import Launch
from mcptap.play.server.relaunch import Relaunch
from mcptap.play.server.secrets import PRIVATE, MaskedValue


def add_option(parser: Parser) -> None:
    """Add `--secret`."""
    parser.add_argument(
        "--secret",
        action="append",
        default=[],
        metavar="NAME=VARIABLE",
        help="this environment variable has the value of a masked word of the recorded command; NAME is "
        "its option, variable, header or position (may be given again; what is missing is asked for on "
        "the terminal)",
    )


def fill_in(plan: Relaunch, given: Sequence[str]) -> Launch:
    """The launch with all its secrets. Raises UserError if one is not known, or `--secret` is wrong."""
    values: dict[str, str] = {}
    for text in given:
        name, equals, variable = text.partition("=")
        if not name or not equals or not variable:
            raise UserError(
                "--secret takes NAME=VARIABLE: what is masked, and the environment variable that has its "
                "value (never the value itself, which others could see in the list of processes)"
            )
        mask = _called(name, plan.needed).mask
        value = os.environ.pop(variable, None) if variable.startswith(PRIVATE) else os.environ.get(variable)
        if value is None:
            raise UserError(f"--secret {name}: there is no environment variable {variable}")
        values[mask] = value
    for masked in plan.needed:
        if masked.mask not in values:
            values[masked.mask] = _asked(masked, plan.needed)
    return plan.with_secrets(values)


def _called(name: str, needed: Sequence[MaskedValue]) -> MaskedValue:
    found = [masked for masked in needed if masked.is_called(name)]
    if len(found) == 1:
        return found[0]
    there = ", ".join(masked.words for masked in needed)
    if found:
        raise UserError(f"--secret {name}: several masked values are called so; give one of {there}")
    if not needed:
        raise UserError(f"--secret {name}: no value of the command is masked")
    raise UserError(f"--secret {name}: no masked value is called so; there is {there}")


def _asked(masked: MaskedValue, needed: Sequence[MaskedValue]) -> str:
    all_of_them = ", ".join(each.words for each in needed)
    typed = ask(
        (),
        f"mcptap: value of {masked.words}, recorded as {masked.mask}: ",
        f"the recording does not hold the value of {all_of_them}, and there is no terminal to ask on; "
        f"give it with --secret {masked.names[0].lstrip('-')}=VARIABLE, or the whole command behind --",
        hidden=True,
    )
    if not typed:
        raise UserError("nothing was started")
    return typed
