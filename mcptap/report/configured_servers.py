"""The servers in the configurations of clients, as a table and as JSON."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcptap.captures.summary import Summary
from mcptap.clients.configs.contents import ConfigContents, Trouble, hidden_by
from mcptap.clients.configs.entry import ServerEntry
from mcptap.clients.configs.expand import expand
from mcptap.clients.configs.find import local_folder
from mcptap.clients.configs.nodes import Kind, at
from mcptap.clients.configs.wrapping import server_of
from mcptap.clients.configuration import EntryForm, Transport
from mcptap.masking.masker import Masker
from mcptap.report.last_recordings import CommandLine, LastRecordings
from mcptap.report.recordings import problems_of
from mcptap.text.escape import visible
from mcptap.text.paragraphs import hanging
from mcptap.text.table import Column, Row, table
from mcptap.text.terminal import Terminal
from mcptap.text.units import date_time, when

COLUMNS = (
    Column("  SERVER", least=12),
    Column("STATE", least=9),
    Column("COMMAND", least=16),
    Column("RECORDED", least=8),
    Column("PROBLEMS", least=8),
)
REMOTE = "what is reached by a URL is left as it is: mcptap stands in front of servers on stdio"


@dataclass(frozen=True, slots=True)
class ListedServer:
    """An entry with what is known of it here."""

    entry: ServerEntry
    hidden_by: ServerEntry | None
    recording: Summary | None
    """Its last session."""
    elsewhere: bool
    """Whether it counts in another folder alone."""


@dataclass(frozen=True, slots=True)
class ListedConfig:
    """A configuration that is there, with its servers."""

    contents: ConfigContents
    servers: Sequence[ListedServer]


def listed(
    every: Sequence[ConfigContents], recordings: LastRecordings, environ: Mapping[str, str], cwd: str
) -> list[ListedConfig]:
    """Configurations with, for each server, which other hides it in this folder, and its last recording."""
    hidden = hidden_by((entry for contents in every for entry in contents.entries), cwd)
    local = str(local_folder(Path(cwd)))
    return [
        ListedConfig(
            contents,
            [
                ListedServer(
                    entry,
                    hidden.get(entry),
                    recordings.of(_command_line(entry, environ, cwd)),
                    entry.project not in ("", local),
                )
                for entry in contents.entries
            ],
        )
        for contents in every
    ]


def _command_line(entry: ServerEntry, environ: Mapping[str, str], cwd: str) -> CommandLine:
    """The server's own command line as its client would start it, without mcptap."""
    expanded = expand(entry, entry.client, environ, entry.project or cwd, read_files=False)
    return CommandLine(server_of(expanded.argv), [one.text for one in expanded.unset])


def as_lines(
    configs: Sequence[ListedConfig], terminal: Terminal, masker: Masker | None, home: str
) -> list[str]:
    """The table: a heading for each file, and below each server what there is to say of it."""
    rows = [_row(server, terminal, masker) for config in configs for server in config.servers]
    titles, *lines = table(COLUMNS, rows, terminal)
    rest = iter(lines)
    printed: list[str] = [titles] if rows else []
    for config in configs:
        found = config.contents.found
        heading = f"{found.client.name}, {found.scope}: {_short(str(found.path), home)}"
        printed += ["", *_broken(visible(heading), terminal, "bold")]
        for problem in config.contents.problems:
            place = f" (line {problem.line}, column {problem.column})" if problem.line else ""
            style = "dim" if problem.trouble is Trouble.EMPTY else "warning"
            printed += _broken(f"  {visible(problem.sentence)}{place}", terminal, style)
        if not config.servers and not config.contents.problems:
            printed.append(terminal.paint("  no servers", "dim"))
        for server in config.servers:
            printed.append(next(rest))
            for note in _notes(server, home):
                printed += _broken(f"    {visible(note)}", terminal, "dim")
    if any(server.entry.transport.is_remote for config in configs for server in config.servers):
        printed += ["", *_broken(REMOTE, terminal, "dim")]
    return printed if rows else printed[1:]


def _broken(text: str, terminal: Terminal, style: str) -> Iterator[str]:
    hang = len(text) - len(text.lstrip(" ")) + 2
    for line in hanging(text, terminal.width, hang):
        yield terminal.paint(line, style)


