"""`mcptap doctor`: what in the configurations of clients keeps servers from starting, and the repair."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mcptap.commands.options import LEVELS, Parser, add_configurations
from mcptap.commands.output import tell
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.setup.doctor.finding import Finding
    from mcptap.setup.doctor.report import Styled

HEALTHY, FOUND = 0, 1
"""The exit statuses; what can't be done at all is 2."""

EPILOG = """Without --config all configurations of the clients that mcptap knows are looked at: the user's,
and those of the project in this folder. Nothing is written unless --fix asks for it: then what has one
certain repair is shown and, after a question, made, with a backup as by mcptap wrap. A file that others
share is changed only if --config names it. Nothing is started unless --start asks for it: then the user's
own servers are, and those of a project, which may be a stranger's, after a question, with --yes, or if
--config names its file. A server is started a few times: as its client would, and as you would from your
shell, since what is different tells the cause. Nothing of it is left running.

What a client does about a finding is told with how that is known; where it is not known, that is said.
Programs and variables are looked for as if the client were started from this shell: one that is started from
the desktop may have another PATH.

Exit status: 0 nothing above info, 1 errors or warnings, or a server that does not answer, 2 it could not
be done."""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    options = _parser().parse_args(arguments)

    from mcptap.clients.configs.given import named_client
    from mcptap.diagnosis.engine.finding import Level
    from mcptap.setup.doctor import report
    from mcptap.setup.doctor.examination import examine, look, not_looked_at
    from mcptap.setup.doctor.machine import this_machine

    if options.checks:
        _print(report.catalogue())
        return HEALTHY
    machine = this_machine()
    client = named_client(options.client)
    path = Path(options.config) if options.config is not None else None
    files = look(machine, client, path)
    if path is not None and (why := not_looked_at(files[0])):
        raise UserError(f"{path}: {why}")
    findings = examine(files)
    repaired: list[Finding] = []
    if options.fix:
        from mcptap.commands.configurations.fixing import fix

        repaired = fix(files, findings, options)
        if repaired:
            files = look(machine, client, path)
            findings = examine(files)
    started = None
    if options.start:
        from mcptap.commands.configurations.starting import start

        started = start(files, named=path is not None, yes=options.yes)
        if started.interrupted:
            tell("doctor was interrupted; the servers are stopped")
            return 128 + started.interrupted
        findings += started.findings
    least = Level[options.min_level.upper()]
    everything = report.as_json(files, findings, least)
    if options.fix:
        everything["repaired"] = [one.check for one in repaired]
    if started is not None:
        from mcptap.commands.configurations import starting

        everything["started"] = starting.as_json(started)
        everything["ok"] = everything["ok"] and started.ok
    if options.json:
        print(json.dumps(everything, ensure_ascii=True, indent=1))
    else:
        _print(report.report(files, findings, least))
        if started is not None:
            _print(starting.report(started))
        _print([("plain", report.summary(files, findings), 0)])
    found = any(one.level > Level.INFO for one in findings)
    return FOUND if found or (started is not None and not started.ok) else HEALTHY


def _print(lines: Iterable[Styled]) -> None:
    from mcptap.text.escape import visible
    from mcptap.text.paragraphs import hanging
    from mcptap.text.terminal import Terminal

    terminal = Terminal(sys.stdout)
    for style, line, hang in lines:
        indent = len(line) - len(line.lstrip(" "))
        for piece in hanging(visible(line), terminal.width, max(hang, indent + 2) if hang else 0):
            print(terminal.paint(piece, style))


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap doctor",
        description="Say what in the configurations of MCP clients keeps servers from starting: with file, "
        "line and column, what the client does about it, and the repair.",
        epilog=EPILOG,
    )
    add_configurations(parser)
    parser.add_argument(
        "--min-level", choices=LEVELS, default=LEVELS[0], help="leave out findings below this level"
    )
    parser.add_argument("--fix", action="store_true", help="repair what has one certain repair")
    parser.add_argument(
        "--start",
        action="store_true",
        help="start each stdio server as its client would, and say whether it answers; no tool is called",
    )
    parser.add_argument("--yes", "-y", action="store_true", help="repair, or start, without asking")
    parser.add_argument("--checks", action="store_true", help="list all checks, and exit")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser
