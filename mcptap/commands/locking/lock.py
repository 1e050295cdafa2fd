"""`mcptap lock`: keep what a server offers as approved, or say what is not as it was approved."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mcptap.commands.options import Parser, add_unmasked, seconds
from mcptap.commands.output import print_lines, tell
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.commands.locking.seen import Seen
    from mcptap.masking.masker import Masker
    from mcptap.protocol.contract.lock import LockedServer

SAME, DIFFERENT = 0, 1
"""The exit statuses."""
ALL = ""
"""What `--update` approves without a name."""

DESCRIPTION = """Write down what a server offers, in mcptap.lock: tools, prompts, resources, instructions,
with hashes of their words, of their contract and of what they say they may do, and what tools cost a model.
Commit the file: mcptap check --lock and mcptap probe --lock say what differs from it, and in which class.

A server that is not in the file yet is trusted as it is. For one that is, mcptap lock says what differs,
writes nothing, and the exit status is 1: --update approves it. FILE is a recording or a capture in which
everything was listed; the server of a COMMAND is started twice, as by a client that declares nothing and by
one that declares all. No tool is called.

A lock is no guard: mcptap passes on what the server lists, and says afterwards what was not approved.
"""
EPILOG = """exit status: 0 written, or just as approved; 1 something is not as approved; 2 unusable input.

