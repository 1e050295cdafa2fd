"""`mcptap setup`: asks which servers, puts mcptap in front, waits for a session, and tells the verdict."""

from __future__ import annotations

import os
import time
from argparse import Namespace
from typing import TYPE_CHECKING

from mcptap.commands.configurations.changes import add_selection, open_meant, show_left, tell_troubles
from mcptap.commands.configurations.wrapping import add_form, reason, wrap_chosen
from mcptap.commands.options import Parser
from mcptap.commands.output import print_lines, tell
from mcptap.commands.terminal import ask
from mcptap.errors import UserError
from mcptap.text.enumeration import listed
from mcptap.text.escape import visible

if TYPE_CHECKING:
    from mcptap.setup.changes import FileChange
    from mcptap.setup.choice import Candidate

LOOK_S = 1.0
"""So long between two looks for a recording."""

NONE_HERE = (
    "no configuration of a client here names a server; name its file with --config, or write `mcptap run --` "
    "before the server's command where your client has it"
)


def main(arguments: list[str]) -> int:
    """Set mcptap up; return the exit status."""
    parser = Parser(
        prog="mcptap setup",
        description="List the servers in your clients' configurations, ask which of them to put mcptap in "
        "front of, show the change and ask again, wait for the first session, and say what became of it.",
    )
    add_selection(parser)
    add_form(parser)
    parser.add_argument("--no-wait", action="store_true", help="end when the configuration is written")
    return ask_and_wrap(parser.parse_args(arguments))


def ask_and_wrap(options: Namespace) -> int:
    """Ask which servers, wrap them, and wait for the first session; return the exit status."""
    began_us = time.time_ns() // 1000
    options.yes = options.dry_run = False
    chosen = _asked(options)
    if not chosen:
        return 0
    status, files = wrap_chosen(options, chosen)
    if not files:
        return status
    _offer_limit()
    return status if getattr(options, "no_wait", False) else _verdict(files, began_us)


def _asked(options: Namespace) -> list[Candidate]:
    """The servers that the user wants; none if there are none to be had."""
    from mcptap.clients.configs.find import surroundings
    from mcptap.setup.choice import candidates

    around = surroundings()
    configurations = open_meant(options, around)
    tell_troubles(configurations.troubles)
    every = candidates(configurations.opened, options.scope, reason(options, around))
    offered = [one for one in every if not one.reason]
    left = [one for one in every if one.reason]
    if not offered:
        show_left(left)
        tell("no server here can be put behind mcptap" if every else NONE_HERE)
        return []
    print("servers that mcptap can stand in front of:")
    print_lines(f"  {number}  {visible(one.label)}" for number, one in enumerate(offered, 1))
    show_left(left)
    if len(offered) == 1:
        return offered
    typed = ask(
        (),
        "Which? Numbers, or Enter for all: ",
        "setup asks on a terminal, and there is none; mcptap wrap SERVER or --all does without",
    )
    return chosen_of(typed, offered)


def chosen_of(typed: str, offered: list[Candidate]) -> list[Candidate]:
    """Those whose numbers or names were typed; all if nothing was. Raises UserError."""
    words = typed.replace(",", " ").split()
    if not words or words == ["all"]:
        return offered
    chosen: list[Candidate] = []
    for word in words:
        if word.isdecimal() and 1 <= int(word) <= len(offered):
            found = [offered[int(word) - 1]]
        else:
            found = [one for one in offered if one.entry.name == word]
        if len(found) != 1:
            raise UserError(f"{word!r} is none of the numbers 1 to {len(offered)}; nothing was changed")
        chosen += [one for one in found if one not in chosen]
    return chosen


def _offer_limit() -> None:
    """Ask how long recordings are kept, if there is no limit yet."""
    from mcptap.recording.retention import parse_either, save_standing_limit, standing_limit

    try:
        if not standing_limit(os.environ).is_none:
            return
        typed = ask(
            (),
            "Recordings stay until mcptap prune deletes them. A limit for it, such as 30d or 500MB, or Enter "
            "for none: ",
            "there is no terminal to ask on",
        ).strip()
        if not typed:
            return
        limit = parse_either(typed)
        path = save_standing_limit(limit, os.environ)
        print_lines([f"saved in {visible(path)}: mcptap prune alone means {limit.words()}"])
    except (UserError, ValueError) as error:  # the servers are wrapped all the same
        tell(f"no limit was saved: {error}")


def _verdict(files: list[FileChange], began_us: int) -> int:
    """Wait for the first session of one of the servers, and tell what became of it."""
    from mcptap.commands import check
    from mcptap.recording.paths import clean_name
    from mcptap.setup.first_recording import wait_for_first

    names = {clean_name(change.candidate.entry.name) for file in files for change in file.changes}
    which = listed([visible(name) for name in sorted(names)], last="or")
    now = f"Now use {which} as always: waiting for the first session (Ctrl-C ends waiting)."
    print_lines(["", now])
    try:
        summary = wait_for_first(names, began_us, lambda: time.sleep(LOOK_S))
    except KeyboardInterrupt:
        print_lines(["", "Not waiting any longer. Later: mcptap ls, mcptap check latest"])
        return 0
    print()
    return check.main([summary.path])
