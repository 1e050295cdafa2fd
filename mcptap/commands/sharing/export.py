"""`mcptap export FILE…`: sessions as Markdown, as a page, or as masked recordings, to be passed on."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mcptap.commands.options import Parser
from mcptap.commands.output import tell
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.export.session import Choice, Shown
    from mcptap.masking.masker import Masker

MARKDOWN, PAGE, RECORDING = "md", "html", "jsonl"
FORMATS = (MARKDOWN, PAGE, RECORDING)
STDOUT = "-"
STANDARD_INPUT = "standard input"
MOST_SESSIONS = 50
"""In one text or page."""

DESCRIPTION = """\
Make sessions ready to be passed on: as Markdown for an issue, as a page of one file that any browser shows,
or as a recording that mcptap reads. Tokens, passwords and keys are masked, equal ones alike, in what both
sides said as well."""

EPILOG = """md and html say what became of the session, each finding with its remedy and the records around
it, how the server was started, the requests and the transcript. They choose what has room (60 kB of md), and
say what they left out. Of a session of more than 60,000 records they judge the beginning and the end, unless
--all is given.

jsonl is the recording with masks in place of secrets, marked as masked: check, show and replay read it. Lines
that held no secret keep their bytes. Its findings are those of the original; what hangs on how a masked value
looked is named in the header and not judged again. What other tools logged becomes a recording that says what
is not known.

Masking is a safety net: look through what you pass on."""


def main(arguments: list[str]) -> int:
    """Export sessions; return the exit status: 2 if one of those named can't be used."""
    parser = _parser()
    options = parser.parse_args(arguments)
    form = options.format or _form_of(options.output)

    from mcptap.commands.show import query_of
    from mcptap.recording import made_here

    query = query_of(options.filter)
    masker = None if options.unmasked else made_here.masker()
    if form == RECORDING:
        return _recordings(options, masker)

    from mcptap.export.markdown import CHOICE as SHORT
    from mcptap.export.markdown import markdown
    from mcptap.export.page import CHOICE as LONG
    from mcptap.export.page import page

    choice = (SHORT if form == MARKDOWN else LONG).changed(options.all, query)
    shown, is_complete = read_all(options.files, choice, masker)
    made = (markdown if form == MARKDOWN else page)(shown, masker)
    target = options.output
    if os.path.isdir(target):
        target = free_name(target, shown[0].checked.header.name, f".{form}")
    put(target, [made.encode(errors="replace")], options.force)
    return 0 if is_complete else 2


def _parser() -> Parser:
    parser = Parser(prog="mcptap export", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE|latest|NAME",
        help="a recording, another tool's log or capture (FILE#2: the second session in it; s2c=FILE), a "
        "folder of them, the newest session, or the newest of the server NAME",
    )
    parser.add_argument("--format", choices=FORMATS, help="what is made (default: by the end of -o, else md)")
    parser.add_argument(
        "--filter", metavar="QUERY", default="", help="only records that match, as for mcptap show"
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE|FOLDER",
        default=STDOUT,
        help="where it goes: a new file, a folder (several recordings need one), or - for standard output "
        "(default)",
    )
    parser.add_argument("--force", action="store_true", help="replace FILE if it is there already")
    parser.add_argument(
        "--all", action="store_true", help="judge all of a long session, however long that takes"
    )
    parser.add_argument(
        "--unmasked",
        action="store_true",
        help="leave tokens, passwords and keys in it as they are: it is for nobody but you then",
    )
    return parser


def _form_of(output: str) -> str:
    end = os.path.splitext(output)[1].lstrip(".").lower()
    return {"htm": PAGE, "html": PAGE, "jsonl": RECORDING}.get(end, MARKDOWN)


def read_all(targets: list[str], choice: Choice, masker: Masker | None) -> tuple[list[Shown], bool]:
    """The sessions, and whether all that were named could be used. Raises UserError if none could."""
    from mcptap.captures.open import STDIN
    from mcptap.commands.sharing.sessions import on_disk, sessions_meant
    from mcptap.export.session import read_session
    from mcptap.recording.format.model import RecordingError

    shown: list[Shown] = []
    failed: list[RecordingError] = []
    for path, is_named in sessions_meant(targets):
        if len(shown) == MOST_SESSIONS:
            raise UserError(
                f"that are more than {MOST_SESSIONS} sessions: name fewer, or choose --format jsonl"
            )
        try:
            with on_disk(path) as file:
                shown.append(read_session(file, choice, masker, sys.stderr))
                if path == STDIN:
                    shown[-1].checked.path = STANDARD_INPUT
        except RecordingError as error:
            if is_named:
                failed.append(error)
    if not shown:
        raise failed[0] if failed else UserError("none of the folders holds a recording")
    for each in failed:
        tell(f"{each}; left out")
    return shown, not failed


def _recordings(options: argparse.Namespace, masker: Masker | None) -> int:
    from mcptap.commands.sharing.sessions import on_disk, sessions_meant
    from mcptap.commands.show import query_of
    from mcptap.export.copies import copy_of
    from mcptap.recording import made_here
    from mcptap.recording.format.model import RecordingError
    from mcptap.recording.paths import SUFFIX

    meant = list(sessions_meant(options.files))
    into_folder = os.path.isdir(options.output)
    if len(meant) > 1 and not into_folder:
        raise UserError(f"{len(meant)} recordings need a folder: give one that is there with -o FOLDER")
    if not meant:
        raise UserError("none of the folders holds a recording")
    made, failed = 0, 0
    for path, is_named in meant:
        # Each counts for itself; equal secrets have equal masks all the same.
        own = None if masker is None else made_here.masker()
        target = options.output
        if into_folder:
            stem = os.path.splitext(os.path.basename(path))[0] if path != "-" else "standard-input"
            target = free_name(options.output, f"{stem}.masked" if own else stem, SUFFIX)
        try:
            with on_disk(path) as file:
                pieces = copy_of(file, own, query_of(options.filter), options.filter)
                put(target, pieces, options.force, own)
            made += 1
        except RecordingError as error:
            if len(meant) == 1:
                raise
            if is_named:
                tell(f"{error}; left out")
                failed += 1
    if not made and not failed:
        raise UserError("none of the folders holds a recording")
    return 2 if failed else 0


def put(target: str, pieces: Iterable[bytes], replace: bool, masker: Masker | None = None) -> None:
    """Write to standard output, or a file and say so."""
    if target == STDOUT:
        sys.stdout.buffer.writelines(pieces)
        sys.stdout.buffer.flush()
        return
    from mcptap.export.output import write

    write(target, pieces, replace=replace)
    words = masker.words() if masker is not None else ""
    tell(f"{target}: written" + (f"; masked: {words}" if words else ""))


def free_name(folder: str, stem: str, suffix: str) -> str:
    """A path in the folder that does not exist yet."""
    from mcptap.recording.paths import clean_name

    path = os.path.join(folder, clean_name(stem) + suffix)
    number = 1
    while os.path.lexists(path):
        number += 1
        path = os.path.join(folder, f"{clean_name(stem)}.{number}{suffix}")
    return path
