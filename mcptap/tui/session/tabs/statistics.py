"""Latency and size by tool and method, the start-up, and what lists cost."""

from __future__ import annotations

from mcptap.protocol.statistics.counts import OTHERS, Row, Statistics, tokens
from mcptap.protocol.statistics.startup import Startup
from mcptap.query import written
from mcptap.text.columns import fit, fit_right, text_width
from mcptap.text.units import counted, duration, elapsed, size
from mcptap.tui.session.tabs.tab import Page, Tab, View, not_judged_yet, not_of_the_moment
from mcptap.tui.widgets.document import Line, bar, paragraph, rule, shares, text_line
from mcptap.tui.widgets.text import visible

ROWS = 200
"""Rows of a table that are shown."""


class StatisticsTab(Tab):
    """The numbers of the session."""

    name = "statistics"
    key = "5"
    help = "detail: latency and size, start-up"

    def render(self, view: View) -> Page:
        """All tables."""
        if view.judgement is None:
            return not_judged_yet()
        statistics = view.judgement.statistics
        lines = statistics_lines(statistics, statistics.last_us, view.width)
        lines[:0] = not_of_the_moment(view)
        return Page(lines)


def statistics_lines(statistics: Statistics, now_us: int, columns: int) -> list[Line]:
    """Latency and size by tool and method with bars, the start-up, and what lists cost."""
    lines = [rule("Start-up", note="from the start of the server")]
    lines += _startup(statistics.startup, now_us, columns)
    if statistics.tools:
        lines += [text_line(""), rule("Tools", note="enter shows the calls of one")]
        lines += _table(list(statistics.tools.values()), "tool", columns, statistics.fineness_us)
    rows = [row for row in statistics.methods.values() if not row.name.startswith("notifications/")]
    if rows:
        lines += [text_line(""), rule("Methods", note="the same by method")]
        lines += _table(rows, "method", columns, statistics.fineness_us)
    if statistics.listed:
        total = sum(statistics.listed.values())
        tools = counted(len(statistics.listed), "tool")
        note = f"{tools}, {size(total)}, about {tokens(total):,} tokens each time"
        lines += [text_line(""), rule("Tool list", note=note)]
        unused = statistics.never_called
        if unused:
            lines += paragraph("never called: " + ", ".join(unused[:200]), columns, "dim")
    lines += [text_line(""), rule("Traffic")]
    for channel, name in (("c2s", "client → server"), ("s2c", "server → client"), ("stderr", "stderr")):
        role = {"c2s": "client", "s2c": "server"}.get(channel, "stderr")
        lines.append(
            Line(
                [
                    (fit(name, 18), role),
                    (f"{statistics.lines[channel]:>10,} lines", "plain"),
                    (f"{size(statistics.bytes[channel]):>9}", "dim"),
                ]
            )
        )
    return lines


def _startup(startup: Startup, now_us: int, columns: int) -> list[Line]:
    steps = startup.steps()
    if not steps:
        return [text_line("the server was never started", "problem")]
    first, last = steps[0][1], steps[-1][1]
    lines = []
    before = first
    room = max(10, min(50, columns - 44))
    for name, t in steps:
        share = (t - first) / (last - first) if last > first else 0
        took = duration(t - before, short=True) if t > before else ""
        lead = (before - first) / (last - first) if last > first else 0
        start = int(lead * room)
        lines.append(
            Line(
                [
                    (fit(visible(name), 24), "plain"),
                    (fit_right(elapsed(t - first), 9) + fit_right(took, 9) + "  ", "dim"),
                    (" " * start + (bar(share - lead, room) or "▏"), "client"),
                ]
            )
        )
        before = t
    # What is known of clients is a good part of what the first screen would wait for.
    from mcptap.clients.limits import exceeded, shortest

    broken = exceeded(startup, now_us)
    for limit, took_us in broken:
        lines.append(
            text_line(f"too slow for {limit.client}: {duration(took_us)} of {limit.seconds:g} s", "problem")
        )
    if not broken and startup.answered_us is not None:
        keenest = shortest()
        lines.append(
            text_line(
                f"quick enough for all known clients ({keenest.client} waits {keenest.seconds:g} s)", "dim"
            )
        )
    return lines


def _table(rows: list[Row], field: str, columns: int, fineness_us: int) -> list[Line]:
    """Rows, most calls first, with a bar of the median on a scale to the slowest.

    Enter shows the calls of one: `field` is that of the filter language which names them.
    """
    rows = sorted(rows, key=lambda row: -row.calls)[:ROWS]
    medians = [row.latency.median for row in rows]
    lengths, is_log = shares([value or 0 for value in medians])
    some_open = any(row.open for row in rows)
    name = min(max(6, *(text_width(visible(row.name)) for row in rows)), 28) + 1
    room = min(40, columns - name - 8 - 7 - 24 - 9 - (12 if some_open else 0))
    heading = f"{'':{name}}{'calls':>8}{'failed':>7}{'median':>8}{'95 %':>8}{'worst':>8}{'out':>7}"
    scale = ("  median, logarithmic" if is_log else "  median") if room >= 21 else ""
    lines = [text_line(heading + scale, "faint")]
    for row, median, length in zip(rows, medians, lengths, strict=True):
        failed = row.errors + row.is_errors
        pieces = [
            (fit(visible(row.name), name), "bright"),
            (f"{row.calls:>8,}", "plain"),
            (fit_right(f"{failed:,}" if failed else "", 7), "problem"),
        ]
        for k, value in enumerate((median, row.latency.at(0.95), row.latency.at(1.0))):
            said = duration(value, True, fineness_us) if value is not None and fineness_us else ""
            pieces.append((fit_right(said, 8), "dim" if k else "plain"))
        pieces.append((fit_right(size(row.bytes_out, short=True), 7) + "  ", "dim"))
        if median is not None and room >= 8:
            pieces.append((bar(length, room) or "▏", "client"))
        if row.open:
            pieces.append((f"  {row.open:,} open", "stderr"))
        is_one = row.name != OTHERS
        lines.append(Line(pieces, query=f"{field}:{written(row.name)}" if is_one else ""))
    return lines
