"""`mcptap mock FILE`: stand in for the server of a recording."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import TYPE_CHECKING

from mcptap.commands.options import BOTH_SIDES, Parser, seconds
from mcptap.commands.output import tell
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.play.mock.faults import FaultInjection
    from mcptap.play.mock.server_script import ServerScript

DESCRIPTION = """Answer a client on stdin and stdout as the recorded server did: by method and
params, with the recorded notifications, stray prints and the crash at the end. A client that asks
for an older revision than the recorded one gets it, if the recorded server agreed to what it was
asked. A ping is answered in any case; any other request that the recording does not know gets an
error that says which it knows, by method and name: recorded arguments are never quoted."""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status of the recorded server."""
    from mcptap.play.mock.mock import Mock
    from mcptap.play.mock.mock_process import MockProcess

    options = _parser().parse_args(arguments)
    if options.list_faults:
        _list_faults()
        return 0
    if not options.files:
        raise UserError("mock needs a recording to answer from: name a file, or `latest`")
    return MockProcess(Mock(_script(options.files), latency=options.latency, faults=_faults(options))).run()


def _parser() -> Parser:
    parser = Parser(prog="mcptap mock", description=DESCRIPTION)
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="a recording, a capture of another tool, or `latest`; further ones only add the requests "
        "that they know (a client that asks server/discover of a process of its own leaves two); "
        f"{BOTH_SIDES}",
    )
    parser.add_argument(
        "--latency", action="store_true", help="keep the recorded times (default: answer at once)"
    )
    parser.add_argument(
        "--fault",
        metavar="NAME",
        action="append",
        default=[],
        help="put a fault in (see --list-faults; may be given again)",
    )
    parser.add_argument(
        "--on",
        metavar="METHOD",
        help="the request the faults are for (default: the first after the handshake)",
    )
    parser.add_argument(
        "--delay", metavar="SECONDS", type=seconds, help="how late delayed-answer and slow-initialize are"
    )
    parser.add_argument("--list-faults", action="store_true", help="list the faults and their rules")
    return parser


def _list_faults() -> None:
    from mcptap.diagnosis.catalogue import rules_for
    from mcptap.play.mock.faults import FAULTS

    rows = [(f, ", ".join(rule.id for rule in rules_for(f.fault))) for f in FAULTS.values()]
    width = max(len(rules) for _, rules in rows)
    for fault, rules in rows:
        print(f"{fault.name:19} {rules:{width}} {fault.text}")


def _faults(options: argparse.Namespace) -> list[FaultInjection]:
    from mcptap.play.mock.faults import FAULTS, FaultInjection

    unknown = [name for name in options.fault if name not in FAULTS]
    if unknown:
        raise UserError(f"there is no fault {unknown[0]!r}; there are {', '.join(FAULTS)}")
    if not options.fault and (options.on is not None or options.delay is not None):
        raise UserError(f"{'--on' if options.on is not None else '--delay'} says nothing without --fault")
    delay_us = None if options.delay is None else round(options.delay * 1_000_000)
    return [FaultInjection(FAULTS[name], options.on, delay_us) for name in options.fault]


def _script(targets: list[str]) -> ServerScript:
    from mcptap.captures.open import open_source
    from mcptap.play.mock.server_script import script_of
    from mcptap.recording.format.lines import OUTLINE, TOLD
    from mcptap.recording.format.model import Line
    from mcptap.recording.library import find

    scripts = []
    for target in targets:
        with closing(open_source(find(target, tell))) as source:
            items = list(source.items())
            if any(isinstance(item, Line) and item.known in (OUTLINE, TOLD) for item in items):
                raise UserError(
                    f"{target}: {source.evidence.origin} does not tell what the server answered, so there is "
                    "nothing to answer with"
                )
            scripts.append(script_of(items, source.unfinished()))
    main, *others = scripts
    for other in others:
        main.reactions += other.reactions
    return main
