"""The command line of `mcptap run`. By hand: argparse costs as much as a bare interpreter."""

from __future__ import annotations

from mcptap.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

HELP = """usage: mcptap run [OPTIONS] -- COMMAND [ARGS…]
       mcptap [OPTIONS] -- COMMAND [ARGS…]

Start an MCP server, pass every byte between it and the client unchanged, and
record each line. Everything behind -- belongs to the server.

options:
  --name NAME        call the server NAME (else it is named after its command)
  --record WHERE     record to WHERE: a folder, or a file (if it exists, a
                     numbered sibling is used); without this option in the
                     user's state directory, see mcptap ls
  --no-record        record nothing
  --record-terminal  if stdin is a terminal, read it for the server and record
                     what is typed. Without this option the server has the
                     terminal itself, as it may ask for a password, and what is
                     typed is not recorded
  --record-secrets   keep secrets of the command line in the recording's header
                     (default: masked; the server gets them in any case)
  --divert           while a server is being mended: lines of its stdout that
                     are certainly no messages go to stderr instead of to the
                     client, and text in front of a message is taken off. All
                     else passes as it came. Text without a newline waits for
                     it, 10 seconds at most. Without effect where stdout and
                     stderr are one. The recording has what came, and what of
                     it went where. mcptap wrap --divert writes this option
                     into a client's configuration
  -q, --quiet        say nothing on stderr, unless the server can't be started
  -h, --help         show this help

The exit status is the server's own: its code, or death by the same signal.
127 if there is no such command, 126 if it can't be executed, 2 for a mistake
in the options.

examples:
  mcptap run --name weather -- npx -y some-weather-server
      what a client's configuration names
  mcptap run --record logs/ -- python server.py
      record to a folder of your own
  mcptap run --divert -- python server.py
      keep its prints from the client
"""


VALUES = ("--name", "--record")
"""Options with a value, each the name of the attribute that it sets."""

FLAGS = {
    "--divert": "divert",
    "--no-record": "no_record",
    "--record-secrets": "record_secrets",
    "--record-terminal": "record_terminal",
    "--quiet": "quiet",
    "-q": "quiet",
    "--help": "help",
    "-h": "help",
}
"""Options without a value, and the attributes that they set."""


class Options:
    """What the arguments ask for. Raises UserError if they make no sense."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.name = ""
        self.record = ""
        self.no_record = False
        self.record_terminal = False
        self.record_secrets = False
        self.divert = False
        self.quiet = False
        self.help = False
        self.command: list[str] = []
        self.separated = False
        rest = list(arguments)
        while rest:
            word = rest.pop(0)
            if word == "--":
                self.separated = True
                self.command = rest
                break
            if not word.startswith("-"):
                self.command = [word, *rest]
                break
            self._take(word, rest)
        if self.help:
            return
        if not self.command:
            raise UserError(
                "run needs the server's command behind --, as in: mcptap run -- npx -y some-server"
            )
        if self.record and self.no_record:
            raise UserError("run was told both --record and --no-record; leave one of them out")

    def _take(self, word: str, rest: list[str]) -> None:
        option, has_value, value = word.partition("=")
        if option in VALUES:
            if not has_value:
                if not rest or rest[0] == "--":
                    raise UserError(f"option {option} of run needs a value")
                value = rest.pop(0)
            if not value:
                raise UserError(f"option {option} of run needs a value that is not empty")
            setattr(self, option[2:], value)
        elif word in FLAGS:
            setattr(self, FLAGS[word], True)
        else:
            raise UserError(
                f"run has no option {option!r}; see mcptap run --help (the server's own go behind --)"
            )
