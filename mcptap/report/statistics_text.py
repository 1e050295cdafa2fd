"""The numbers of a session as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len

from mcptap.diagnosis.startup import exceeded
from mcptap.protocol.statistics import BYTES_PER_TOKEN, Row, Statistics, tokens
from mcptap.report.layout import table, wrapped
from mcptap.report.terminal import Terminal, visible
from mcptap.report.units import counted, duration, size
from mcptap.wire import SERVER_TO_CLIENT

HEADINGS = ("calls", "open", "errors", "median", "p95", "max", "in", "out", "tokens out")
GIVE_WAY = ("in", "p95", "open", "out", "errors", "tokens out")
"""Columns that are left out, in this order, where the terminal is too narrow for the names."""

LARGEST = 10
"""How many of the listed tools are shown, largest first."""


def report(numbers: Statistics, terminal: Terminal, has_times: bool) -> Iterator[str]:
    """The lines of the statistics of one file. Without known times their columns stay empty."""
    yield terminal.paint("Numbers", "bold")
    if has_times:
        yield from _startup(numbers, terminal)
    for heading, rows in (("method", numbers.methods.values()), ("tool", numbers.tools.values())):
        if rows:
            yield ""
            yield from _rows(heading, rows, terminal, has_times)
    if numbers.listed:
        yield ""
        yield from _listed(numbers, terminal)
    yield terminal.paint(f"  Tokens are estimated: {BYTES_PER_TOKEN} bytes each.", "dim")


def _startup(numbers: Statistics, terminal: Terminal) -> Iterator[str]:
    startup = numbers.startup
    steps = startup.steps()
    if not steps:
        return
    begin = steps[0][1]
    shown = [f"{name} {'' if t == begin else '+'}{duration(t - begin)}" for name, t in steps]
    if startup.spawn_us is not None:
        shown[0] = "spawn"
    yield from wrapped("start: " + " → ".join(shown), terminal.width, "  ")
    broken = exceeded(startup, numbers.last_us)
    if broken:
        clients = ", ".join(f"{limit.client} ({limit.seconds:g} s for {limit.until})" for limit, _ in broken)
        yield from wrapped(f"too slow for the default of: {clients}", terminal.width, "  ")


def _rows(heading: str, rows: Iterable[Row], terminal: Terminal, has_times: bool) -> list[str]:
    cells: list[tuple[str, ...]] = [(heading, *HEADINGS)]
    for row in sorted(rows, key=lambda row: -row.calls):
        latency = row.latency
        times = [latency.median, latency.at(0.95), latency.largest]
        failed = row.errors + row.is_errors
        name = visible(row.name) + (" (server asks)" if row.side == SERVER_TO_CLIENT and row.answered else "")
        cells.append(
            (
                name,
                f"{row.calls:,}",
                f"{row.open:,}" if row.open else "-",
                f"{failed:,}" if failed else "-",
                *(duration(t) if has_times and latency.count and t is not None else "-" for t in times),
                size(row.bytes_in) if row.bytes_in else "-",
                size(row.bytes_out) if row.bytes_out else "-",
                f"{tokens(row.bytes_out):,}" if row.bytes_out else "-",
            )
        )
    head, *lines = table(_narrowed(cells, terminal.width - 2), terminal.width, "  ")
    return [terminal.paint(head, "dim"), *lines]


def _narrowed(cells: list[tuple[str, ...]], width: int) -> list[tuple[str, ...]]:
    """The table without columns that say nothing and, on a terminal, without some for lack of room."""
    kept = [i for i in range(len(cells[0])) if any(row[i] != "-" for row in cells[1:])]
    for heading in GIVE_WAY:
        needed = sum(max(cell_len(row[i]) for row in cells) + 2 for i in kept) - 2
        if width <= 0 or needed <= width:
            break
        kept = [i for i in kept if cells[0][i] != heading]
    return [tuple(row[i] for i in kept) for row in cells]


def _listed(numbers: Statistics, terminal: Terminal) -> Iterator[str]:
    total = sum(numbers.listed.values())
    never = numbers.never_called
    yield from wrapped(
        f"tools/list costs about {tokens(total):,} tokens ({size(total)}) for "
        f"{counted(len(numbers.listed), 'tool')}, {len(never)} of them never called",
        terminal.width,
        "  ",
    )
    cells = [("largest", "size", "tokens", "called")]
    for name, length in sorted(numbers.listed.items(), key=lambda item: -item[1])[:LARGEST]:
        calls = numbers.tools[name].calls if name in numbers.tools else 0
        cells.append((visible(name), size(length), f"{tokens(length):,}", f"{calls:,}" if calls else "never"))
    head, *lines = table(cells, terminal.width, "  ")
    yield terminal.paint(head, "dim")
    yield from lines
