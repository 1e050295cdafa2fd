"""The options of `mcptap send`."""

from __future__ import annotations

from mcptap.commands import consent, secrets
from mcptap.commands.forms.choice import add_forms
from mcptap.commands.options import BOTH_SIDES, Parser, add_comparison, count, factor, seconds

DESCRIPTION = """\
Send a client's lines to a fresh server and print the transcript: --> what went,
<-- what came, and the exit code. The server's stderr goes to stderr.

FILE is a recording (or `latest`), whose client is played, a capture of another tool
that `mcptap check` reads, or a file with plain lines, which are sent byte for byte.
COMMAND starts the server; without it the recorded command runs, in the recorded
directory and environment. If this installation did not make the recording, it asks
first, on the terminal; values that are masked in it come from --secret, or are asked
there. On a terminal the lines of the transcript are cut to its width; in a pipe and
in the recording they are whole.
"""

EPILOG = """\
exit status: 0 every request was answered (with --compare: as it was recorded, with --expect: as
it is expected), 1 some were not, or the server printed on stdout, crashed or had to be killed where
the recorded one did not, 2 the play could not run: there is no request in FILE, say.

--write-expect FILE keeps a transcript in which ‹time›, ‹id›, ‹state› and others stand for what
differs from run to run; change it by hand as you like (‹any› is any text), and gate with --expect.

--compare takes times, ports, UUIDs and the like as the same (--explain), and overlooks what the
patterns in FILE.ignore name, one a line:
  tools/call result.content[*].text    this value, in answers to this method
  **.createdAt                         at any depth
  ** ~ times uuids ids temp numbers    only such parts of texts, everywhere
"""


def parser() -> Parser:
    """The parser of `mcptap send`."""
    made = Parser(
        prog="mcptap send",
        usage="mcptap send [OPTIONS] FILE|latest [-- COMMAND [ARGS…]]",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    add = made.add_argument
    add("file", metavar="FILE", help=f"a recording, `latest`, a capture, or plain lines; {BOTH_SIDES}")
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
    add("--no-calls", action="store_true", help="leave calls of tools (tools/call) out")
    add("--dry-run", action="store_true",
        help="print the command and the lines that would be sent, secrets masked; start nothing")  # fmt: skip
    add("--cut", type=count, metavar="N", help="cut long values with … after N characters")
    add("--cwd", metavar="DIR", help="the server's working directory")
    add("--like", metavar="RECORDING",
        help="start COMMAND in the directory and environment of this recording; without COMMAND, "
        "the recorded one")  # fmt: skip
    consent.add_option(made)
    secrets.add_option(made)
    add("--masked", action="store_true",
        help="mask secrets in the transcript and in the server's stderr too (default: as they are there; "
        "masked in what --compare and --expect find, and in what --write-expect writes)")  # fmt: skip
    add("--masked-values", action="store_true",
        help="send lines in which secrets were masked (‹masked:…›) as they stand")  # fmt: skip
    add("--quiet", "-q", action="store_true", help="no transcript, and no words of mcptap on stderr")
    add("--name", help="the server's name in the recording")
    judged = made.add_mutually_exclusive_group()
    judged.add_argument(
        "--compare", action="store_true", help="compare the new answers with the recorded ones"
    )
    judged.add_argument("--expect", metavar="FILE", help="compare the new answers with those in this file")
    add("--write-expect", metavar="FILE", help="write what came as a file for --expect")
    add("--slower", type=factor, metavar="F",
        help="with --compare: an answer that takes F times as long differs")  # fmt: skip
    add_comparison(made)
    add(
        "--ignore",
        metavar="FILE",
        help="with --compare or --expect: patterns of what to overlook, besides FILE.ignore",
    )
    add_forms(made)
    where = made.add_mutually_exclusive_group()
    where.add_argument("--record", metavar="DIR|FILE", help="where this run is recorded")
    where.add_argument("--no-record", action="store_true", help="do not record this run")
    return made
