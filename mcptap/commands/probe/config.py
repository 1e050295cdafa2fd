"""The servers of clients' configurations, as their client, or another, would start them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcptap.clients.client import Client
from mcptap.clients.configs.contents import ConfigContents, ConfigProblem, Trouble, entries_of, hidden_by
from mcptap.clients.configs.entry import Obstacle, ServerEntry
from mcptap.clients.configs.expand import UnsetVariable, expand
from mcptap.clients.configs.find import FoundConfig, surroundings
from mcptap.clients.configs.given import given
from mcptap.clients.configuration import Transport
from mcptap.commands.output import tell
from mcptap.commands.terminal import agrees
from mcptap.errors import UserError
from mcptap.play.server.launch import Launch
from mcptap.play.server.secrets import masked_for_question
from mcptap.play.side_by_side.start import Start
from mcptap.play.side_by_side.trial import Trial
from mcptap.text.enumeration import listed
from mcptap.text.units import counted


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted of configurations."""

    files: Sequence[str]
    server: str | None = None
    """The name of the one entry; None: all of them."""
    owner: Client | None = None
    """The client whose configurations they are; None: told by name, folder and keys."""
    clients: Sequence[Client] = ()
    """Those that start the servers; empty: the client whose configuration it is."""
    cwd: str | None = None
    """Where the client is started; None: in the project of the file, else here."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables that the entries are to have besides their own."""


@dataclass(frozen=True, slots=True)
class Found:
    """An entry that is to be started by a client, and how."""

    entry: ServerEntry
    client: Client
    start: Start
    line: int
    """Where it stands in its file."""
    why_not: str = ""
    """Why it is not started; empty if it is."""
    is_unusable: bool = False
    """Whether that is itself wrong: the entry is malformed."""

    def trial(self) -> Trial:
        """It as a row beside others."""
        launch, report = self.start.by(self.client)
        return Trial(
            self.entry.name,
            self.client,
            self.start.home,
            launch,
            report,
            self.why_not,
            self.is_unusable,
            _as_seen_from_here(self.entry.file),
            self.line,
        )


def _as_seen_from_here(path: Path) -> str:
    """A path below the current folder as a relative one: that is how CI finds it in a checkout."""
    here = os.getcwd()
    return os.path.relpath(path, here) if path.is_relative_to(here) else str(path)


def find_servers(wanted: Wanted) -> list[Found]:
    """Each server of each file with each client, in the order of the files.

    Raises UserError if a file can't be used, or none has such a server.
    """
    found = [one for file in wanted.files for one in _of_file(file, wanted)]
    if not found:
        raise UserError(f"there is no server {wanted.server!r} in {' or '.join(wanted.files)}")
    return found


def _of_file(file: str, wanted: Wanted) -> Iterator[Found]:
    config = _read(Path(file), wanted)
    contents = entries_of(config)
    problems = "; ".join(map(_told, contents.problems))
    unread = contents.document is None or any(one.trouble is Trouble.SYNTAX for one in contents.problems)
    if unread:
        raise UserError(f"{config.path}: {problems}")
    if not contents.entries:
        raise UserError(
            f"{config.path} has no servers for {config.client.name}{problems and f': {problems}'}"
        )
    if problems:
        tell(f"{config.path}: {problems}")
    here = os.path.abspath(wanted.cwd or os.getcwd())
    hidden = hidden_by(contents.entries, here)
    named = [entry for entry in contents.entries if wanted.server in (None, entry.name)]
    if not named and len(wanted.files) == 1:
        names = listed([entry.name for entry in contents.entries], 12)
        raise UserError(f"{config.path} has no server {wanted.server!r}; it has {names}")
    for entry in named:
        for client in wanted.clients or [config.client]:
            yield _found(entry, client, config, contents, wanted, hidden.get(entry))


def _told(problem: ConfigProblem) -> str:
    place = f" (line {problem.line}, column {problem.column})" if problem.line else ""
    return problem.sentence + place


def _read(path: Path, wanted: Wanted) -> FoundConfig:
    """The configuration as its own client reads it; if it may be that of several, as the one to be played."""
    around = surroundings()
    if wanted.owner is not None:
        return given(path, wanted.owner, around)
    try:
        return given(path, None, around)
    except UserError:
        if len(wanted.clients) != 1 or not path.exists():
            raise
        return given(path, wanted.clients[0], around)


