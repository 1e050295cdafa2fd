"""The question before a command is run that stands in a recording which was not made here."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

from mcptap.commands.options import Parser
from mcptap.commands.terminal import agrees
from mcptap.errors import UserError
from mcptap.play.server.launch import Launch
from mcptap.play.server.relaunch import Relaunch
from mcptap.play.server.secrets import masked_for_question


def add_option(parser: Parser) -> None:
    """Add `--run-recorded`."""
    parser.add_argument(
        "--run-recorded",
        action="store_true",
        help="run what a recording says, though this installation did not make it, without asking",
    )


def require_consent(plan: Relaunch, path: str, run_recorded: bool) -> None:
    """Ask on the terminal if the launch is one of a recording that was not made here.

    Raises UserError if the user says no, or if there is no terminal to ask on.
    """
    if run_recorded or not plan.is_strange:
        return
    agreed = agrees(
        list(_question(plan.launch, path)),
        "Start it?",
        f"{path} was not made by this installation of mcptap, or was changed: what it says is not run "
        "without a question, and there is no terminal to ask on; --run-recorded says yes",
    )
    if not agreed:
        raise UserError("nothing was started")


def _question(launch: Launch, path: str) -> Iterator[str]:
    """All that is started and was recorded, in full: what is left out could be the worst of it.

    So of its secrets only those are masked that can be nothing else.
    """
    yield f"mcptap: {path} was not made by this installation of mcptap, or was changed."
    yield f"  command      {shlex.join(masked_for_question(launch.argv))}"
    yield f"  in           {launch.cwd or os.getcwd()}"
    if launch.env is None:
        yield "  environment  yours"
        return
    own = [name for name, value in launch.env.items() if os.environ.get(name) != value]
    for name in own:
        yield f"  environment  {name}={launch.env[name]}"
    same = [name for name in launch.env if name not in own]
    yield f"  environment  {'and ' if own else ''}as here: {', '.join(same) or 'nothing'}"
