"""Several sessions in one file: where each begins and ends, and how a user names one.

`FILE#2` is the second session of FILE, in the order in which they began.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from mcptap.recording.format.model import RecordingError

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BLOCK = 1 << 20
MAX_LINE = 1 << 20
"""A line of more bytes begins or ends no session: such lines are short."""

MAX_SECTIONS = 100_000
"""A file with more sessions is refused: to leave some out in silence would call the wrong one the last."""

_STARTS, _ENDS, _BREAKS, _MENTIONS = range(4)
_SELECTED = re.compile(r"(.+)#([1-9]\d{0,5})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sessions:
    """How a format tells where sessions begin and end, if a file of it may hold several.

    The patterns are searched in the bytes of the file and have to fit within a line: write `(?m)^`. They may
    have the groups `name` (the server), without which all lines belong to one, and `key` (a process or a
    connection, where a line tells it). `ends` has to match once for each process; without it nothing is known
    of processes that overlap. At `breaks` all that ran before has ended: the client itself began anew.
    """

    starts: re.Pattern[bytes]
    ends: re.Pattern[bytes] | None = None
    breaks: re.Pattern[bytes] | None = None
    mentions: re.Pattern[bytes] | None = None
    """What also shows a session, of a name of which no start came before: its beginning is missing. With it,
    an end more than there were starts is that of one more process, and what shows life behind an end, too."""
    each_name: bool = False
    """Whether a name is one session however often it starts, from its first line on: where a log of several
    servers does not tell their processes. One name alone is the whole file."""
    one_at_a_time: bool = False
    """Whether who writes it ends a process before it starts the next, though no line may tell the end."""
    start_words: bytes = b""
    """Words that are in each line which `starts` fits: only such lines are looked at. It is much quicker."""
    end_words: bytes = b""
    """The same of `ends`."""
    mention_words: bytes = b""
    """The same of `mentions`."""


@dataclass(slots=True)
class Section:
    """One session of a file: the bytes from `begin` to `end`, in which lines of others may stand, too."""

    begin: int
    end: int
    name: str = ""
    """The server; empty if the format does not name it."""
    key: str = ""
    """What tells the lines of this process from those of others; empty if nothing does."""
    shared: bool = False
    """Whether two processes wrote at the same time, so that whose a line is can't be told."""
    first_line: int = 1
    """The number of its first line in the file."""
    begun: bool = True
    """Whether its start is in the file."""
    alone: bool = True
    """Whether no other session of the file can have gone on beside it, as far as the format can tell."""
    processes: int = 1
    """How many processes of it have started and not ended, where the file tells ends."""


def selected(path: str) -> tuple[str, int]:
    """The file that is meant by `FILE#2`, and the number of the session; 0 if none was named."""
    found = _SELECTED.fullmatch(path)
    if found is None or os.path.lexists(path):
        return path, 0
    return found[1], int(found[2])


