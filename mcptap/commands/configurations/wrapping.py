"""mcptap put in front of servers that were chosen, by `wrap` or `setup`: shown, asked, and written."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mcptap.commands.configurations.changes import (
    refusal,
    show,
    show_left,
    tell_troubles,
    tell_what_is_needed,
    write,
)
from mcptap.commands.options import Parser
from mcptap.commands.output import tell
from mcptap.text.units import counted

if TYPE_CHECKING:
    from mcptap.clients.configs.entry import ServerEntry
    from mcptap.clients.configs.find import Surroundings
    from mcptap.setup.changes import FileChange
    from mcptap.setup.choice import Candidate
    from mcptap.setup.opened import Opened
    from mcptap.setup.own_command import OwnCommand


def wrap_chosen(
    options: Namespace, chosen: Sequence[Candidate], left: Sequence[Candidate] = ()
) -> tuple[int, list[FileChange]]:
    """Show, ask and write; return the exit status, and what was written. Raises UserError."""
    from mcptap.setup.changes import planned, wrap_change

    own = _own(options)
    run_options = ["--divert"] if options.divert else []
    troubles: list[str] = []
    files = planned(
        chosen,
        lambda one: wrap_change(one, own.words, run_options),
        wraps=True,
        refused=refusal(options, troubles),
    )
    tell_troubles(troubles)
    status = 1 if troubles else 0
    show(files)
    show_left(left)
    if not files:
        tell("there is no server that mcptap could be put in front of; mcptap clients lists what there is")
        return status, []
    _warn(own, files)
    count = counted(sum(len(file.changes) for file in files), "server")
    if not write(files, options, f"Put mcptap in front of {count}?"):
        return status, []
    tell_what_is_needed(files)
    return status, files


def _own(options: Namespace) -> OwnCommand:
    from mcptap.setup.own_command import NAME, named_command, own_command

    if options.portable:
        return named_command(NAME)
    return named_command(options.mcptap) if options.mcptap else own_command(os.environ)


def reason(options: Namespace, around: Surroundings) -> Callable[[Opened, ServerEntry], str]:
    """Why an entry is left as it is."""
    from mcptap.setup.reasons import why_not_wrapped, why_shared

    def why(opened: Opened, entry: ServerEntry) -> str:
        first = why_not_wrapped(entry, str(around.cwd))
        return first or ("" if options.config else why_shared(opened.target.resolved, entry))

    return why


def _warn(own: OwnCommand, files: list[FileChange]) -> None:
    """Say what may go wrong later."""
    if own.warning:
        tell(own.warning)
    bare = os.path.basename(own.words[0]) == own.words[0]
    for file in files:
        entries = [change.candidate.entry for change in file.changes]
        if bare:
            hidden = [entry.name for entry in entries if "PATH" in (entry.env or {})]
            if hidden:
                tell(f"{', '.join(hidden)}: the entry's env sets PATH, and mcptap is looked for there")
        if not entries[0].shared:
            continue
        others = (
            "everybody who uses it needs mcptap on the PATH that their client gives"
            if bare
            else f"others do not have {own.words[0]}; --portable writes the bare name mcptap"
        )
        tell(f"{file.target.path} is a project's file, which others share: {others}")
        client = entries[0].client
        scope = client.configuration.personal_scope_above(entries[0].rank[0])
        if scope:
            tell(
                f"an entry of the same name in {scope} scope is what {client.name} uses in its place: "
                f"with a copy there, mcptap wrap --scope {scope} leaves the shared file as it is"
            )


def add_form(parser: Parser) -> None:
    """Add the options that say what is written for mcptap."""
    parser.add_argument(
        "--portable",
        action="store_true",
        help="write the bare name mcptap in place of the path of this one, for a file that others share",
    )
    parser.add_argument("--mcptap", metavar="PATH", help="write this path in place of that of this mcptap")
    parser.add_argument(
        "--divert",
        action="store_true",
        help="lines that are no messages go to stderr in place of the client (mcptap run --divert)",
    )
