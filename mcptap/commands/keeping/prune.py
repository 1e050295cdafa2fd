"""`mcptap prune`: say which recordings are over a limit, and delete them if told to."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

from mcptap.commands.options import Parser, count_or_all
from mcptap.commands.output import print_lines, tell
from mcptap.errors import UserError
from mcptap.recording.format.model import RecordingError
from mcptap.recording.library import header_of, search, start_of
from mcptap.recording.paths import default_folders
from mcptap.recording.reader import State
from mcptap.recording.removal import Listed, delete, list_file
from mcptap.recording.retention import (
    Candidate,
    Limit,
    over,
    parse_age,
    parse_size,
    save_standing_limit,
    settings_path,
    standing_limit,
)
from mcptap.text.escape import visible
from mcptap.text.table import Column, Row, table
from mcptap.text.terminal import Terminal
from mcptap.text.units import counted, date_time, size, when

COLUMNS = (
    Column("SERVER", least=10),
    Column("LAST USED", spare=2),
    Column("SIZE", right=True, spare=1),
    Column("WHY", least=12),
)
FILE = Column("FILE", least=12)


def main(arguments: list[str]) -> int:
    """Say what is over the limit, or delete it; return the exit status: 1 if something could not go."""
    options = _parser().parse_args(arguments)
    limit = Limit(options.older_than, options.keep, options.max_size, options.keep_findings)
    if options.forget:
        return _forget(limit, options)
    if options.save:
        return _save(limit, options)
    by_hand = not limit.is_none
    if limit.is_none and not options.probes:
        limit = _standing(limit)
    elif limit.is_none:
        limit = Limit(keep=0, keep_findings=limit.keep_findings)
    library = _Library(options.server, options.probes)
    going = over(library.candidates, limit, time.time_ns() // 1000, library.may_go(limit.keep_findings))
    for sentence in library.remarks():
        tell(sentence)
    if not by_hand and not options.probes:
        tell(f"by the standing limit in {settings_path(os.environ)}: {limit.words()}")
    if not going:
        total = size(sum(one.size for one in library.candidates))
        print(f"nothing to delete of {counted(len(library.candidates), 'recording')} ({total})")
        return 0
    if not options.yes:
        terminal = Terminal(sys.stdout)
        print(*_table(going, terminal), "", sep="\n")
        print_lines([f"{_of(going, library.candidates)} would go; --yes deletes them, for good"])
        return 0
    return _delete(going, library)


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap prune",
        description="Say which recordings are over a limit; with --yes delete them. Without --older-than, "
        "--keep, --max-size and --probes the standing limit of your settings holds. Nothing is ever deleted "
        "but by this command: only recordings in mcptap's own folders, that are yours, that nobody writes to "
        "and whose end is known.",
    )
    which = parser.add_argument_group("limits", "a recording goes if any of them says so")
    which.add_argument(
        "--older-than",
        type=_type(parse_age),
        metavar="AGE",
        help="nothing was recorded in it since: 30d, 12h, 2w",
    )
    which.add_argument(
        "--keep",
        type=count_or_all,
        metavar="N",
        help="of each server only the newest N stay (0: none), and of its probes",
    )
    which.add_argument(
        "--max-size",
        type=_type(parse_size),
        metavar="SIZE",
        help="the oldest go until all together have no more: 500MB, 2GB",
    )
    among = parser.add_argument_group("among which")
    among.add_argument(
        "--server", metavar="NAME", default="", help="only recordings of this server (or pattern with *)"
    )
    among.add_argument(
        "--probes", action="store_true", help="only what mcptap probe recorded; without a limit all of it"
    )
    among.add_argument(
        "--keep-findings", action="store_true", help="what mcptap ls shows a problem for stays"
    )
    parser.add_argument("--yes", action="store_true", help="delete them")
    standing = parser.add_argument_group("the standing limit")
    standing.add_argument(
        "--save", action="store_true", help="make this the standing limit, in your settings; delete nothing"
    )
    standing.add_argument("--forget", action="store_true", help="have no standing limit any more")
    return parser


def _type(parse: Callable[[str], int]) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def _save(limit: Limit, options: argparse.Namespace) -> int:
    if limit.is_none or options.server or options.probes or options.yes:
        raise UserError(
            "--save keeps a limit for all recordings: say it with --older-than, --keep, --max-size and "
            "--keep-findings, and nothing else"
        )
    path = save_standing_limit(limit, os.environ)
    print(f"saved in {visible(path)}: from now on mcptap prune alone means {limit.words()}")
    return 0


def _forget(limit: Limit, options: argparse.Namespace) -> int:
    if limit != Limit() or options.server or options.probes or options.yes or options.save:
        raise UserError("--forget takes the standing limit away, and goes with no other option")
    if standing_limit(os.environ) == limit:
        print("there was no standing limit")
        return 0
    print(f"no standing limit any more: {visible(save_standing_limit(limit, os.environ))}")
    return 0


def _standing(asked: Limit) -> Limit:
    """The standing limit. Raises UserError if there is none."""
    limit = standing_limit(os.environ)
    if limit.is_none:
        raise UserError(
            "there is no standing limit: say which recordings go (--older-than 30d, --keep 20, "
            "--max-size 500MB); --save keeps it for the next time"
        )
    findings = limit.keep_findings or asked.keep_findings
    return Limit(limit.older_than_s, limit.keep, limit.max_bytes, findings)


class _Library:
    """The recordings in mcptap's own folders that may be deleted, and why others may not."""

    def __init__(self, server: str, only_probes: bool) -> None:
        self.listed: dict[str, Listed] = {}
        self.candidates: list[Candidate] = []
        self._kept: Counter[str] = Counter()
        self._unfit: list[str] = []
        found = search()
        if found.ignored:
            tell(found.ignored_words())
        bases = default_folders(os.environ)
        for path in found.paths:
            base = next(base for base in bases if path.startswith(base + os.sep))
            listed = list_file(base, path)
            header = header_of(path)
            if isinstance(listed, str) or header is None:
                self._unfit.append(f"{path} ({listed if isinstance(listed, str) else 'it is no recording'})")
            elif _is_server(header.name, server) and (header.probe or not only_probes):
                self.listed[path] = listed
                last_us = max(listed.last_us, start_of(path))
                self.candidates.append(Candidate(path, header.name, last_us, listed.size, bool(header.probe)))

    def may_go(self, keep_findings: bool) -> Callable[[Candidate], bool]:
        """Whether a recording has ended for sure, and (with `keep_findings`) nothing was found in it."""

        def judge(candidate: Candidate) -> bool:
            why = _reason_to_stay(candidate.path, keep_findings)
            if why:
                self._kept[why] += 1
            return not why

        return judge

    def remarks(self) -> Iterator[str]:
        """What stays although it is over the limit, and what is left alone in any case."""
        if self._kept:
            said = ", ".join(f"{count:,} {why}" for why, count in sorted(self._kept.items()))
            yield f"stays though over the limit: {said}"
        if self._unfit:
            more = f" and {len(self._unfit) - 1:,} more" if len(self._unfit) > 1 else ""
            yield f"left alone: {self._unfit[0]}{more}"


