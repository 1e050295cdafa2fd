"""`mcptap probe -- COMMAND`: question a server as a client would, and as none would."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mcptap.commands import consent, secrets
from mcptap.commands.forms.choice import JSON, TEXT, add_forms, write_json, write_suites
from mcptap.commands.options import Parser, add_unmasked, seconds
from mcptap.commands.output import tell
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.play.client.connection import ConnectionSettings
    from mcptap.play.probe.client_report import ClientReport
    from mcptap.play.probe.result import ProbeResult
    from mcptap.play.probe.tool_calls import ToolCall
    from mcptap.play.server.launch import Launch

DESCRIPTION = """Starts a server a few times and plays its client: both openings, all lists to the last
page, ping, cancellation, and then the hard questions. No tool is called with valid
arguments unless you ask for it. Every session is recorded, and judged as by mcptap check.
Exit status: 0 nothing above info, 1 something, 2 the server could not be started."""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    import trio

    from mcptap.play.probe.findings import findings_of
    from mcptap.play.probe.report import as_json, report
    from mcptap.play.server.interrupt import unless_interrupted
    from mcptap.recording import made_here
    from mcptap.text.escape import visible
    from mcptap.text.paragraphs import hanging
    from mcptap.text.terminal import Terminal

    options = _parser().parse_args(arguments)
    if options.client == "list":
        _list_clients()
        return 0
    calls = _calls(options)
    if options.client == "all":
        return _side_by_side(options, calls)
    settings, own, as_client = _settings(options)
    play = partial(_run, settings, own, as_client, calls, options.call_read_only, options.repeat_calls)
    result, interrupted = trio.run(unless_interrupted, play)
    if result is None:
        tell("the probe was interrupted; the server is stopped")
        return 128 + interrupted
    found = findings_of(result.sessions)
    everything = as_json(result, as_client, found)
    masker = None if options.unmasked else made_here.masker()
    if masker is not None:
        masker.learn(own.argv)
    if options.format == TEXT:
        terminal = Terminal(sys.stdout)
        for style, line, hang in report(result, as_client, found):
            shown = visible(line if masker is None else masker.text(line))
            for piece in hanging(shown, terminal.width, hang):
                print(terminal.paint(piece, style))
    elif options.format == JSON:
        write_json(everything if masker is None else masker.value(everything))
    else:
        from mcptap.commands.forms.probe import probe_suites

        name = shlex.join(own.argv if masker is None else masker.argv(list(own.argv)))
        write_suites(options.format, probe_suites(name, result, as_client, found, masker))
    return 0 if everything["ok"] else 1


def _side_by_side(options: argparse.Namespace, calls: list[ToolCall]) -> int:
    from mcptap.commands.probe.many import as_all, probe_many
    from mcptap.play.probe.observation import Call

    if options.cancel or options.call_read_only:
        raise UserError("--as all compares clients: leave out --cancel and --call-read-only, or name one")
    settings, own, _ = _settings(options)
    trials = as_all(own, _base(options), dict(_variable(text) for text in options.env))
    return probe_many(
        trials,
        settings,
        [Call(call.name, call.arguments) for call in calls],
        all_calls=options.repeat_calls,
        form=options.format,
        unmasked=options.unmasked,
    )


async def _run(
    settings: ConnectionSettings,
    own: Launch,
    as_client: ClientReport | None,
    calls: list[ToolCall],
    call_read_only: bool,
    repeat_calls: bool,
) -> ProbeResult:
    """The client's session first, if there is a client, then the probe under the same conditions."""
    from mcptap.play.probe.observation import Call, Observer
    from mcptap.play.probe.probe import probe
    from mcptap.play.probe.result import ProbedSession, ProbeResult
    from mcptap.play.side_by_side.trial import play_as_client

    sessions_of_client = ProbeResult()
    if as_client is not None:
        whole = [Call(call.name, call.arguments) for call in calls if not call.cancel]
        with Observer(settings, whole, all_calls=repeat_calls) as observer:
            await play_as_client(settings, own, as_client, observer)
        sessions_of_client.sessions.append(ProbedSession(as_client.path, f"as {as_client.client.name}"))
        if not as_client.runs:
            return sessions_of_client
    result = await probe(settings, calls, call_read_only)
    result.sessions[:0] = sessions_of_client.sessions
    return result


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap probe", usage="mcptap probe [OPTIONS] -- COMMAND [ARGS…]", description=DESCRIPTION
    )
    parser.add_argument(
        "--as",
        dest="client",
        metavar="CLIENT",
        help="as this client would (list: which there are; all: every one, in a table)",
    )
    parser.add_argument(
        "--like", metavar="FILE", help="start it as it was started in this recording, or in the `latest`"
    )
    consent.add_option(parser)
    secrets.add_option(parser)
    parser.add_argument(
        "--cwd", metavar="DIR", help="the folder that the client, or the server, is started in"
    )
    parser.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE", help="a variable of the server's entry"
    )
    parser.add_argument(
        "--timeout", type=seconds, default=10, metavar="S", help="for each answer (default 10)"
    )
    parser.add_argument(
        "--start-timeout",
        type=seconds,
        default=60,
        metavar="S",
        help="for a process's first answer (default 60)",
    )
    parser.add_argument(
        "--call-timeout", type=seconds, default=60, metavar="S", help="for the answer of a tool (default 60)"
    )
    parser.add_argument(
        "--call",
        nargs=2,
        action="append",
        default=[],
        metavar=("TOOL", "JSON"),
        help="call this tool with these arguments",
    )
    parser.add_argument(
        "--cancel",
        nargs=2,
        action="append",
        default=[],
        metavar=("TOOL", "JSON"),
        help="call this tool and cancel the call while it runs",
    )
    parser.add_argument(
        "--call-read-only",
        action="store_true",
        help="call the tools that say they only read, where the schema gives the values",
    )
    parser.add_argument(
        "--repeat-calls",
        action="store_true",
        help="with --as: make the calls of --call again, up to a dozen times, to find out why they return "
        "less than under your own conditions (else of tools alone that say they only read)",
    )
    parser.add_argument(
        "--record", metavar="PLACE", help="a folder for the recordings (default: as for mcptap run)"
    )
    add_forms(parser)
    add_unmasked(parser)
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="the server's command, behind --")
    return parser


