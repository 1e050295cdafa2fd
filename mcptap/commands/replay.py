"""`mcptap replay [FILE|latest|FOLDER|NAME]`: a recording on the screen, or the list of them."""

from __future__ import annotations

import os
import sys
from fnmatch import fnmatchcase

from mcptap.captures.sections import selected
from mcptap.commands.options import BOTH_SIDES, Parser
from mcptap.commands.output import tell
from mcptap.errors import UserError
from mcptap.recording.format.decode import decode_header, is_recording
from mcptap.recording.format.model import RecordingError
from mcptap.recording.library import find, header_of, is_reference, search
from mcptap.recording.paths import SUFFIX, default_folders

HEADER_LIMIT = 1 << 20


def main(arguments: list[str]) -> int:
    """Open the recording, or the list, on the terminal; return the exit status."""
    options = _parser().parse_args(arguments)
    if options.run:
        return _show_run(options.file, light=options.light)
    if not options.file:
        return show_list(light=options.light)
    if os.path.isdir(options.file):
        return show_list([options.file], light=options.light)
    if _is_name(options.file):
        return show_list(text=_servers_called(options.file), light=options.light)
    path = find(options.file, tell)
    check_recording(path)
    require_terminal(f"mcptap show {options.file}")

    # The indexer starts first: by the time the screen is there, a small recording is indexed.
    from mcptap.tui.index.opening import feed_of

    feed = feed_of(path)
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
        description="Browse, watch and play a recording on the terminal, or choose one from the list. "
        "Press ? there for the keys.",
    )
    parser.add_argument(
        "file",
        nargs="?",
        default="",
        metavar="FILE|latest|FOLDER|NAME",
        help="a recording, or the newest one, or another tool's log or capture, "
        f"{BOTH_SIDES}; of a folder, and of servers "
        "so called (part of the name, or a pattern with *), the list; without it the list of all",
    )
    parser.add_argument(
        "--run",
        action="store_true",
        help="all servers that one client started, on one timeline: those of the run that FILE is of; "
        "without one the newest run (of FOLDER), then always the newest one",
    )
    parser.add_argument("--light", action="store_true", default=None, help="light colours")
    parser.add_argument("--dark", action="store_false", dest="light", help="dark colours")
    return parser


def show_list(folders: list[str] | None = None, text: str = "", *, light: bool | None = None) -> int:
    """Show the list of these folders (None: the default ones), filtered; return the exit status."""
    require_terminal(f"mcptap ls {folders[0]}" if folders else "mcptap ls")
    from mcptap.tui.app import run
    from mcptap.tui.recordings.screen import SessionsScreen

    return run(SessionsScreen(folders, text), light=light)


def _show_run(target: str, *, light: bool | None) -> int:
    """Show the run that a recording is of, or the newest one; return the exit status."""
    folders: list[str] | None = None
    path = None
    if os.path.isdir(target):
        folders = [target]
    elif target:
        path = os.path.abspath(find(target, tell))
        check_recording(path)
        if not any(_is_below(path, folder) for folder in default_folders(os.environ)):
            folders = [os.path.dirname(path)]
    require_terminal(f"mcptap ls {folders[0]}" if folders else "mcptap ls")
    from mcptap.tui.app import run
    from mcptap.tui.runs.screen import RunOverview

    return run(RunOverview(folders, path), light=light)


def _is_below(path: str, folder: str) -> bool:
    return os.path.commonpath((path, os.path.abspath(folder))) == os.path.abspath(folder)


def _is_name(target: str) -> bool:
    """Whether a target is meant as a server's name: it is no file, and does not look like one."""
    target = selected(target)[0]
    looks_like_a_file = os.sep in target or "/" in target or os.path.splitext(target)[1] in (SUFFIX, ".json")
    return not (looks_like_a_file or is_reference(target) or os.path.lexists(target))


def _servers_called(name: str) -> str:
    """The filter for servers of this name. Raises UserError if none was recorded."""
    pattern = name if "*" in name or "?" in name else f"*{name}*"
    headers = filter(None, map(header_of, search().paths))
    if not any(fnmatchcase(header.name.casefold(), pattern.casefold()) for header in headers):
        raise UserError(f"there is no file {name}, and no recording of a server called so; see mcptap ls")
    escaped = pattern.replace("\\", "\\\\").replace('"', '\\"')
    return f'server:"{escaped}"'


def check_recording(path: str) -> None:
    """Raise UserError, in one sentence, if the file is no recording or capture that can be shown."""
    try:
        with open(selected(path)[0], "rb") as file:
            if not file.seekable():
                raise UserError(f"{path}: is a pipe, and the screen goes back and forth: save it in a file")
            head = file.readline(HEADER_LIMIT)
    except OSError as error:
        raise UserError(f"{path}: cannot be opened: {error.strerror}") from error
    if not head:
        raise UserError(f"{path}: is empty: nothing was recorded")
    if not is_recording(head):
        from mcptap.captures.open import open_source

        open_source(path).close()
        return
    try:
        decode_header(head)
    except RecordingError as error:
        raise UserError(f"{path}: {error}") from error


def require_terminal(instead: str) -> None:
    """Raise UserError, naming the command to use instead, if there is no terminal to draw on."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise UserError(f"the screen needs a terminal; without one, use: {instead}")
