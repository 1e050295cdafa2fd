"""`mcptap ls`: recordings, newest first; of a folder also what other tools captured."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from mcptap.captures.open import SUFFIXES
from mcptap.captures.summary import Summary, summarise, summarise_sessions, with_probes
from mcptap.commands.options import Parser, add_unmasked, count_or_all
from mcptap.commands.output import tell
from mcptap.errors import UserError
from mcptap.recording import made_here
from mcptap.recording.format.model import RecordingError
from mcptap.recording.library import header_of, is_of_probe, reference, search
from mcptap.recording.paths import SUFFIX, default_folders
from mcptap.recording.retention import Candidate, over, standing_limit
from mcptap.report.recordings import Entry, as_object, as_table
from mcptap.text.escape import visible_json
from mcptap.text.terminal import Terminal
from mcptap.text.units import counted, size

SHOWN = 30
"""So many sessions are listed if nothing else was asked for."""


def main(arguments: list[str]) -> int:
    """List recordings; return the exit status."""
    options = _parser().parse_args(arguments)
    folders, name = _place(options.what)
    if folders and not os.path.isdir(folders[0]):
        raise UserError(f"there is no folder {folders[0]}; give a folder with recordings, or a server's name")
    library = search(folders, SUFFIXES if folders else (SUFFIX,))
    if library.ignored:
        tell(library.ignored_words())
    recordings, no_recordings = _apart(library.paths) if folders else (library.paths, [])
    captures = _captured(no_recordings)
    found = _Found(
        recordings, name, options.number, with_probes=options.probes or bool(folders), captures=captures.found
    )
    entries = list(found.entries(plain_names=bool(folders)))
    if options.json:
        masker = None if options.unmasked else made_here.masker()
        listed = [as_object(entry, of, masker) for entry, of in entries]
        print(visible_json(json.dumps(listed, indent=2, ensure_ascii=False)))
        return 0
    if not entries:
        where = " or ".join(folders or default_folders(os.environ))
        called = f" of a server called {name}" if name else ""
        others = found.left_out_words()
        others = f" but {others} (mcptap ls --probes)" if others else ""
        tell(f"there is no recording{called} in {where}{others}; mcptap run makes one")
        return 0
    terminal = Terminal(sys.stdout)
    print(*as_table([entry for entry, _ in entries], terminal), sep="\n")
    notes = [*found.notes(), *captures.notes(), *_sizes(recordings, by_default=not folders)]
    if terminal.width and notes:
        print("", *(terminal.paint(terminal.fit(note), "dim") for note in notes), sep="\n")
    return 0


def _apart(paths: list[str]) -> tuple[list[str], list[str]]:
    """Recordings, and files that are none, of which a search puts those last."""
    at = len(paths)
    while at and header_of(paths[at - 1]) is None:
        at -= 1
    return paths[:at], paths[at:]


@dataclass(slots=True)
class _Captured:
    """What other tools captured."""

    found: list[Summary]
    unusable: int
    """How many files called .jsonl are neither recording nor capture."""

    def notes(self) -> list[str]:
        """What the table does not show."""
        words = counted(self.unusable, "other .jsonl file")
        return [f"{words} can't be read as a recording or a capture"] if self.unusable else []


def _captured(paths: list[str]) -> _Captured:
    """The sessions of the captures among these files; a folder may hold much that is none."""
    captured = _Captured([], 0)
    for path in paths:
        try:
            captured.found += summarise_sessions(path)
        except (OSError, RecordingError):
            captured.unusable += path.endswith(SUFFIX)
    return captured


def _parser() -> Parser:
    parser = Parser(prog="mcptap ls", description="List recordings, newest first.")
    parser.add_argument(
        "what",
        nargs="?",
        metavar="NAME|FOLDER",
        default="",
        help="only recordings of servers so called (part of the name, or a pattern with *); "
        "what has a slash in it is a folder to list instead, with the logs and captures of other tools in it",
    )
    parser.add_argument(
        "-n",
        dest="number",
        type=count_or_all,
        default=SHOWN,
        help=f"how many sessions, 0 for all (default {SHOWN})",
    )
    parser.add_argument(
        "--probes",
        action="store_true",
        help="also what mcptap probe recorded (latest-probe, latest-probe~1 …); "
        "without a FOLDER it is left out",
    )
    parser.add_argument("--json", action="store_true", help="one JSON array of objects")
    add_unmasked(parser)
    return parser


def _place(what: str) -> tuple[list[str] | None, str]:
    """The folders to list (None: the default ones) and the name to look for."""
    is_folder = "/" in what or os.sep in what or what in (".", "..")
    return ([what], "") if is_folder else (None, what)


def _sizes(paths: list[str], by_default: bool) -> Iterator[str]:
    """How much room the recordings take, and whether that is over the user's standing limit."""
    found = []
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            continue
        server = os.path.basename(os.path.dirname(path))
        found.append(Candidate(path, server, status.st_mtime_ns // 1_000, status.st_size))
    yield f"{counted(len(found), 'recording')} in all, {size(sum(one.size for one in found))}"
    if not by_default:
        return
    try:
        limit = standing_limit(os.environ)
    except UserError as error:
        tell(str(error))
        return
    if limit.keep is not None:
        found = [replace(one, is_probe=is_of_probe(one.path)) for one in found]
    going = over(found, limit, time.time_ns() // 1000, lambda _: True)
    if going:
        yield f"over your limit ({limit.words()}): {len(going):,} of them; mcptap prune says which"


class _Found:
    """Sums up recordings until there are enough."""

    def __init__(
        self, paths: list[str], name: str, number: int, *, with_probes: bool, captures: list[Summary]
    ) -> None:
        self._paths = paths
        self._captures = captures
        self._not_shown = 0
        """How many sessions of captures were too many."""
        self._with_probes = with_probes
        self._left_out = 0
        self._references: dict[str, str] = {}
        self._name = name.casefold()
        self._number = number
        self._looked_at = 0
        self._unusable = 0

    def entries(self, plain_names: bool) -> Iterator[tuple[Entry, str | None]]:
        """Entries in the order of the list, each with the session that it is a probe of."""
        from mcptap.diagnosis.problems import judged

        for session, probes in self._sessions():
            for unjudged in (session, *probes):
                path, is_probe = unjudged.path, unjudged is not session
                which = os.path.basename(path) if plain_names else self._references[path]
                summary = judged(unjudged, is_probe=is_probe)
                yield Entry(summary, which, is_probe), session.path if is_probe else None

    def notes(self) -> list[str]:
        """What the table does not show."""
        notes = []
        more = len(self._paths) - self._looked_at
        if more > 0:
            notes.append(f"{counted(more, 'older recording')} not looked at: mcptap ls -n 0 lists all")
        if self._not_shown:
            notes.append(f"{counted(self._not_shown, 'older session')} not shown: mcptap ls -n 0 lists all")
        if self._left_out:
            notes.append(f"{self.left_out_words()} left out: mcptap ls --probes")
        if self._unusable:
            notes.append(f"{counted(self._unusable, 'other .jsonl file')} can't be read as a recording")
        return notes

    def left_out_words(self) -> str:
        """The recordings of probes that are not listed, in words; empty if there are none."""
        return f"{counted(self._left_out, 'recording')} of mcptap probe" if self._left_out else ""

    def _sessions(self) -> list[tuple[Summary, list[Summary]]]:
        """As many sessions as were asked for, with their probes, which are older than they."""
        found: list[Summary] = []
        counts = {False: 0, True: 0}
        for path in self._paths:
            self._looked_at += 1
            try:
                summary = summarise(path)
            except RecordingError:
                self._unusable += 1
                counts[False] += 1  # as `find` counts
                continue
            of_probe = bool(summary.header.probe)
            self._references[path] = reference(counts[of_probe], of_probe=of_probe)
            counts[of_probe] += 1
            if not self._is_wanted(summary.name.casefold()):
                continue
            if of_probe and not self._with_probes:
                self._left_out += 1
                continue
            found.append(summary)
            if self._number and len(with_probes(found)) > self._number:
                self._looked_at -= 1
                break
        sessions = with_probes([*found, *self._captures])
        shown = sessions[: self._number] if self._number else sessions
        self._not_shown = sum(1 for session, _ in sessions[len(shown) :] if session.origin)
        return shown

    def _is_wanted(self, name: str) -> bool:
        if "*" in self._name or "?" in self._name:
            return fnmatchcase(name, self._name)
        return self._name in name
