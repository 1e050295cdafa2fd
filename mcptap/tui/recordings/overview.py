"""What stands around the list of recordings: title, status, what the chosen one came to, the empty list."""

from __future__ import annotations

from mcptap.captures.summary import Summary
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.text.paragraphs import fold
from mcptap.text.units import counted
from mcptap.tui.recordings.collection import Collection
from mcptap.tui.recordings.order import Entry
from mcptap.tui.recordings.rows import command_of
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.outcomes import outcome_sign
from mcptap.tui.widgets.palette import Paint
from mcptap.tui.widgets.text import visible

Row = tuple[Cells, Cells]

BLANK: Row = ([], [])
PREVIEW = 5
"""Rows of the preview: what it came to, what to do, the command."""


def preview_rows(paint: Paint, entry: Entry | None, columns: int, rows: int = PREVIEW) -> list[Row]:
    """What the chosen session came to and what to do about it; of a run, its worst session."""
    if entry is None:
        return [BLANK] * rows
    s = entry.summary
    said = f"{s.name}: {s.verdict}" if entry.run is not None and s.verdict else s.verdict
    made: list[Row] = []
    if s.problems is None:
        made.append(([("   not judged yet: …", paint.faint)], []))
    else:
        glyph, style = outcome_sign(paint, Outcome(s.outcome), s.problems.get("error", 0))
        for k, line in enumerate(fold(visible(said), max(20, columns - 4))):
            made.append(([(f" {glyph} " if k == 0 else "   ", style), (line, paint.bright)], []))
    if s.remedy:
        for k, line in enumerate(fold(visible(s.remedy), max(20, columns - 4))):
            made.append(([(" → " if k == 0 else "   ", paint.client), (line, paint.plain)], []))
    if len(made) > rows:
        made = made[:rows]
        made[-1][0].append((" …", paint.faint))
    elif len(made) < rows:
        made += [BLANK] * (rows - 1 - len(made))
        made.append(_place(paint, s))
    return made


def _place(paint: Paint, summary: Summary) -> Row:
    if summary.origin:
        return [(f"   {visible(summary.origin)}: {visible(summary.path)}", paint.faint)], []
    return [("   " + (command_of(summary) or visible(summary.path)), paint.faint)], []


def status_words(collection: Collection, shown: int, *, is_filtered: bool) -> tuple[str, str]:
    """How many recordings there are (of how many), and what else lies there."""
    number = counted(len(collection.summaries), "recording")
    unjudged = collection.unjudged
    other = f" · judging {unjudged:,}" if unjudged else ""
    if collection.unreadable:
        other += f" · {counted(collection.unreadable, 'other file')} that can't be read"
    if collection.ignored:
        other += f" · {collection.ignored:,} ignored: not yours, or no regular files"
    return (f"{shown:,} of {number}" if is_filtered else number), other


def empty_rows(paint: Paint, collection: Collection, text: str, place: str) -> list[Row]:
    """What is said in place of an empty list."""
    if not collection.is_loaded:
        return [BLANK, ([("   Looking for recordings…", paint.dim)], [])]
    if collection.summaries:
        return [
            BLANK,
            ([(f"   No recording matches {visible(text)!r}.", paint.plain)], []),
            ([("   esc takes the filter away", paint.dim)], []),
        ]
    return [
        BLANK,
        (
            [
                (
                    "   There is no recording yet. See how one comes about, and what it is good for:",
                    paint.bright,
                )
            ],
            [],
        ),
        BLANK,
        ([("       mcptap demo", paint.client)], []),
        BLANK,
        ([("   Put mcptap in front of your own servers, and use your client as always:", paint.bright)], []),
        BLANK,
        ([("       mcptap wrap", paint.client)], []),
        BLANK,
        ([("   Recordings appear here by themselves; they lie in", paint.dim)], []),
        ([(f"   {visible(place)}", paint.dim)], []),
    ]
