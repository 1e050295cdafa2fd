"""`mcptap probe -- COMMAND`: question a server as a client would, and as none would."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcptap.commands.checking.expecting import expected_by
from mcptap.commands.checking.settings import load
from mcptap.commands.forms.choice import TEXT
from mcptap.commands.locking.option import load_lock
from mcptap.commands.output import tell
from mcptap.commands.probe.options import (
    allowed_by,
    client_of,
    connection_settings,
    entry_variables,
    parser,
    start_of,
)
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.clients.client import Client
    from mcptap.commands.probe.config import Found
    from mcptap.play.side_by_side.start import Start
    from mcptap.play.side_by_side.trial import Trial
    from mcptap.protocol.expectations.expectation import Expectation

ALL, LIST = "all", "list"
"""What `--as` takes beside the ids of clients."""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    options = parser().parse_args(arguments)
    if options.client == LIST:
        _list_clients()
        return 0
    allowed_by(options)  # what is wrong there is said before anything is asked
    if options.config:
        return _configured(options)
    for name in ("server", "owner"):
        if getattr(options, name) is not None:
            raise UserError("--server and --client are about a configuration; name its file with --config")
    if options.client == ALL:
        from mcptap.commands.probe.many import as_all

        _refuse_for_many(options, "--as all compares clients", "name one client")
        start = start_of(options)
        return _many(options, as_all(start), start)
    client = None if options.client is None else client_of(options.client)
    return _one(options, start_of(options), client)


def _configured(options: argparse.Namespace) -> int:
    """Servers of a configuration: all of them side by side, or the one that is named in full."""
    from mcptap.commands.probe.config import require_consent

    others = {"the command": options.command, "--like": options.like, "--secret": options.secret}
    for name, given in others.items():
        if given:
            raise UserError(f"--config says how the server is started; leave out {name}")
    found = _servers_of(options)
    if options.server is not None and len(found) == 1:
        [one] = found
        if one.why_not:
            raise UserError(f"{one.entry.name} in {one.entry.file} can't be started: {one.why_not}")
        require_consent(found, options.yes)
        return _one(options, one.start, one.client)
    _refuse_for_many(options, "these are several servers or clients", "name one with --server and --as")
    require_consent(found, options.yes)
    return _many(options, [one.trial() for one in found], found[0].start)


def _servers_of(options: argparse.Namespace) -> list[Found]:
    from mcptap.commands.probe.config import Wanted, find_servers
    from mcptap.commands.probe.many import known_clients

    clients = known_clients() if options.client == ALL else []
    if options.client not in (None, ALL):
        clients = [client_of(options.client)]
    owner = None if options.owner is None else client_of(options.owner)
    wanted = Wanted(options.config, options.server, owner, clients, options.cwd, entry_variables(options))
    return find_servers(wanted)


def _refuse_for_many(options: argparse.Namespace, why: str, instead: str) -> None:
    """Refuse what asks one server as one client alone."""
    given = [
        option
        for option, value in (
            ("--watch", options.watch),
            ("--cancel", options.cancel),
            ("--call-read-only", options.call_read_only),
            ("--wrong-arguments", options.wrong_arguments),
            ("--lock", options.lock),
            ("--call", options.config and options.call),
            *((f"--{one.name}", True) for one in options.expected),
        )
        if value
    ]
    if given:
        raise UserError(f"{why}; leave out {' and '.join(dict.fromkeys(given))}, or {instead}")


def _many(options: argparse.Namespace, trials: list[Trial], start: Start) -> int:
    from mcptap.commands.probe.many import probe_many
    from mcptap.play.probe.observation import Call

    if _standing(options):
        tell("what the settings file expects is not judged: these are several servers or clients")

    return probe_many(
        trials,
        connection_settings(options, start.own),
        [Call(call.name, call.arguments) for call in allowed_by(options).calls],
        all_calls=options.repeat_calls,
        form=options.format,
        unmasked=options.unmasked,
        is_kept=options.is_kept,
        also=options.also,
    )


def _one(options: argparse.Namespace, start: Start, client: Client | None) -> int:
    from mcptap.commands.probe.one import OneProbe, masker_for, run

    lock = None if options.lock is None else load_lock(options.lock)
    probe = OneProbe(
        start,
        client,
        connection_settings(options, start.own),
        allowed_by(options),
        repeat_calls=options.repeat_calls,
        is_kept=options.is_kept,
        expectations=expected_by(options, _standing(options)),
        lock=lock,
    )
    masker = masker_for([start.own], options.unmasked)
    if options.watch is None:
        return run(probe, options.format, masker, options.also)
    if options.format != TEXT or options.also:
        other = "also" if options.format == TEXT else options.format
        raise UserError(f"--watch goes on and on, and prints text; leave out --{other}")
    from mcptap.commands.probe.watching import watch

    return watch(options.watch, options.record, probe, masker)


def _standing(options: argparse.Namespace) -> Sequence[Expectation]:
    """What the settings of the project expect of every server."""
    return () if options.no_config else load(os.getcwd(), tell).expected


def _list_clients() -> None:
    from mcptap.clients.table import CLIENTS

    for client in CLIENTS.values():
        print(f"{client.id:17} {client.description}")
