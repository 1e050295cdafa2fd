"""`mcptap send`: say a client's lines to a fresh server, and print what comes back."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.play.client_script import ClientScript
    from mcptap.play.process import Exit, Launch
    from mcptap.play.send import Played
    from mcptap.recording.model import Line
    from mcptap.recording.writer import Recorder

DESCRIPTION = """\
Send a client's lines to a fresh server and print the transcript: --> what went,
<-- what came, and the exit code. The server's stderr goes to stderr.

FILE is a recording (or `latest`), whose client is played, or a file with plain
lines, which are sent byte for byte. COMMAND starts the server; without it the
recorded command runs, in the recorded directory and environment.
"""

EPILOG = """\
exit status: 0 every request was answered, 1 some were not, 2 the play could not run.
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mcptap send",
        usage="mcptap send [OPTIONS] FILE|latest [-- COMMAND [ARGS…]]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("file", metavar="FILE", help="a recording, `latest`, or plain lines")
    add("--pace", choices=["answered", "recorded", "flood"], default="answered",
        help="when the next line goes: once the requests before it are answered (default), "
        "at its recorded time, or at once")  # fmt: skip
    add(
        "--timeout",
        type=_seconds,
        default=30.0,
        metavar="S",
        help="the most that an answer may take (default 30)",
    )
    add("--grace", type=_seconds, default=5.0, metavar="S",
        help="how long the server may take to end after its input has ended; then it gets TERM, then KILL "
        "(default 5)")  # fmt: skip
    add("--cut", type=_count, metavar="N", help="cut long values with … after N characters")
    add("--cwd", metavar="DIR", help="the server's working directory")
    add("--quiet", "-q", action="store_true", help="no transcript, and no words of mcptap on stderr")
    add("--name", help="the server's name in the recording")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--record", metavar="DIR|FILE", help="where this run is recorded")
    where.add_argument("--no-record", action="store_true", help="do not record this run")
    return parser


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1e6:
        raise argparse.ArgumentTypeError("must be a number of seconds, 0 or more")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def _run(options: argparse.Namespace, command: list[str]) -> int:
    from mcptap.play.client_script import load
    from mcptap.play.relaunch import relaunch
    from mcptap.recording.library import find

    script = load(find(options.file))
    if not script.entries:
        raise UserError(f"{options.file}: there is no line of a client in it; there is nothing to send")
    if options.pace == "recorded" and not script.is_recorded:
        raise UserError(f"{options.file}: plain lines have no times; --pace recorded needs a recording")
    plan = relaunch(script.header, command, options.cwd, os.environ)
    say = _silent if options.quiet else _say
    for sentence in plan.sentences:
        say(sentence)
    played = _play(script, plan.launch, options)
    for note in played.outcome.notes:
        say(note)
    if played.interrupted:
        return 128 + played.interrupted
    return 1 if played.outcome.unanswered or played.outcome.unsent else 0


def _play(script: ClientScript, launch: Launch, options: argparse.Namespace) -> Played:
    from mcptap.play.conversation import Pace
    from mcptap.play.process import stop_sequence
    from mcptap.play.record import open_recording, unrecorded
    from mcptap.play.send import Listener, play

    say = _silent if options.quiet else _say
    printer = Printer(options.cut, options.quiet)
    recorder: Recorder
    if options.no_record:
        recorder = unrecorded(launch)
    else:
        name = options.name or (script.header.name if script.header is not None else None)
        recorder, file = open_recording(launch, options.record, "send", _say, name)
        say(f"recording to {file.path or 'nowhere'}")
    try:
        played = play(
            script,
            launch,
            recorder,
            Listener(printer.sent, printer.came),
            pace=Pace(options.pace),
            timeout_s=options.timeout,
            stop=stop_sequence(options.grace),
        )
    finally:
        recorder.close()
    printer.ended(played.exit)
    return played


class Printer:
    """Prints the transcript as it grows. A reader that has gone away is no error here."""

    def __init__(self, cut: int | None, quiet: bool) -> None:
        self._cut = cut
        self._gone = quiet

    def sent(self, data: bytes) -> None:
        """Print what goes to the server."""
        from mcptap.play import transcript

        self._print(transcript.sent(data, self._cut))

    def came(self, line: Line) -> None:
        """Print a line of the server's stdout; pass one of its stderr on."""
        from mcptap.play import transcript
        from mcptap.wire import STDERR

        if line.channel == STDERR:
            os.write(2, line.raw)
        else:
            self._print(transcript.came(line.data, line.eol, self._cut))

    def ended(self, end: Exit) -> None:
        """Print how the server ended."""
        from mcptap.play import transcript

        self._print(transcript.ended(end))

    def _print(self, text: str) -> None:
        if self._gone:
            return
        try:
            sys.stdout.write(text.encode(errors="backslashreplace").decode() + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            self._gone = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _say(sentence: str) -> None:
    from mcptap.play.transcript import printable

    print(f"mcptap: {printable(sentence)}", file=sys.stderr, flush=True)


def _silent(sentence: str) -> None:
    """What is said to someone who wants no words."""
