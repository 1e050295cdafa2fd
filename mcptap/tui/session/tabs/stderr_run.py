"""The page of a run of stderr: all its lines; Enter goes to the one under the cursor."""

from __future__ import annotations

from mcptap.text.units import counted, duration, elapsed, size
from mcptap.tui.index.folding.run_text import lines_of_run, telling_line
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.widgets.document import Line, pairs, paragraph, rule, text_line
from mcptap.tui.widgets.text import visible, visible_bytes

LINES_SHOWN = 2_000
LINE_SHOWN = 2_000
"""Bytes of a line."""


def run_page(index: RecordIndex, run: range, columns: int) -> list[Line]:
    """The lines of the page. Raises OSError."""
    records = index.folds.lines_of(run)
    first, last = records[0], records[-1]
    took = index.times[last] - index.times[first]
    page = [rule("stderr", "stderr", counted(len(records), "line"))]
    times = f"{elapsed(index.times[first], 6)}" + (f", over {duration(took)}" if took else "")
    amount = size(sum(index.sizes[i] for i in records))
    page += pairs(
        [
            ("records", f"{first + 1:,} to {last + 1:,} · {times}"),
            ("wire", f"server's stderr · {amount} · u: a row for each line"),
        ],
        columns,
    )
    told = visible(telling_line(index, run))
    if told:
        page += pairs([("says", told)], columns, "bright")
    page.append(text_line(""))
    for i, line in lines_of_run(index, records[:LINES_SHOWN]):
        shown = paragraph(visible_bytes(line.data[:LINE_SHOWN]), columns, "string") or [text_line("")]
        for piece in shown:
            piece.record = i
        page += shown
    if len(records) > LINES_SHOWN:
        more = counted(len(records) - LINES_SHOWN, "more line")
        page.append(text_line(f"… {more}: V opens all in the pager", "dim"))
    return page
