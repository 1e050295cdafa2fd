"""One session read to be shown: judged, its calls, and the records that are worth a look.

It is read twice: once to judge it, and once for the records that are to be shown. Of a session of more than
`MOST_JUDGED` records only the beginning and the end are judged, unless all of it is asked for.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TextIO

from mcptap.captures.open import RecordingSource, Source, open_source
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.selection import Selection
from mcptap.export.entry import MOST_MASKED, Entry, Gist, entry_of, gist_of
from mcptap.masking.masker import Masker
from mcptap.protocol.model.message import REQUEST, RESPONSE, Message, classify
from mcptap.protocol.model.request import Request
from mcptap.query import Query
from mcptap.query.row import ItemRow
from mcptap.recording.format.model import Event, Item, Line
from mcptap.recording.reader import BLOCK
from mcptap.report.check_file import check_file, masked
from mcptap.report.events import event_words
from mcptap.report.progress import Progress
from mcptap.report.results import CheckedFile

HEAD, TAIL = 40_000, 20_000
MOST_JUDGED = HEAD + TAIL
"""Records that are judged in some seconds."""

AROUND = 2
"""Records before and behind the one that a finding names."""
MOST_AROUND = 40
"""Findings whose records are shown."""
RECORDS_QUOTED = 6
SLOWEST, WAITING = 20, 100
"""Calls that are shown although they are not among the first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How much of a session is shown."""

    records: int
    characters: int
    """Of the content of each record."""
    calls: int
    all_judged: bool = False
    query: Query | None = None
    """Which records are chosen among; None: among all."""

    def changed(self, all_judged: bool, query: Query) -> Choice:
        """The same, with what the user asks for."""
        return replace(self, all_judged=all_judged, query=None if query.is_empty else query)


@dataclass(slots=True)
class Shown:
    """A session to be shown. All its texts are masked if there was a masker."""

    checked: CheckedFile
    total: int = 0
    """How many records it has, the header left out; of a capture, how many lines and events."""
    unjudged: int = 0
    """How many of them, in the middle, took no part in the verdict."""
    calls: list[Request] = field(default_factory=list)
    """Requests of both sides, in order: the first, the slowest, and those without an answer."""
    calls_total: int = 0
    entries: list[Entry] = field(default_factory=list)
    """The records that were chosen, in order."""
    matching: int | None = None
    """How many records match the filter; None without one."""
    around: list[list[int]] = field(default_factory=list)
    """For each of the first findings the numbers of the records to be shown with it."""


def read_session(path: str, choice: Choice, masker: Masker | None, stderr: TextIO) -> Shown:
    """Read a session from a file. Raises RecordingError and UserError."""
    looking = _Looking(choice)
    with closing(open_source(path)) as source, Progress(source, stderr) as progress:
        items = _items(source, choice.all_judged, looking.pass_over)
        selection = Selection(Level.INFO)
        checked = check_file(source, selection, progress.step, watcher=looking, items=items)
        looking.end(source.unfinished())
        if masker is not None:
            masker.learn(source.header.argv)
    shown = Shown(checked, len(looking.gists) + looking.passed_over, looking.passed_over)
    shown.calls, shown.calls_total = looking.chosen_calls(), looking.asked
    shown.around = [_around(finding.line, looking.gists) for finding in checked.findings[:MOST_AROUND]]
    _fill(shown, path, looking, choice, masker)
    if masker is not None:  # only now it knows the secrets of the lines that findings quote
        shown.checked = masked(checked, masker)
    return shown


def _fill(shown: Shown, path: str, looking: _Looking, choice: Choice, masker: Masker | None) -> None:
    """Read the records that are shown."""
    matches = None if choice.query is None or choice.query.is_empty else choice.query.matches
    wanted = _wanted(shown.around, looking, choice.records)
    quoted = _quoted(shown.checked.findings) if masker is not None else set()
    with closing(open_source(path)) as source:
        last = max(wanted | quoted, default=0)
        for item in _with_unfinished(source, _items(source, choice.all_judged)):
            gist = looking.gists.get(item.number)
            if gist is None or (matches is None and item.number > last):
                continue
            if masker is not None and item.number in quoted and isinstance(item, Line):
                masker.line(item.channel, item.data[:MOST_MASKED])
            if matches is None:
                if item.number in wanted:
                    shown.entries.append(entry_of(gist, item, masker, choice.characters))
                continue
            if matches(_row(item, looking.requests.get(item.number))):
                shown.matching = (shown.matching or 0) + 1
                if shown.matching <= choice.records:
                    shown.entries.append(entry_of(gist, item, masker, choice.characters))
    if matches is not None:
        shown.matching = shown.matching or 0


def _quoted(findings: list[Finding]) -> set[int]:
    """The numbers of the records that findings may quote."""
    return {number for each in findings for number in (each.line or 0, *each.records[:RECORDS_QUOTED])}


def _with_unfinished(source: Source, items: Iterator[Item]) -> Iterator[Item]:
    yield from items
    yield from source.unfinished()


def _items(
    source: Source, all_judged: bool, passed_over: Callable[[int], None] | None = None
) -> Iterator[Item]:
    """The items to be judged; `passed_over` is told how many are left out where they would come."""
    if all_judged:
        yield from source.items()
        return
    tell = passed_over or (lambda _: None)
    if isinstance(source, RecordingSource):
        tail = _tail_of(source.path)
        for item in source.items():
            yield item
            if tail is not None and item.number >= HEAD:
                break
        if tail is not None:
            position, number = tail
            tell(number - item.number - 1)
            source.go_to(position, number)
            yield from source.items()
        return
    items = source.items()
    yield from islice(items, MOST_JUDGED)
    if rest := sum(1 for _ in items):
        tell(rest)


def _tail_of(path: str) -> tuple[int, int] | None:
    """Where the last `TAIL` records of a long recording begin: the byte and the record number; else None."""
    with open(path, "rb") as file:
        ends = []  # of lines, in each block
        while block := file.read(BLOCK):
            ends.append(block.count(b"\n"))
        left = sum(ends) - TAIL
        if left <= MOST_JUDGED:
            return None
        number = left + 1
        for at, count in enumerate(ends):
            if left <= count:
                file.seek(at * BLOCK)
                before = file.read(BLOCK).split(b"\n", left)[:left]
                return at * BLOCK + sum(len(line) + 1 for line in before), number
            left -= count
    return None


class _Looking:
    """Keeps what a page needs of a session while it is judged."""

    def __init__(self, choice: Choice) -> None:
        self.gists: dict[int, Gist] = {}
        """Of each record that was judged."""
        self.requests: dict[int, Request] = {}
        """With a filter: of each record the request that it is, or answers."""
        self.asked = 0
        self.passed_over = 0
        self._choice = choice
        self._calls: list[Request] = []
        self._slowest: list[tuple[int, int, Request]] = []
        self._diagnosis: Diagnosis | None = None

    def begin(self, diagnosis: Diagnosis) -> None:
        self._diagnosis = diagnosis
        if self.passed_over:
            diagnosis.pass_over(self.passed_over)

    @property
    def _judging(self) -> Diagnosis:
        assert self._diagnosis is not None
        return self._diagnosis

    def pass_over(self, count: int) -> None:
        self.passed_over += count
        if self._diagnosis is not None:
            self._diagnosis.pass_over(count)

    def see(self, item: Item, message: Message | None) -> None:
        judging = self._judging
        self.gists[item.number] = gist_of(item, message, judging.session, judging.evidence)
        if message is None or message.request is None:
            return
        request = message.request
        if self._choice.query is not None:
            self.requests[item.number] = request
        if message.kind == REQUEST and request.number == item.number:
            self.asked += 1
            if len(self._calls) < self._choice.calls:
                self._calls.append(request)
        elif message.kind == RESPONSE and request.answer == item.number and request.latency_us is not None:
            heapq.heappush(self._slowest, (request.latency_us, request.number, request))
            if len(self._slowest) > SLOWEST:
                heapq.heappop(self._slowest)

    def end(self, unfinished: list[Line]) -> None:
        """Lines whose end never came are shown as well."""
        for line in unfinished:
            judging = self._judging
            self.gists[line.number] = gist_of(line, classify(line), judging.session, judging.evidence)

    def chosen_calls(self) -> list[Request]:
        waiting = islice(self._judging.session.requests.unanswered(), WAITING)
        calls = [*self._calls, *(request for *_, request in self._slowest), *waiting]
        return [call for _, call in sorted({call.number: call for call in calls}.items())]


def _around(number: int | None, gists: dict[int, Gist]) -> list[int]:
    """The numbers of the records to be shown with a finding about this one."""
    if number is None:
        return []
    near = range(number - AROUND, number + AROUND + 1)
    asked = gists[number].request if number in gists else 0
    return [at for at in sorted({asked, *near}) if at in gists]


def _wanted(around: list[list[int]], looking: _Looking, most: int) -> set[int]:
    """The numbers of the records to be shown: those of findings, the first and the last."""
    numbers = sorted(looking.gists)
    wanted = {number for some in around for number in some}
    half = max(0, most - len(wanted)) // 2
    return wanted | set(numbers[: half + 1]) | set(numbers[len(numbers) - half :])


def _row(item: Item, request: Request | None) -> ItemRow:
    if not isinstance(item, Line):
        return ItemRow(item, words=event_words(item) if isinstance(item, Event) else "")
    message = classify(item)
    message.request = request
    if request is not None and message.kind == RESPONSE:
        message.method = request.method
    return ItemRow(item, message)
