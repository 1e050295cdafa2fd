"""`mcptap send`: send a client's lines to a fresh server, and print what comes back."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import nullcontext
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mcptap.commands import consent, secrets
from mcptap.commands.forms.choice import JSON, TEXT, add_forms, write_json, write_suites
from mcptap.commands.options import Parser, add_comparison, count, factor, seconds
from mcptap.commands.output import tell
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.play.client.client_script import ClientScript
    from mcptap.play.compare.ignore import Ignore
    from mcptap.play.send.player import PlayResult
    from mcptap.play.server.launch import Launch
    from mcptap.play.server.stop import Exit
    from mcptap.recording.format.model import Line

DESCRIPTION = """\
Send a client's lines to a fresh server and print the transcript: --> what went,
<-- what came, and the exit code. The server's stderr goes to stderr.

FILE is a recording (or `latest`), whose client is played, or a file with plain
lines, which are sent byte for byte. COMMAND starts the server; without it the
recorded command runs, in the recorded directory and environment. If this installation
did not make the recording, it asks first, on the terminal; values that are masked in it
come from --secret, or are asked there. On a terminal the lines of
the transcript are cut to its width; in a pipe and in the recording they are whole.
"""

EPILOG = """\
exit status: 0 every request was answered (with --compare: as it was recorded),
1 some were not, 2 the play could not run.

--compare takes times, ports, UUIDs and the like as the same (--explain), and overlooks what the
patterns in FILE.ignore name, one a line:
  tools/call result.content[*].text    this value, in answers to this method
  **.createdAt                         at any depth
  ** ~ times uuids ids temp numbers    only such parts of texts, everywhere
