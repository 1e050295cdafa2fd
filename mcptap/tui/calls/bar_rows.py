"""What the lines at the edges of the screen of calls say. Pure: from facts to cells."""

from __future__ import annotations

from mcptap.text.columns import text_width
from mcptap.text.units import counted
from mcptap.tui.calls.rows import Wanted
from mcptap.tui.calls.sorting import Sort
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.palette import Paint
from mcptap.tui.widgets.text import visible

Row = tuple[Cells, Cells]

ORDERS = {
    Sort.TIME: ("oldest first", "newest first"),
    Sort.LATENCY: ("shortest first", "longest first"),
    Sort.SIZE: ("smallest first", "largest first"),
    Sort.TOOL: ("A to Z", "Z to A"),
    Sort.STATUS: ("worst first", "best first"),
}
"""How an order is called: ascending, and falling."""

BATCHES = "What stands in batches (JSON arrays of messages) has no row here."


def title_row(paint: Paint, judgement: Judgement, *, is_past: bool) -> Row:
    """Whose calls they are, and the way back; `is_past`: they are those of a moment that is played."""
    name = judgement.server_info.get("name")
    of = f" of {visible(name)}" if isinstance(name, str) and name else ""
    left: Cells = [(" Calls", paint.title), (of, paint.plain)]
    left.append(("   a row each: request and answer", paint.faint))
    right: Cells = [("c timeline ", paint.faint)]
    if is_past:
        right.insert(0, ("as of the moment that is played   ", paint.stderr))
    return left, right


def empty_words(feed: Feed, wanted: Wanted, *, is_busy: bool) -> str:
    """Why there is no row, and what there is to do."""
    if is_busy or not feed.status.complete:
        return "Looking for calls…"
    if not wanted.query.is_empty:
        return "No call passes the filter: f changes it, esc takes it away."
    if feed.index.one_sided:
        return "What the client sent is not in this recording: its calls are not known."
    if feed.index.batches:
        return f"{BATCHES} c, then f kind:batch, shows the {counted(feed.index.batches, 'batch', 'batches')}."
    return "Nobody asked for anything in this recording: it has no request."


def status_row(
    paint: Paint,
    feed: Feed,
    wanted: Wanted,
    place: tuple[int, int],
    columns: int,
    *,
    is_busy: bool,
    is_past: bool,
) -> Row:
    """Where one is in the whole (`place`: row and rows), how it is sorted, and the totals."""
    index, (row, rows) = feed.index, place
    left: Cells = [(" ", paint.dim)]
    if not feed.status.complete:
        share = 100 * index.described // max(1, len(index))
        left.append((f"indexing {share} %  ", paint.stderr))
    left += [(f"{row:,}", paint.bright), (f" / {counted(rows, 'call')}", paint.dim)]
    sorting = "sorting" if is_busy else "sorted"
    left.append((f"   {sorting} by {wanted.sort.value}, {ORDERS[wanted.sort][wanted.falls]}", paint.dim))
    right: Cells = []
    # Of a moment of the past the totals of the end would be no true word.
    open_word = "pending" if index.ended_us is None else "unanswered"
    for number, words, style in (
        (index.errors, counted(index.errors, "error"), paint.problem),
        (index.tool_errors, f"{index.tool_errors:,} isError", paint.problem),
        (len(index.open_requests), f"{len(index.open_requests):,} {open_word}", paint.stderr),
        (index.batches, f"{counted(index.batches, 'batch', 'batches')} without rows", paint.stderr),
    ):
        if number and not is_past:
            right.append((f"{words}  ", style))
    if sum(text_width(text) for text, _ in (*left, *right)) + 2 > columns:
        left[-1] = (f"   {sorting} by {wanted.sort.value}", paint.dim)
    return left, right