def find_sections(file: BinaryIO, sessions: Sessions) -> list[Section]:
    """The sessions in a file, in the order in which they began; empty if none begins in it.

    An end without a start is that of a session whose beginning is missing: the file was cut in front. So are
    messages before the first start, if lines do not tell the server that they are of.

    Raises RecordingError (without the file's name) if there are more than `MAX_SECTIONS`.
    """
    found: list[Section] = []
    running: dict[tuple[str, str], Section] = {}
    line = 1
    end = 0
    for at, block in _blocks(file):
        counted = 0
        for kind, place, name, key in _marks(block, sessions):
            if kind == _BREAKS:
                for section in running.values():
                    section.end = section.end or at + place
                running.clear()
                continue
            if kind == _ENDS:
                its = [section for section in running.values() if section.name == name]
                for section in its:
                    section.processes -= section.key in (key, "")
                    if section.processes < 0 and sessions.mentions is not None:
                        section.shared = True  # of one more process, which began before the file
                if not its:
                    found.append(Section(0, at + place, name, key, begun=False, processes=0))
                    running[name, key] = found[-1]
                continue
            before = running.get((name, key))
            if kind == _MENTIONS:
                if before is None:
                    running[name, key] = Section(0, 0, name, key, begun=False)
                    found.insert(0, running[name, key])
                elif before.processes <= 0:
                    before.shared = True  # all that were known have ended: it is one more
                continue
            line += block.count(b"\n", counted, place)
            counted = place
            if before is not None and sessions.each_name:
                continue
            if before is not None and before.processes > 0 and sessions.ends is not None and not key:
                before.shared = True
                before.processes += 1
                continue
            if before is not None:
                before.end = at + place
            section = Section(at + place, 0, name, key, first_line=line)
            running[name, key] = section
            found.append(section)
        if len(found) > MAX_SECTIONS:
            raise RecordingError(f"holds more than {MAX_SECTIONS:,} sessions: cut it, and name the piece")
        line += block.count(b"\n", counted)
        end = at + len(block)
    if sessions.each_name and len(found) == 1:
        return []
    starts = Counter((section.name, section.key) for section in found if section.key)
    can_overlap = len(found) > 1 and not (sessions.ends or sessions.each_name or sessions.one_at_a_time)
    for section in found:
        section.end = section.end or end
        section.alone = starts[section.name, section.key] == 1 or not can_overlap
    if found and "name" not in sessions.starts.groupindex and _holds_messages(file, found[0].begin):
        found.insert(0, Section(0, found[0].begin, begun=False, processes=0))
        found[0].alone = found[1].alone = False
    return found


def _holds_messages(file: BinaryIO, end: int) -> bool:
    """Whether messages stand before the first start: those of a session whose beginning is missing."""
    file.seek(0)
    return b'"method"' in (head := file.read(min(end, BLOCK))) or b'"jsonrpc"' in head


def _blocks(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Blocks of whole lines with their offsets; lines that are too long are cut."""
    at, rest = 0, b""
    while block := file.read(BLOCK):
        data = rest + block
        if not at and not rest and data.startswith(BYTE_ORDER_MARK):
            at, data = len(BYTE_ORDER_MARK), data[len(BYTE_ORDER_MARK) :]  # a line begins behind it
        cut = data.rfind(b"\n") + 1
        if not cut and len(data) > MAX_LINE:
            cut = len(data)
        if cut:
            yield at, data[:cut]
            at += cut
        rest = data[cut:]
    if rest:
        yield at, rest


def _marks(block: bytes, sessions: Sessions) -> list[tuple[int, int, str, str]]:
    """Starts, ends and breaks in a block, in their order: which of them, its place, name and key."""
    patterns = (
        (_STARTS, sessions.starts, sessions.start_words),
        (_ENDS, sessions.ends, sessions.end_words),
        (_BREAKS, sessions.breaks, b""),
        (_MENTIONS, sessions.mentions, sessions.mention_words),
    )
    marks = [
        (kind, *_mark(one))
        for kind, pattern, words in patterns
        if pattern is not None
        for one in _found(pattern, words, block)
    ]
    return sorted(marks, key=lambda mark: mark[1])


def _found(pattern: re.Pattern[bytes], words: bytes, block: bytes) -> Iterator[re.Match[bytes]]:
    """Where a pattern fits in a block, with `words` only in lines that have them."""
    if not words:
        yield from pattern.finditer(block)
        return
    at = block.find(words)
    while at >= 0:
        end = block.find(b"\n", at)
        end = len(block) if end < 0 else end
        yield from pattern.finditer(block, block.rfind(b"\n", 0, at) + 1, end)
        at = block.find(words, end)


def _mark(found: re.Match[bytes]) -> tuple[int, str, str]:
    groups = found.groupdict()
    name, key = (str(groups.get(of) or b"", "utf-8", "replace") for of in ("name", "key"))
    return found.start(), name, key
