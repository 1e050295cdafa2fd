"""`mcptap unwrap`: take mcptap out of clients' configurations again."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

from mcptap.commands.configurations.changes import (
    add_options,
    locked,
    open_meant,
    refusal,
    show,
    show_left,
    tell_troubles,
    tell_what_is_needed,
    write,
)
from mcptap.commands.options import Parser
from mcptap.commands.output import print_lines, tell
from mcptap.errors import UserError
from mcptap.text.escape import visible
from mcptap.text.units import counted

if TYPE_CHECKING:
    from mcptap.clients.configs.entry import ServerEntry
    from mcptap.clients.configs.find import Surroundings
    from mcptap.setup.choice import Candidate
    from mcptap.setup.opened import Configurations, Opened
    from mcptap.setup.records import Wrapped


def main(arguments: list[str]) -> int:
    """Take mcptap out; return the exit status."""
    options = _parser().parse_args(arguments)
    if options.all and options.servers:
        raise UserError("unwrap was told both --all and names of servers; leave one of them out")
    if not options.all and not options.servers:
        raise UserError("unwrap needs the names of servers, or --all; mcptap clients lists what there is")
    from mcptap.clients.configs.find import surroundings
    from mcptap.setup.changes import planned, unwrap_change
    from mcptap.setup.choice import candidates, choose

    around = surroundings()
    with locked(options):
        configurations = _opened(options, around)
        every = candidates(configurations.opened, options.scope, _reason)
        choice = choose(_meant(every, options.servers), options.servers, "server")
        # Before the changes are worked out, which take up what is on record then.
        _forget(configurations.opened, options)
        troubles = configurations.troubles
        files = planned(choice.chosen, unwrap_change, wraps=False, refused=refusal(options, troubles))
        tell_troubles(troubles)
        show(files)
        show_left([one for one in choice.left if _is_told(one)])
        status = 1 if troubles else 0
        if not files:
            tell("nothing is taken out" if choice.chosen else "no server here is behind mcptap")
            return status
        count = sum(len(file.changes) for file in files)
        if not write(files, options, f"Take mcptap out from in front of {counted(count, 'server')}?"):
            return status
    tell_what_is_needed(files)
    _tell_what_stays()
    return status


def _opened(options: Namespace, around: Surroundings) -> Configurations:
    """What the options mean; of all files, those on record in other folders as well."""
    import os

    from mcptap.clients.configs.given import named_client
    from mcptap.setup.opened import open_recorded
    from mcptap.setup.records import all_records

    configurations = open_meant(options, around)
    if options.config:
        return configurations
    client = named_client(options.client)
    known = {one.target.resolved for one in configurations.opened}
    elsewhere = []
    for record in all_records():
        if not os.path.lexists(record.file):
            names = ", ".join(entry.name for entry in record.entries)
            tell(f"{record.file}, where mcptap was put in front of {names}, is gone: nothing to take out")
            _strike(record.file, record.entries, options)
        elif record.file not in known:
            elsewhere.append(record)
    more = open_recorded(elsewhere, around)
    configurations.opened += [
        one for one in more.opened if client is None or one.contents.found.client is client
    ]
    configurations.troubles += more.troubles
    return configurations


def _reason(opened: Opened, entry: ServerEntry) -> str:
    """Why an entry is left as it is: its command line says so, and it is not as it was written either."""
    from mcptap.setup.changes import is_as_written
    from mcptap.setup.choice import Candidate
    from mcptap.setup.reasons import why_not_unwrapped

    why = why_not_unwrapped(entry)
    return "" if why and is_as_written(Candidate(opened, entry)) else why


def _meant(every: list[Candidate], names: list[str]) -> list[Candidate]:
    """Without those of a name that are not behind mcptap, where one is."""
    behind = {one.entry.name for one in every if not one.reason}
    return [one for one in every if not names or not one.reason or one.entry.name not in behind]


def _is_told(candidate: Candidate) -> bool:
    """Whether the user may wonder why an entry is left: it names an mcptap."""
    from mcptap.clients.configs.wrapping import PROGRAM

    return any(PROGRAM in word for word in candidate.entry.argv)


def _forget(opened: list[Opened], options: Namespace) -> None:
    """Say which entries were put behind mcptap and are not any more, or are gone; they go off the record."""
    from mcptap.setup.changes import is_as_written
    from mcptap.setup.choice import Candidate
    from mcptap.setup.records import record_of

    over: dict[str, list[Wrapped]] = {}
    for one in opened:
        record = record_of(one.target.resolved)
        for entry in record.entries:
            if entry.client != one.contents.found.client.id:
                continue
            same = [here for here in one.contents.entries if record.of(here.where, here.name) == entry]
            if any(here.layers or is_as_written(Candidate(one, here)) for here in same):
                continue
            became = "does not stand behind it any more" if same else "is not there any more"
            tell(
                f"{one.target.path}: mcptap was put in front of {entry.name}, which {became}: "
                "there is nothing to take out"
            )
            over.setdefault(one.target.resolved, []).append(entry)
    for resolved, entries in over.items():
        _strike(resolved, entries, options)


def _strike(resolved: str, entries: Sequence[Wrapped], options: Namespace) -> None:
    """Take entries of a file off the record."""
    from mcptap.setup.records import keep, record_of
    from mcptap.setup.state import lock

    if not options.dry_run:
        with nullcontext() if options.yes else lock(tell):  # with --yes it is held already
            keep(record_of(resolved).without(entries))


def _tell_what_stays() -> None:
    import os

    from mcptap.recording.paths import default_folders
    from mcptap.setup.state import setup_folder

    recordings = default_folders(os.environ)[0]
    backups = os.path.join(setup_folder(), "backups")
    print_lines([f"recordings stay in {visible(recordings)}, backups in {visible(backups)}"])


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap unwrap",
        description="Take mcptap out from in front of servers: an entry that is as mcptap wrote it gets its "
        "very bytes back, one that was edited since is rebuilt and keeps the edits.",
    )
    add_options(parser, "unwrap")
    parser.add_argument(
        "--all", action="store_true", help="all servers that are behind mcptap, in all files known"
    )
    return parser
