"""`mcptap replay FILE|latest`: a recording on the screen."""

from __future__ import annotations

import os
import sys

from mcptap.commands.options import Parser
from mcptap.commands.output import tell
from mcptap.errors import UserError
from mcptap.recording.format.decode import decode_header
from mcptap.recording.format.model import RecordingError
from mcptap.recording.library import find

HEADER_LIMIT = 1 << 20


def main(arguments: list[str]) -> int:
    """Open the recording on the terminal; return the exit status."""
    options = _parser().parse_args(arguments)
    path = find(options.file, tell)
    check_recording(path)
    require_terminal(options.file)

    # The indexer starts first: by the time the screen is there, a small recording is indexed.
    from mcptap.tui.index.feed import Feed

    feed = Feed(path)
    feed.preview()
    feed.start()
    try:
        from mcptap.tui.app import run
        from mcptap.tui.session.screen import SessionScreen

        return run(SessionScreen(feed), light=options.light)
    finally:
        feed.close()


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap replay",
        description="Browse, watch and play a recording on the terminal. Press ? there for the keys.",
    )
    parser.add_argument("file", metavar="FILE|latest", help="a recording, or the newest one")
    parser.add_argument("--light", action="store_true", default=None, help="light colours")
    parser.add_argument("--dark", action="store_false", dest="light", help="dark colours")
    return parser


def check_recording(path: str) -> None:
    """Raise UserError, in one sentence, if the file is no recording that can be shown."""
    try:
        with open(path, "rb") as file:
            if not file.seekable():
                raise UserError(f"{path}: is a pipe, and the screen goes back and forth: save it in a file")
            head = file.readline(HEADER_LIMIT)
    except OSError as error:
        raise UserError(f"{path}: cannot be opened: {error.strerror}") from error
    if not head:
        raise UserError(f"{path}: is empty: nothing was recorded")
    try:
        decode_header(head)
    except RecordingError as error:
        raise UserError(f"{path}: {error}") from error


def require_terminal(target: str) -> None:
    """Raise UserError if there is no terminal to draw on."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise UserError(f"the screen needs a terminal; without one, use: mcptap show {target}")
