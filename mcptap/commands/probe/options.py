"""The options of `mcptap probe`, and what they mean."""

from __future__ import annotations

import argparse
import json
import os
from contextlib import closing
from typing import TYPE_CHECKING, Any

from mcptap.commands import consent, secrets
from mcptap.commands.checking.expecting import add_expectations
from mcptap.commands.forms.also import add_also
from mcptap.commands.forms.choice import add_forms
from mcptap.commands.locking.option import add_lock
from mcptap.commands.options import Parser, add_unmasked, seconds
from mcptap.commands.output import tell
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.clients.client import Client
    from mcptap.play.client.connection import ConnectionSettings
    from mcptap.play.probe.allowed import Allowed
    from mcptap.play.server.launch import Launch
    from mcptap.play.side_by_side.start import Start

DESCRIPTION = """Start a server a few times and play its client: both openings, all lists to the last
page, ping, a cancelled list, unknown names and malformed lines. Nothing of this acts: a tool is called only
if you name it, or with --call-read-only; no resource is read, no prompt got. What was left out is said.
With --config, or --as all, servers and clients stand side by side: openings and lists alone.
Every session is recorded, and judged as by mcptap check; `latest` and mcptap ls pass these recordings over
(latest-probe, mcptap ls --probes).
Exit status: 0 nothing above info, 1 something, 2 the server could not be started."""


def parser() -> Parser:
    """The parser of the command line."""
    made = Parser(
        prog="mcptap probe",
        usage="mcptap probe [OPTIONS] -- COMMAND [ARGS…]\n"
        "       mcptap probe [OPTIONS] --config FILE [--server NAME]",
        description=DESCRIPTION,
    )
    made.add_argument(
        "--as",
        dest="client",
        metavar="CLIENT",
        help="as this client would (list: which there are; all: every one, in a table)",
    )
    made.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="FILE",
        help="start the servers of this configuration of a client, as that client does or the one of --as; "
        "one exit status for all (may be given again)",
    )
    made.add_argument("--server", metavar="NAME", help="of the configuration, this server alone, in full")
    made.add_argument(
        "--client",
        dest="owner",
        metavar="CLIENT",
        help="the client whose configuration it is, where name and folder do not tell",
    )
    made.add_argument(
        "--yes",
        action="store_true",
        help="start what the configuration says without showing it and asking (it may be a stranger's)",
    )
    made.add_argument(
        "--like", metavar="FILE", help="start it as it was started in this recording, or in the `latest`"
    )
    consent.add_option(made)
    secrets.add_option(made)
    made.add_argument("--cwd", metavar="DIR", help="the folder that the client, or the server, is started in")
    made.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE", help="a variable of the server's entry"
    )
    made.add_argument("--timeout", type=seconds, default=10, metavar="S", help="for each answer (default 10)")
    made.add_argument(
        "--start-timeout",
        type=seconds,
        default=60,
        metavar="S",
        help="for a process's first answer (default 60)",
    )
    made.add_argument(
        "--call-timeout", type=seconds, default=60, metavar="S", help="for the answer of a tool (default 60)"
    )
    made.add_argument(
        "--call",
        nargs=2,
        action="append",
        default=[],
        metavar=("TOOL", "JSON"),
        help="call this tool with these arguments",
    )
    made.add_argument(
        "--cancel",
        nargs=2,
        action="append",
        default=[],
        metavar=("TOOL", "JSON"),
        help="call this tool and cancel the call while it runs",
    )
    made.add_argument(
        "--call-read-only",
        action="store_true",
        help="call the tools that say they only read (readOnlyHint: the server's word, which nobody checks), "
        "where the schema gives the values",
    )
    made.add_argument(
        "--wrong-arguments",
        action="append",
        default=[],
        metavar="TOOL",
        help="call this tool without what it requires; one that does not look at its arguments acts",
    )
    made.add_argument(
        "--repeat-calls",
        action="store_true",
        help="with --as: make the calls of --call again, up to a dozen times, to find out why they return "
        "less than under your own conditions (else of tools alone that say they only read)",
    )
    records = made.add_mutually_exclusive_group()
    records.add_argument(
        "--record", metavar="PLACE", help="a folder for the recordings (default: as for mcptap run)"
    )
    records.add_argument(
        "--no-record",
        dest="is_kept",
        action="store_false",
        help="leave no recordings: they lie in a temporary folder until they are judged",
    )
    add_expectations(made, "; of one server, as one client")
    made.add_argument("--no-config", action="store_true", help="read no .mcptap.toml or pyproject.toml")
    add_lock(made)
    add_forms(made)
    add_also(made)
    add_unmasked(made)
    made.add_argument(
        "--watch",
        metavar="DIR",
        help="probe again whenever something changes below DIR, and say what that changed",
    )
    made.add_argument("command", nargs="*", metavar="COMMAND", help="the server's command, behind --")
    return made


def client_of(name: str) -> Client:
    """The client with this id. Raises UserError if there is none."""
    from mcptap.clients.table import CLIENTS

    if name not in CLIENTS:
        raise UserError(f"there is no client {name!r}; see mcptap probe --as list")
    return CLIENTS[name]


def connection_settings(options: argparse.Namespace, launch: Launch) -> ConnectionSettings:
    """How processes are started and waited for."""
    from mcptap.play.client.connection import ConnectionSettings

    return ConnectionSettings(
        launch, options.timeout, options.start_timeout, options.call_timeout, options.record, tell
    )


def start_of(options: argparse.Namespace) -> Start:
    """The command that was given, or that of a recording."""
    from mcptap.play.side_by_side.start import Start

    return Start(_base(options), entry_variables(options))


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


def entry_variables(options: argparse.Namespace) -> dict[str, str]:
    """The variables of `--env`."""
    return dict(_variable(text) for text in options.env)


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise UserError(f"--env takes NAME=VALUE, and got {text!r}")
    return name, value


def allowed_by(options: argparse.Namespace) -> Allowed:
    """What may be done that may act."""
    from mcptap.play.probe.allowed import Allowed, ToolCall

    calls = (
        *(ToolCall(name, _arguments(name, text)) for name, text in options.call),
        *(ToolCall(name, _arguments(name, text), cancel=True) for name, text in options.cancel),
    )
    return Allowed(calls, tuple(options.wrong_arguments), options.call_read_only)


def _arguments(name: str, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UserError(f"the arguments for {name} are no JSON: {error}") from error
    if not isinstance(value, dict):
        raise UserError(f"the arguments for {name} have to be a JSON object, such as {{}}")
    return value