def _list_clients() -> None:
    from mcptap.clients.table import CLIENTS

    for client in CLIENTS.values():
        print(f"{client.id:17} {client.description}")


def _settings(options: argparse.Namespace) -> tuple[ConnectionSettings, Launch, ClientReport | None]:
    """How the server is to be started, how the user would, and the report on the client, if there is one."""
    from mcptap.clients.table import CLIENTS
    from mcptap.play.client.connection import ConnectionSettings
    from mcptap.play.probe.client_launch import launch_as_client

    entry = dict(_variable(text) for text in options.env)
    base = _base(options)
    folder = os.path.abspath(base.cwd or os.getcwd())
    own = replace(base, cwd=folder, env={**base.environment, **entry})
    launch, as_client = own, None
    if options.client not in (None, "all"):
        if options.client not in CLIENTS:
            raise UserError(f"there is no client {options.client!r}; see mcptap probe --as list")
        client = CLIENTS[options.client]
        launch, as_client = launch_as_client(client, base, entry)
    settings = ConnectionSettings(
        launch, options.timeout, options.start_timeout, options.call_timeout, options.record, tell
    )
    return settings, own, as_client


def _base(options: argparse.Namespace) -> Launch:
    """The command, folder and environment that were asked for, or those of a recording."""
    from mcptap.captures.open import open_source
    from mcptap.play.server.launch import Launch
    from mcptap.play.server.relaunch import relaunch
    from mcptap.recording.library import find

    if options.like is None:
        if not options.command:
            raise UserError("probe needs the server's command (mcptap probe -- COMMAND), or --like FILE")
        return Launch(options.command, options.cwd)
    path = find(options.like, tell)
    with closing(open_source(path)) as source:
        again = relaunch(source.header, options.command, options.cwd, os.environ, alike=True)
    consent.require_consent(again, path, options.run_recorded)
    launch = secrets.fill_in(again, options.secret)
    for sentence in again.sentences:
        tell(sentence)
    return launch


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise UserError(f"--env takes NAME=VALUE, and got {text!r}")
    return name, value


def _calls(options: argparse.Namespace) -> list[ToolCall]:
    from mcptap.play.probe.tool_calls import ToolCall

    return [
        *(ToolCall(name, _arguments(name, text)) for name, text in options.call),
        *(ToolCall(name, _arguments(name, text), cancel=True) for name, text in options.cancel),
    ]


def _arguments(name: str, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UserError(f"the arguments for {name} are no JSON: {error}") from error
    if not isinstance(value, dict):
        raise UserError(f"the arguments for {name} have to be a JSON object, such as {{}}")
    return value
