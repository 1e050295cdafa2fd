"""What `wrap`, `unwrap` and `setup` share: options, the change as a diff, the question, the writing."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from mcptap.commands.options import Parser, add_configurations
from mcptap.commands.output import print_lines, tell
from mcptap.commands.terminal import agrees
from mcptap.errors import UserError
from mcptap.text.escape import visible
from mcptap.text.paragraphs import hanging
from mcptap.text.terminal import Terminal
from mcptap.text.units import counted

if TYPE_CHECKING:
    from mcptap.clients.configs.find import Surroundings
    from mcptap.setup.changes import FileChange
    from mcptap.setup.choice import Candidate
    from mcptap.setup.opened import Configurations


def add_selection(parser: Parser) -> None:
    """Add the options that say where servers are looked for."""
    add_configurations(parser, and_so=". It is changed also if others share it")
    parser.add_argument(
        "--scope",
        metavar="SCOPE",
        default="",
        help="only in this scope (user, local, project …), or in that of the project in this folder",
    )


def add_options(parser: Parser, verb: str) -> None:
    """Add the options that say which entries are meant, and how they are changed."""
    parser.add_argument("servers", nargs="*", metavar="SERVER", help=f"{verb} the servers of these names")
    add_selection(parser)
    parser.add_argument("--dry-run", action="store_true", help="show the changes and write nothing")
    parser.add_argument("--yes", "-y", action="store_true", help="write without asking")


def open_meant(options: Namespace, around: Surroundings) -> Configurations:
    """The configurations that the options mean. Raises UserError; what can't be read of all is said."""
    from mcptap.clients.configs.given import named_client
    from mcptap.setup.opened import open_found, open_named

    client = named_client(options.client)
    if options.config:
        return open_named(options.config, client, around)
    return open_found(client, around)


def locked(options: Namespace) -> AbstractContextManager[None]:
    """The lock for reading and writing at once, if nobody is asked in between."""
    from mcptap.setup.state import lock

    return lock(tell) if options.yes and not options.dry_run else nullcontext()


def refusal(options: Namespace, troubles: list[str]) -> Callable[[UserError], None]:
    """What is done about what can't be changed: of all it is left and said, of those named it is an error."""

    def refused(error: UserError) -> None:
        if getattr(options, "servers", ()):
            raise error
        troubles.append(str(error))

    return refused


def show_left(left: Sequence[Candidate]) -> None:
    """Say what is left as it is, and why."""
    if left:
        print("left as they are:")
        print_lines(f"  {visible(one.label)} {visible(one.reason)}" for one in left)


def show(files: Sequence[FileChange]) -> None:
    """Show the changes, with masks for secrets."""
    terminal = Terminal(sys.stdout)
    for file in files:
        print(terminal.paint(visible(file.target.shown), "bold"))
        for line in _lines(file):
            sign = line.lstrip()[:1]
            style = {"+": "server", "-": "error"}.get(sign, "plain") if line.startswith("    ") else "plain"
            for piece in hanging(line, terminal.width, 8):
                print(terminal.paint(piece, style))


def _lines(file: FileChange) -> Iterator[str]:
    from mcptap.recording import made_here
    from mcptap.setup.shown import changed_lines

    masker = made_here.masker()
    for change, after in zip(file.changes, file.after, strict=True):
        candidate = change.candidate
        document, command = candidate.opened.document, candidate.entry.command_node
        assert command is not None
        line, _ = document.position(command.start)
        note = f": {change.note}" if change.note else ""
        yield f"  {visible(candidate.label)}, line {line}{visible(note)}"
        yield from (
            f"    {row}" for row in changed_lines((document, candidate.entry), (file.document, after), masker)
        )


def write(files: Sequence[FileChange], options: Namespace, question: str) -> bool:
    """Ask if need be, and make the changes; whether they were made. Raises UserError."""
    from mcptap.setup.state import lock

    if options.dry_run:
        tell("nothing is written: this was a dry run")
        return False
    if options.yes:
        _make(files)  # with the lock that was taken before the files were read
        return True
    sys.stdout.flush()
    how = "--yes says yes, --dry-run shows the changes only"
    if not hasattr(options, "servers"):  # setup, which has neither
        how = "mcptap wrap has --yes"
    agreed = agrees(
        (), question, f"nothing is written without a yes, and there is no terminal to ask on; {how}"
    )
    if not agreed:
        raise UserError("nothing was changed")
    with lock(tell):
        _make(files)
    return True


def _make(files: Sequence[FileChange]) -> None:
    for done, file in enumerate(files):
        try:
            backup = file.make()
        except UserError as error:
            others = f" ({counted(done, 'other file')} changed before)" if done else ""
            raise UserError(f"{error}{others}", *error.details) from error
        servers = counted(len(file.changes), "server")
        print_lines([f"wrote {visible(file.target.shown)} ({servers}); as it was: {visible(backup)}"])


def tell_troubles(troubles: Sequence[str]) -> None:
    """Say what could not be read, and was left."""
    for trouble in troubles:
        tell(trouble)


def tell_what_is_needed(files: Sequence[FileChange]) -> None:
    """Say for each client what it needs so that it uses the changed entries."""
    clients = {
        change.candidate.entry.client.id: change.candidate.entry.client
        for file in files
        for change in file.changes
    }
    for client in clients.values():
        needs = client.configuration.after_change.value
        print_lines(
            [f"{client.name}: {needs or 'start it anew, if it does not notice the change by itself'}"]
        )