def _short(path: str, home: str) -> str:
    """A path with `~` for the home folder."""
    return "~" + path[len(home) :] if home not in ("", os.sep) and path.startswith(home + os.sep) else path


def _row(server: ListedServer, terminal: Terminal, masker: Masker | None) -> Row:
    entry = server.entry
    state, style = state_of(entry)
    summary = server.recording
    problems, problem_style = problems_of(summary) if summary else ("", "dim")
    started = "never"
    if summary:
        started = when(summary.start_wall_us) if terminal.width else date_time(summary.start_wall_us)
    elif entry.transport is not Transport.STDIO:
        started = ""
    cells = ["  " + entry.name, state, _what(entry, masker), started, problems]
    styles = [
        "bold",
        style,
        "dim" if server.hidden_by or server.elsewhere or entry.disabled else "plain",
        "dim",
        problem_style,
    ]
    return Row([visible(cell) for cell in cells], styles)


def state_of(entry: ServerEntry) -> tuple[str, str]:
    """Whether mcptap stands in front of a server, or why it can't, in a word or two, and the style for it."""
    if entry.obstacle:
        return "malformed", "warning"
    if entry.transport is not Transport.STDIO:
        return entry.transport.value, "dim"
    if entry.layers > 1:
        return f"wrapped ×{entry.layers}", "warning"
    return ("wrapped", "server") if entry.layers else ("not wrapped", "plain")


def _what(entry: ServerEntry, masker: Masker | None) -> str:
    """The server's own command line, or its URL."""
    if entry.argv:
        argv = server_of(entry.argv)
        return shlex.join(argv if masker is None else masker.argv(argv))
    url = url_of(entry)
    return url if masker is None else masker.text(url)


def url_of(entry: ServerEntry) -> str:
    """The URL of a remote server; empty if it has none."""
    form = entry.client.configuration.form.value or EntryForm()
    for key in form.url:
        node = at(entry.holder or entry.node, key)
        if node is not None and node.kind is Kind.STRING:
            return str(node.value)
    return ""


def _notes(server: ListedServer, home: str) -> Iterator[str]:
    entry = server.entry
    if entry.problem:
        yield entry.problem
    if entry.disabled:
        yield "switched off"
    if entry.project:
        yield f"{'not used here: ' * server.elsewhere}only in {_short(entry.project, home)}"
    if server.hidden_by is not None and not entry.repeated:
        winner = server.hidden_by
        yield f"not used here: hidden by that of {winner.scope} scope in {_short(str(winner.file), home)}"
    elif server.hidden_by is not None:
        yield "not used: the last of this name counts"
    wrapper = entry.wrapper
    if wrapper is not None and not wrapper.ours:
        yield f"mcptap is started by {os.path.basename(wrapper.words[0])}, and may be another than this one"


def as_object(config: ListedConfig, masker: Masker | None) -> dict[str, Any]:
    """One configuration as JSON. `masker`: for secrets."""
    found = config.contents.found
    return {
        "client": found.client.id,
        "scope": found.scope,
        "file": str(found.path),
        "shared": found.shared,
        "problems": [
            {
                "what": problem.trouble.value,
                "sentence": problem.sentence,
                "line": problem.line or None,
                "column": problem.column or None,
            }
            for problem in config.contents.problems
        ],
        "servers": [_server_object(server, masker) for server in config.servers],
    }


def _server_object(server: ListedServer, masker: Masker | None) -> dict[str, Any]:
    entry, winner, summary = server.entry, server.hidden_by, server.recording
    url = url_of(entry)
    return {
        "server": entry.name,
        "scope": entry.scope,
        "where": list(entry.where),
        "project": entry.project or None,
        "elsewhere": server.elsewhere,
        "transport": entry.transport.value,
        "state": "wrapped" if entry.layers else state_of(entry)[0],
        "argv": entry.argv if masker is None else masker.argv(entry.argv),
        "url": (url if masker is None else masker.text(url)) or None,
        "wrapped": entry.layers > 0,
        "layers": entry.layers,
        "by_this_tool": entry.wrapped,
        "disabled": entry.disabled,
        "problem": entry.problem or None,
        "hidden_by": winner and {"file": str(winner.file), "where": list(winner.where)},
        "recording": summary
        and {
            "path": summary.path,
            "start": summary.header.fields.get("start"),
            "outcome": summary.outcome or None,
            "problems": None if summary.problems is None else dict(summary.problems),
        },
    }
