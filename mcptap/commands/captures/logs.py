"""`mcptap logs`: the logs that clients on this machine keep of their servers, and what each shows."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from mcptap.clients.configs.find import surroundings
from mcptap.clients.logs import FoundLog, find_logs, patterns
from mcptap.clients.table import CLIENTS
from mcptap.commands.options import Parser, add_unmasked, count_or_all
from mcptap.errors import UserError
from mcptap.masking.masker import Masker
from mcptap.recording import made_here
from mcptap.text.escape import visible, visible_json
from mcptap.text.paragraphs import wrapped
from mcptap.text.terminal import Terminal
from mcptap.text.units import counted, when

SHOWN = 20
"""So many logs are judged if nothing else was asked for."""

LARGE = 4 << 20
"""Of a log of more bytes the last session is looked for only when it is checked by itself."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a log shows of its last session: a verdict, or why it can't be told."""

    log: FoundLog
    server: str = ""
    outcome: str = ""
    words: str = ""


def main(arguments: list[str]) -> int:
    """List logs; return the exit status."""
    options = _parser().parse_args(arguments)
    with_logs = [client for client in CLIENTS.values() if client.habits.log_files.value]
    if options.client and options.client not in {client.id for client in with_logs}:
        known = ", ".join(client.id for client in with_logs)
        raise UserError(f"no log of a client {options.client!r} is known; there are {known}")
    around = surroundings()
    logs = find_logs(around, options.client)
    shown = logs[: options.number or None]
    masker = None if options.unmasked else made_here.masker()
    judged = [_judged(log, masker) for log in shown]
    if options.json:
        print(visible_json(json.dumps([_object(one) for one in judged], indent=2, ensure_ascii=False)))
        return 0
    terminal = Terminal(sys.stdout)
    if not logs:
        clients = [client for client in with_logs if not options.client or client.id == options.client]
        print("No log of a client was found. Looked for:")
        for client in clients:
            for pattern in patterns(client, around):
                print(terminal.fit(f"  {client.name}: {visible(pattern)}"))
        print("A log from elsewhere: mcptap check FILE. Better than any log: mcptap setup, which records.")
        return 0
    for line in _lines(judged, terminal):
        print(line)
    if len(logs) > len(shown):
        print(f"{counted(len(logs) - len(shown), 'older log')} not shown: -n 0 shows all")
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap logs",
        description="List the logs that clients on this machine keep of their servers, newest first, each "
        "with what it shows of its last session. Nothing is started and nothing changed.",
    )
    parser.add_argument("--client", metavar="ID", default="", help="only logs of this client")
    parser.add_argument(
        "-n", dest="number", type=count_or_all, default=SHOWN, help=f"how many, 0 for all (default {SHOWN})"
    )
    parser.add_argument("--json", action="store_true", help="one JSON array of objects")
    add_unmasked(parser)
    return parser


def _judged(log: FoundLog, masker: Masker | None) -> Judged:
    """The last session of a log, judged."""
    from mcptap.captures.open import open_source
    from mcptap.diagnosis.engine.selection import Selection
    from mcptap.recording.format.model import RecordingError
    from mcptap.report.check_file import check_file

    if log.size > LARGE:
        return Judged(log, words="It is large: check it by itself.")
    try:
        with closing(open_source(log.path)) as source:
            found = check_file(source, Selection(), lambda: None, masker=masker)
    except RecordingError as error:
        return Judged(log, words=str(error).removeprefix(f"{log.path}: "))
    return Judged(log, found.header.name, found.outcome.value, found.verdict)


def _lines(judged: list[Judged], terminal: Terminal) -> Iterator[str]:
    for one in judged:
        log = one.log
        server = f" {one.server}" if one.server else ""
        yield terminal.paint(visible(f"{log.client.name}{server}, {when(log.written_us)}"), "bold")
        style = {"broken": "error", "waiting": "warning", "calls failed": "warning"}.get(one.outcome, "plain")
        for line in wrapped(visible(one.words), max(0, terminal.width - 2) if terminal.width else 0):
            yield f"  {terminal.paint(line, style)}"
        yield terminal.paint(visible(f"  {log.path}"), "dim")
        yield ""
    if judged:
        yield "what to do about one: mcptap check FILE"


def _object(one: Judged) -> dict[str, Any]:
    log = one.log
    return {
        "client": log.client.id,
        "path": log.path,
        "size": log.size,
        "written_us": log.written_us,
        "server": one.server or None,
        "outcome": one.outcome or None,
        "verdict": one.words,
    }
