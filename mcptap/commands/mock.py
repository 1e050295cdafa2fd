"""`mcptap mock FILE`: stand in for the server of a recording."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import TYPE_CHECKING

from mcptap.commands.options import Parser, seconds
from mcptap.commands.output import tell
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.play.mock.faults import FaultInjection
    from mcptap.play.mock.server_script import ServerScript

DESCRIPTION = """Answers a client on stdin and stdout as the recorded server did: by method and
params, with the recorded notifications, stray prints and the crash at the end. A request
that the recording does not know gets an error that says what it knows."""


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
    mock = Mock(_script(options.files), latency=options.latency, fault=_fault(options))
    status = MockProcess(mock).run()
    if not mock.fault_was_used:
        tell(f"there was no occasion for the fault {options.fault}")
    return status


def _parser() -> Parser:
    parser = Parser(prog="mcptap mock", description=DESCRIPTION)
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="a recording, a capture of another tool, or `latest`; further ones only add the requests "
        "that they know (a client that asks server/discover of a process of its own leaves two)",
    )
    parser.add_argument(
        "--latency", action="store_true", help="keep the recorded times (default: answer at once)"
    )
    parser.add_argument("--fault", metavar="NAME", help="put a fault in (see --list-faults)")
    parser.add_argument(
        "--on", metavar="METHOD", help="the request the fault is for (default: the first after the handshake)"
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


def _fault(options: argparse.Namespace) -> FaultInjection | None:
    from mcptap.play.mock.faults import FAULTS, FaultInjection

    if options.fault is None:
        return None
    if options.fault not in FAULTS:
        raise UserError(f"there is no fault {options.fault!r}; there are {', '.join(FAULTS)}")
    delay_us = None if options.delay is None else round(options.delay * 1_000_000)
    return FaultInjection(FAULTS[options.fault], options.on, delay_us)


def _script(targets: list[str]) -> ServerScript:
    from mcptap.captures.open import open_source
    from mcptap.play.mock.server_script import script_of
    from mcptap.recording.library import find

    scripts = []
    for target in targets:
        with closing(open_source(find(target, tell))) as source:
            items = list(source.items())
            scripts.append(script_of(items, source.unfinished()))
    main, *others = scripts
    for other in others:
        main.reactions += other.reactions
    return main
