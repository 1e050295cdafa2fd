"""The numbers of a session as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcptap.captures.evidence import Evidence
from mcptap.clients.limits import exceeded
from mcptap.protocol.statistics.counts import BYTES_PER_TOKEN, Row, Statistics, tokens
from mcptap.text.escape import visible
from mcptap.text.paragraphs import wrapped
from mcptap.text.table import Column, table
from mcptap.text.table import Row as TableRow
from mcptap.text.terminal import Terminal
from mcptap.text.units import counted, duration, size
from mcptap.wire import SERVER_TO_CLIENT

COLUMNS = (
    ("calls", 0),
    ("open", 4),
    ("errors", 2),
    ("median", 0),
    ("p95", 5),
    ("max", 0),
    ("in", 6),
    ("out", 3),
    ("tokens out", 1),
)
"""Titles, and which go first where a terminal is too narrow."""

LEAST_NAME = 24
"""How narrow names may become before columns go."""

NONE = "-"

LARGEST = 10
"""How many of the listed tools are shown, largest first."""


def report(numbers: Statistics, terminal: Terminal, evidence: Evidence) -> Iterator[str]:
    """The lines of the statistics of one file. Times are told as finely as they are known."""
    yield terminal.paint("Numbers", "bold")
    if evidence.times:
        yield from _startup(numbers, terminal, evidence.fineness_us)
    for heading, rows in (("method", numbers.methods.values()), ("tool", numbers.tools.values())):
        if rows:
            yield ""
            yield from _rows(heading, rows, terminal, evidence)
    if numbers.listed:
        yield ""
        yield from _listed(numbers, terminal)
    yield terminal.paint(f"Tokens are estimated: {BYTES_PER_TOKEN} bytes each.", "dim")


def _startup(numbers: Statistics, terminal: Terminal, fineness_us: int) -> Iterator[str]:
    startup = numbers.startup
    steps = startup.steps()
    if not steps:
        return
    begin = steps[0][1]
    shown = [
        f"{name} {'' if t == begin else '+'}{duration(t - begin, fineness_us=fineness_us)}"
        for name, t in steps
    ]
    if startup.spawn_us is not None:
        shown[0] = "spawn"
    yield from wrapped("start: " + " → ".join(shown), terminal.width)
    broken = exceeded(startup, numbers.last_us)
    if broken:
        clients = ", ".join(limit.words for limit, _ in broken)
        yield from wrapped(f"too slow for the default of: {clients}", terminal.width)


def _rows(heading: str, rows: Iterable[Row], terminal: Terminal, evidence: Evidence) -> list[str]:
    cells = []
    for row in sorted(rows, key=lambda row: -row.calls):
        latency = row.latency
        times = [latency.median, latency.at(0.95), latency.largest]
        failed = row.errors + row.is_errors
        name = visible(row.name) + (" (server asks)" if row.side == SERVER_TO_CLIENT and row.answered else "")
        cells.append(
            (
                name,
                f"{row.calls:,}",
                f"{row.open:,}" if row.open else NONE,
                f"{failed:,}" if failed else NONE,
                *(
                    duration(t, fineness_us=evidence.fineness_us)
                    if evidence.times and latency.count and t is not None
                    else NONE
                    for t in times
                ),
                size(row.bytes_in) if row.bytes_in else NONE,
                size(row.bytes_out) if row.bytes_out else NONE,
                f"{tokens(row.bytes_out):,}" if row.bytes_out else NONE,
            )
        )
    # A column that says nothing is left out.
    said = [i for i in range(1, len(COLUMNS) + 1) if any(row[i] != NONE for row in cells)]
    columns = [
        Column(heading, least=LEAST_NAME),
        *(Column(COLUMNS[i - 1][0], right=True, spare=COLUMNS[i - 1][1]) for i in said),
    ]
    return _table(columns, [[row[i] for i in (0, *said)] for row in cells], terminal)


def _table(columns: Sequence[Column], cells: Sequence[Sequence[str]], terminal: Terminal) -> list[str]:
    return table(columns, [TableRow(row, ["plain"] * len(columns)) for row in cells], terminal)


def _listed(numbers: Statistics, terminal: Terminal) -> Iterator[str]:
    total = sum(numbers.listed.values())
    never = numbers.never_called
    yield from wrapped(
        f"tools/list costs about {tokens(total):,} tokens ({size(total)}) for "
        f"{counted(len(numbers.listed), 'tool')}, {len(never)} of them never called",
        terminal.width,
    )
    cells = []
    for name, length in sorted(numbers.listed.items(), key=lambda item: -item[1])[:LARGEST]:
        calls = numbers.tools[name].calls if name in numbers.tools else 0
        cells.append([visible(name), size(length), f"{tokens(length):,}", f"{calls:,}" if calls else "never"])
    titles = ("size", "tokens", "called")
    columns = [Column("largest", least=LEAST_NAME), *(Column(title, right=True) for title in titles)]
    yield from _table(columns, cells, terminal)