def _found(
    entry: ServerEntry,
    client: Client,
    config: FoundConfig,
    contents: ConfigContents,
    wanted: Wanted,
    winner: ServerEntry | None,
) -> Found:
    folder = os.path.abspath(wanted.cwd or entry.project or _project(config) or os.getcwd())
    assert contents.document is not None
    line, _ = contents.document.position(max(entry.node.start, 0))
    why_not = _why_not(entry, winner, folder, is_named=wanted.server is not None)
    expanded = expand(entry, client, os.environ, folder, read_files=not why_not)
    remarks = [_words(one, client) for one in expanded.unset]
    if entry.disabled:
        remarks.append(f"the entry is disabled: {client.name} does not start it")
    start = Start(
        Launch(expanded.argv or [""], folder),
        {**expanded.env, **wanted.env},
        expanded.cwd or entry.cwd,
        remarks,
    )
    return Found(entry, client, start, line, why_not, bool(why_not) and why_not == entry.problem)


def _words(unset: UnsetVariable, client: Client) -> str:
    becomes = "what becomes of it is not known" if unset.becomes is None else f"it {unset.becomes.value}"
    return f"{unset.text} in {unset.where} has no value that {client.name} would find; {becomes}"


def _project(config: FoundConfig) -> str:
    """The folder of the project in whose configuration it stands; empty if it is the user's own."""
    for file in config.files:
        parts = Path(file.path).parts
        if file.shared and parts and config.path.parts[-len(parts) :] == parts:
            return str(config.path.parents[len(parts) - 1])
    return ""


def _why_not(entry: ServerEntry, winner: ServerEntry | None, folder: str, *, is_named: bool) -> str:
    if entry.transport.is_remote:
        how = "a URL" if entry.transport is Transport.REMOTE else entry.transport.value.upper()
        return f"reached by {how}; mcptap looks at stdio"
    if entry.transport in (Transport.BUILTIN, Transport.EXTENSION):
        return f"{entry.transport.value}: its command is not in the file"
    if entry.disabled and not is_named:
        return "disabled; --server starts it all the same"
    if winner is not None:
        return f"another entry of this name is used ({winner.scope})"
    if entry.obstacle is Obstacle.REFERENCE:
        return f"{entry.problem}, which mcptap does not follow"
    if entry.obstacle and entry.obstacle is not Obstacle.REPEATED:
        return entry.problem
    if not os.path.isdir(folder):
        return f"there is no folder {folder}"
    return ""


def require_consent(found: Sequence[Found], yes: bool) -> None:
    """Show what would be started, and ask on the terminal. Raises UserError if it is not wanted.

    A configuration may be a stranger's, so it is asked wherever it lies.
    """
    todo = [one for one in found if not one.why_not]
    if yes or not todo:
        return
    files = list(dict.fromkeys(str(one.entry.file) for one in todo))
    agreed = agrees(
        list(_question(todo)),
        "Start?",
        f"{listed(files)} may be a stranger's: what a configuration says is not run without a question, and "
        "there is no terminal to ask on; --yes says yes",
    )
    if not agreed:
        raise UserError("nothing was started")


def _question(todo: Sequence[Found]) -> Iterator[str]:
    """All commands, with what can be nothing but a secret masked; each once, whichever clients start it."""
    shown: dict[tuple[str, ...], None] = {}
    for one in todo:
        launch, _ = one.start.by(one.client)
        variables = [f"{name}={value}" for name, value in one.start.entry.items()]
        words = masked_for_question(["env", *variables, *launch.argv])
        lines = [
            f"  {one.entry.name}: {shlex.join(words[len(variables) + 1 :])}",
            f"    in {launch.cwd}",
            *(f"    with {variable}" for variable in words[1 : len(variables) + 1]),
        ]
        shown.setdefault(tuple(lines))
    files = dict.fromkeys(str(one.entry.file) for one in todo)
    yield f"mcptap: {counted(len(shown), 'command')} of {listed(list(files))}"
    for lines_of_one in shown:
        yield from lines_of_one