Each line of the file stands for itself, so two people's locks merge. Where both add a tool in the same place,
git has to be told so (.gitattributes): mcptap.lock merge=union"""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    parser = _parser()
    at = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:at])
    options.command = arguments[at + 1 :]
    if bool(options.command) is bool(options.file):
        parser.error(
            "name a FILE, or the server's command behind -- (with --update last: FILE --update TOOL)"
        )

    from mcptap.recording import made_here

    masker = made_here.masker()
    seen = _seen(options)
    if isinstance(seen, int):
        tell("interrupted; the server is stopped, and nothing was written")
        return 128 + seen
    return _locked(options, seen, masker)


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap lock",
        usage="mcptap lock [OPTIONS] FILE [--update [TOOL]]\n       mcptap lock [OPTIONS] -- COMMAND [ARGS…]",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument(
        "--lock",
        metavar="LOCK",
        default="mcptap.lock",
        help="the file that is written (default: mcptap.lock)",
    )
    parser.add_argument(
        "--name", metavar="NAME", help="the server's name in the lock (default: that of the recording)"
    )
    parser.add_argument(
        "--update",
        nargs="?",
        const=ALL,
        action="append",
        metavar="TOOL",
        help="approve what differs: all of it, or this tool, prompt or resource alone (may be given again)",
    )
    parser.add_argument(
        "--hashes-only",
        action="store_true",
        help="leave out the definitions; then it can be said that something differs, but not what",
    )
    parser.add_argument("--cwd", metavar="DIR", help="the folder that the server is started in")
    parser.add_argument(
        "--timeout", type=seconds, default=10, metavar="S", help="for each answer (default 10)"
    )
    parser.add_argument(
        "--start-timeout", type=seconds, default=60, metavar="S", help="for the first answer (default 60)"
    )
    add_unmasked(parser)
    parser.add_argument("file", nargs="?", metavar="FILE", help="a recording or capture, or `latest`")
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="the server's command, behind --")
    return parser


def _seen(options: argparse.Namespace) -> Seen | int:
    from mcptap.commands.locking.seen import seen_in, seen_of
    from mcptap.play.client.connection import ConnectionSettings
    from mcptap.play.server.launch import Launch
    from mcptap.recording.library import find

    if options.file:
        return seen_in(find(options.file, tell))
    launch = Launch(options.command, options.cwd)
    return seen_of(ConnectionSettings(launch, options.timeout, options.start_timeout, tell=tell))


def _locked(options: argparse.Namespace, seen: Seen, masker: Masker) -> int:
    """Write the lock, or say what is not as it was approved."""
    from mcptap.commands.locking.files import save_lock
    from mcptap.commands.locking.option import load_lock
    from mcptap.protocol.contract.judgement import compare_with
    from mcptap.protocol.contract.lock import Lock
    from mcptap.protocol.contract.matching import match

    path = options.lock
    exists = os.path.lexists(path)
    lock = load_lock(path) if exists else Lock(os.path.basename(path))
    known = lock.servers.get(options.name) if options.name else match(lock, seen.offer).server
    name = known.name if known is not None else options.name or seen.offer.named
    new = _storable(seen.offer.approved(name, seen.needs), masker, options.hashes_only)
    if known is None:
        if name in lock.servers:
            raise UserError(
                f"{path} has a server {name} that is started otherwise: give this one a --name, or say "
                f"that it is the same (--name {name})"
            )
        if exists and options.update is None:
            print_lines([f"{name} is not in {path}: {_size(new)}. --update adds it."])
            return DIFFERENT
        if options.update not in (None, [ALL]):
            raise UserError(f"{name} is not in {path}: approve it as a whole (--update)")
        save_lock(path, [*lock.servers.values(), new])
        _tell_first_sight(path, new)
        return SAME
    differences = compare_with(known, seen.offer, lock)
    if options.update is None:
        from mcptap.commands.locking.report import difference_lines

        print_lines(difference_lines(differences, new, path, None if options.unmasked else masker))
        return DIFFERENT if differences.differences or differences.added else SAME
    updated = _updated(known, new, options.update)
    save_lock(path, [*(one for one in lock.servers.values() if one.name != name), updated])
    print_lines([f"{path}: {name} is approved as it is now: {_size(updated)}."])
    return SAME


def _storable(server: LockedServer, masker: Masker, hashes_only: bool) -> LockedServer:
    """The server as it may lie in a file that others read: of what holds a secret there are hashes alone."""
    command = tuple(masker.argv(server.command))
    items = {}
    for key, item in server.items.items():
        has_secret = masker.value(item.full) != item.full
        if has_secret:
            tell(f"{item.kind} {item.name}: it holds what looks like a secret: only hashes are kept")
        items[key] = replace(item, full=None) if has_secret or hashes_only else item
    from mcptap.protocol.contract.lock import command_of

    return replace(server, command=command_of(command), items=items)


def _updated(old: LockedServer, new: LockedServer, names: list[str]) -> LockedServer:
    """The server with what is approved by these names; all that was not looked at stays."""
    from mcptap.text.enumeration import listed

    seen = {*new.lists, "instructions"}
    kept = {
        key: item
        for key, item in old.items.items()
        if key not in new.items and (key[0] not in seen or set(item.needs) - set(new.declared))
    }
    if ALL in names:
        return replace(
            new,
            items={**kept, **new.items},
            declared=tuple(sorted({*old.declared, *new.declared})),
            lists=tuple(dict.fromkeys((*new.lists, *old.lists))),
        )
    items = dict(old.items)
    for name in names:
        keys = {key for key in (*old.items, *new.items) if name in (key[1] or key[0], f"{key[0]}:{key[1]}")}
        if not keys:
            raise UserError(
                f"{old.name} has no {name}; it has {listed([key[1] or key[0] for key in new.items])}"
            )
        for key in keys:
            if key in new.items:
                own = "" if new.version == old.version else new.version
                items[key] = replace(new.items[key], version=own)
            elif key not in kept:
                items.pop(key, None)
    return replace(old, items=items)


def _tell_first_sight(path: str, server: LockedServer) -> None:
    print_lines(
        [
            f"{path}: {server.name} is locked: {_size(server)}.",
            "First sight is trusted: read what it offers once, and commit the file. From now on",
            f"  mcptap check --lock {path} latest",
            f"  mcptap probe --lock {path} -- COMMAND",
            "say what differs.",
        ]
    )


def _size(server: LockedServer) -> str:
    """What is locked of a server: how many of each kind, and what the tools cost."""
    from mcptap.protocol.contract.items import METHODS
    from mcptap.text.enumeration import listed
    from mcptap.text.units import counted

    counts: Mapping[str, int] = {kind: sum(key[0] == kind for key in server.items) for kind in METHODS}
    some = [counted(count, kind) for kind, count in counts.items() if count]
    cost = f", about {server.tokens:,} tokens in each conversation" if server.tokens else ""
    return f"{listed(some or ['no tool'])}{cost}"