"""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    own, command = split_command(arguments)
    options = _parser().parse_args(own)
    return _run(options, command)


def split_command(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Our own arguments, and those behind the first `--`: all of these belong to the server."""
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap send",
        usage="mcptap send [OPTIONS] FILE|latest [-- COMMAND [ARGS…]]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("file", metavar="FILE", help="a recording, `latest`, or plain lines")
    add("--pace", choices=["answered", "seen", "recorded", "flood"], default="answered",
        help="when the next line goes: once the requests before it are answered (default), once the answers "
        "are there that the recorded client had by then, at its recorded time, or at once")  # fmt: skip
    add("--only", type=count, action="append", default=[], metavar="N",
        help="send only the opening and the client's line with this record number, as mcptap show has it "
        "(may be given again)")  # fmt: skip
    add("--timeout", type=seconds, default=30.0, metavar="S",
        help="the most that an answer may take (default 30)")  # fmt: skip
    add("--grace", type=seconds, default=5.0, metavar="S",
        help="how long the server may take to end after its input has ended; then it gets TERM, then KILL "
        "(default 5)")  # fmt: skip
    add("--cut", type=count, metavar="N", help="cut long values with … after N characters")
    add("--cwd", metavar="DIR", help="the server's working directory")
    add("--like", metavar="RECORDING",
        help="start COMMAND in the directory and environment of this recording; without COMMAND, "
        "the recorded one")  # fmt: skip
    consent.add_option(parser)
    secrets.add_option(parser)
    add("--quiet", "-q", action="store_true", help="no transcript, and no words of mcptap on stderr")
    add("--name", help="the server's name in the recording")
    add("--compare", action="store_true", help="compare the new answers with the recorded ones")
    add("--slower", type=factor, metavar="F",
        help="with --compare: an answer that takes F times as long differs")  # fmt: skip
    add_comparison(parser)
    add("--ignore", metavar="FILE", help="with --compare: patterns of what to overlook, besides FILE.ignore")
    add_forms(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--record", metavar="DIR|FILE", help="where this run is recorded")
    where.add_argument("--no-record", action="store_true", help="do not record this run")
    return parser


def _run(options: argparse.Namespace, command: list[str]) -> int:
    from mcptap.play.client.client_script import load, only_lines
    from mcptap.play.compare.ignore import Ignore
    from mcptap.play.compare.ignore import load as load_patterns
    from mcptap.play.server.relaunch import read_header, relaunch
    from mcptap.recording.library import find

    path = find(options.file, tell)
    script = load(path)
    if not script.entries:
        raise UserError(f"{path}: there is no line of a client in it; there is nothing to send")
    if not script.is_recorded and (options.pace in ("seen", "recorded") or options.compare):
        wish = "--compare" if options.compare else f"--pace {options.pace}"
        raise UserError(f"{path}: plain lines have no times and no answers; {wish} needs a recording")
    if options.format != TEXT and not options.compare:
        raise UserError(f"--{options.format} is a form of what --compare finds; give --compare as well")
    if options.compare and not os.path.isfile(path):
        raise UserError(f"{path}: --compare reads a recording twice, which a pipe can't be")
    if options.only:
        script = only_lines(script, set(options.only))
    patterns = load_patterns(path, options.ignore) if options.compare else ()
    like = find(options.like, tell) if options.like else None
    header = read_header(like) if like else script.header
    plan = relaunch(header, command, options.cwd, os.environ, alike=bool(like))
    consent.require_consent(plan, like or path, options.run_recorded)
    launch = secrets.fill_in(plan, options.secret)
    for sentence in plan.sentences:
        _say(sentence, options)
    if not script.is_exact:
        _say(f"{path} was rewritten by another program; its messages are sent as encoded anew", options)
    with TemporaryDirectory(prefix="mcptap-send-") if options.compare else nullcontext() as spare:
        played, recording = _play(script, launch, options, spare)
        for note in played.outcome.notes:
            _say(note, options)
        if played.interrupted:
            return 128 + played.interrupted
        if options.compare:
            return _compare(path, recording, script, Ignore(patterns, played.substitutes), options)
    return 1 if played.outcome.unanswered or played.outcome.unsent else 0


def _play(
    script: ClientScript, launch: Launch, options: argparse.Namespace, spare: str | None
) -> tuple[PlayResult, str | None]:
    """Play, and return what became of it with the path of its recording.

    A recording that nobody wants but the comparison lies in the folder `spare`.
    """
    from mcptap.play.send.actions import Pace
    from mcptap.play.send.player import Listener, play
    from mcptap.play.server.recording import open_recording, unrecorded
    from mcptap.play.server.stop import stop_sequence

    printer = Printer(options.cut, options.quiet or options.format != TEXT)
    target = spare if options.no_record else options.record
    file = None
    if options.no_record and spare is None:
        recorder = unrecorded(launch)
    else:
        name = options.name or (script.header.name if script.header is not None else None)
        recorder, file = open_recording(launch, target, "send", lambda trouble: _say(trouble, options), name)
        if not options.no_record:
            _say(f"recording to {file.path or 'nowhere'}", options)
    try:
        played = play(
            script,
            launch,
            recorder,
            Listener(printer.sent, printer.received),
            pace=Pace(options.pace),
            timeout_s=options.timeout,
            stop=stop_sequence(options.grace),
        )
    finally:
        recorder.close()
    printer.ended(played.exit)
    return played, None if file is None else file.path


def _compare(
    path: str, recording: str | None, script: ClientScript, ignore: Ignore, options: argparse.Namespace
) -> int:
    """Print what is different from the recorded session; return the exit status."""
    from mcptap.commands.output import print_lines
    from mcptap.play.client.client_script import ClientLine
    from mcptap.play.compare import comparison_text
    from mcptap.play.compare.comparison import compare
    from mcptap.play.compare.exchanges import only_requests, read
    from mcptap.play.compare.severity import fails

    if recording is None:
        raise UserError("the new session could not be recorded, so there is nothing to compare")
    old, new = read(path), read(recording)
    if options.only:
        old = only_requests(
            old, {entry.line.number for entry in script.entries if isinstance(entry, ClientLine)}
        )
        new = only_requests(new, {exchange.request.number for exchange in new.exchanges})
    comparison = compare(old, new, ignore, slower=options.slower)
    if options.format == TEXT:
        print_lines(comparison_text.lines(comparison, explain=options.explain))
        if options.explain:
            print_lines(comparison_text.explanation())
    elif options.format == JSON:
        from mcptap.play.compare.comparison_json import answers_as_json

        write_json(answers_as_json(comparison))
    else:
        from mcptap.commands.forms.comparison import comparison_suites

        write_suites(options.format, comparison_suites(comparison, f"send {path}", path, options.fail_on))
    return int(fails(comparison, options.fail_on))


class Printer:
    """Prints the transcript as it grows. A reader that has gone away is no error here."""

    def __init__(self, cut: int | None, quiet: bool) -> None:
        from mcptap.text.terminal import Terminal

        self._cut = cut
        self._gone = quiet
        self._terminal = Terminal(sys.stdout)

    def sent(self, data: bytes) -> None:
        """Print what goes to the server."""
        from mcptap.play.send import transcript

        self._print(transcript.sent(data, self._cut))

    def received(self, line: Line) -> None:
        """Print a line of the server's stdout; pass one of its stderr on."""
        from mcptap.play.send import transcript
        from mcptap.wire import STDERR

        if line.channel == STDERR:
            os.write(2, line.raw)
        else:
            self._print(transcript.received(line.data, line.eol, self._cut))

    def ended(self, end: Exit) -> None:
        """Print how the server ended."""
        from mcptap.play.send import transcript

        self._print(transcript.ended(end))

    def _print(self, text: str) -> None:
        if self._gone:
            return
        try:
            for line in text.split("\n"):
                sys.stdout.write(self._terminal.fit(line) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            self._gone = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _say(sentence: str, options: argparse.Namespace) -> None:
    """Say something on stderr, unless the user wants to hear nothing."""
    if not options.quiet:
        tell(sentence)