def _is_server(name: str, wanted: str) -> bool:
    return not wanted or fnmatchcase(name.casefold(), wanted.casefold())


def _reason_to_stay(path: str, keep_findings: bool) -> str:
    from mcptap.captures.summary import summarise

    try:
        summary = summarise(path)
        if summary.state is State.LIVE:
            return "live"
        if summary.state is State.UNKNOWN:
            return "of unknown state"
        if not keep_findings:
            return ""
        from mcptap.diagnosis.explain.outcome import Outcome
        from mcptap.diagnosis.problems import judged

        done = judged(summary, is_probe=False, large=True)
    except RecordingError:
        return "that can't be read"
    problems = done.problems or {}
    fine = done.outcome in (Outcome.HEALTHY, Outcome.UNCLEAR)
    return "" if fine and not (problems.get("error") or problems.get("warning")) else "with findings"


def _delete(going: list[tuple[Candidate, str]], library: _Library) -> int:
    gone: list[tuple[Candidate, str]] = []
    status = 0
    for candidate, reason in going:
        why = delete(library.listed[candidate.path])
        if why:
            status = 1
            tell(f"{candidate.path} stays: {why}")
        else:
            gone.append((candidate, reason))
    print_lines([f"{_of(gone, library.candidates)} deleted"])
    return status


def _of(some: list[tuple[Candidate, str]], candidates: list[Candidate]) -> str:
    taken, total = sum(one.size for one, _ in some), sum(one.size for one in candidates)
    return f"{len(some):,} of {counted(len(candidates), 'recording')} ({size(taken)} of {size(total)})"


def _table(going: list[tuple[Candidate, str]], terminal: Terminal) -> list[str]:
    in_pipe = not terminal.width
    rows = [
        Row(
            [
                visible(one.server),
                date_time(one.last_us) if in_pipe else when(one.last_us),
                size(one.size),
                reason,
                visible(one.path if in_pipe else os.path.basename(one.path)),
            ],
            ["bold", "dim", "plain", "plain", "dim"],
        )
        for one, reason in going
    ]
    return table((*COLUMNS, FILE), rows, terminal)
