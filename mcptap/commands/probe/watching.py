"""`mcptap probe --watch DIR`: again whenever something changes below a folder, and what that changed."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import trio

from mcptap.commands.output import tell
from mcptap.errors import UserError
from mcptap.play.probe.report.judged import JudgedProbe
from mcptap.play.probe.report.text import report
from mcptap.play.server.interrupt import unless_interrupted
from mcptap.play.watch.changes import changes
from mcptap.play.watch.folder import MOST_FILES, Watch
from mcptap.recording.paths import default_folders
from mcptap.text.enumeration import listed
from mcptap.text.escape import visible
from mcptap.text.paragraphs import hanging
from mcptap.text.terminal import Terminal

if TYPE_CHECKING:
    from mcptap.masking.masker import Masker

NAMED = 3
"""So many changed files are named."""

Styled = tuple[str, str, int]


def watch(
    folder: str, record: str | None, probe: Callable[[], Awaitable[JudgedProbe]], masker: Masker | None
) -> int:
    """Probe until a signal ends it; return the exit status. Raises UserError if there is no such folder.

    `record` is where the recordings go, which begin no run.
    """
    if not os.path.isdir(folder):
        raise UserError(f"--watch takes a folder, and {folder} is none")
    watched = Watch(os.path.abspath(folder), _our_own(record))
    _, interrupted = trio.run(unless_interrupted, partial(_probe_again_and_again, watched, probe, masker))
    tell("the watch was ended; the server is stopped")
    return 128 + interrupted


def _our_own(record: str | None) -> frozenset[str]:
    """Where recordings of ours may go."""
    return frozenset(map(os.path.abspath, [*default_folders(os.environ), *([record] if record else [])]))


async def _probe_again_and_again(
    watched: Watch, probe: Callable[[], Awaitable[JudgedProbe]], masker: Masker | None
) -> None:
    before: JudgedProbe | None = None
    why: list[str] = []
    while True:
        watched.run_begins()
        try:
            now = await probe()
        except UserError as error:
            _show([("error", f"{_time()} {error}", 4)], masker)
        else:
            _show(_told(before, now, why, watched.folder), masker)
            before = now
        _show(_notes(watched, watched.run_ended()), masker)
        why = await watched.changed()


def _told(before: JudgedProbe | None, now: JudgedProbe, why: list[str], folder: str) -> Iterator[Styled]:
    if before is None:
        yield from report(now)
        return
    names = [os.path.relpath(path, folder) for path in why]
    yield "bold", f"{_time()} changed: {listed(names, NAMED)}", 4
    told = [(style, f"  {line}", 6) for style, line in changes(before, now)]
    yield from told or [("dim", "  the server is as it was in the run before", 4)]
    yield "bold", f"  {now.summary}", 4


def _notes(watched: Watch, own: list[str]) -> Iterator[Styled]:
    if own:
        names = [os.path.relpath(path, watched.folder) for path in own]
        many = len(own) > 1
        what = "they change" if many else "it changes"
        yield "dim", f"  {listed(names, NAMED)}: {what} in each run, so that alone begins no run any more", 4
        if watched.writes_new:
            yield "dim", "  each run leaves files of new names: such a file alone begins no run any more", 4
    if watched.is_cut:
        yield "warning", f"  more than {MOST_FILES:,} files; the others are not watched", 4


def _time() -> str:
    return f"{datetime.now():%H:%M:%S}"


def _show(lines: Iterable[Styled], masker: Masker | None) -> None:
    terminal = Terminal(sys.stdout)
    for style, line, hang in lines:
        shown = visible(line if masker is None else masker.text(line))
        for piece in hanging(shown, terminal.width, hang):
            print(terminal.paint(piece, style))
    sys.stdout.flush()
