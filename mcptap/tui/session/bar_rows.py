"""What the lines at the edges of the session screen say. Pure: from facts to cells."""

from __future__ import annotations

from rich.style import Style

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.protocol.revisions.names import OPENERS
from mcptap.text.columns import text_width
from mcptap.text.paragraphs import fold
from mcptap.text.units import counted, elapsed
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.index.kinds import State
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.outcomes import outcome_sign
from mcptap.tui.widgets.palette import Paint
from mcptap.tui.widgets.text import visible

Row = tuple[Cells, Cells]

MAX_VERDICT, MAX_VERDICT_NARROW, NARROW = 3, 5, 100
"""Rows that a verdict may take, and below so many columns."""


def known_when(feed: Feed, now: int | None) -> str:
    """When what the diagnosis says was known, if that is not the moment shown (`now`, see `Timeline`)."""
    return "" if now is None else "by now" if feed.status.live else "in the end"


def verdict_rows(
    paint: Paint, judgement: Judgement, feed: Feed, columns: int, now: int | None = None
) -> list[Row]:
    """The verdict in as many rows as it takes, up to a limit. `now` as in `Timeline`."""
    if feed.findings is None:
        return [([(" · ", paint.dim), ("Looking through the recording…", paint.dim)], [])]
    if not feed.status.complete:
        return _so_far(paint, judgement, feed, columns)
    outcome = judgement.outcome
    glyph, style = outcome_sign(paint, outcome, judgement.count(Level.ERROR))
    if judgement.cut and outcome is Outcome.UNCLEAR:
        style = paint.stderr
    is_quiet = outcome is Outcome.HEALTHY or (outcome is Outcome.UNCLEAR and not judgement.cut)
    text = visible(judgement.verdict)
    when = known_when(feed, now)
    if when:
        text, style, is_quiet = f"{when.capitalize()}: {text}", paint.dim, True
    rows = _verdict(paint, text, (glyph, style), columns, is_quiet=is_quiet)
    return rows if when else [*rows, *_advice(paint, judgement, columns)]


def _advice(paint: Paint, judgement: Judgement, columns: int) -> list[Row]:
    """What can be done about what waits; where a finding speaks, that says it better."""
    if not judgement.advice or judgement.count(Level.ERROR) + judgement.count(Level.WARNING):
        return []
    lines = fold(visible(judgement.advice), max(20, columns - 6))
    heads = [" → ", *["   "] * (len(lines) - 1)]
    return [([(head + line, paint.server)], []) for head, line in zip(heads, lines, strict=True)]


def _so_far(paint: Paint, judgement: Judgement, feed: Feed, columns: int) -> list[Row]:
    """What can be said while the file is being read: what was found, and that it is not all yet."""
    share = 100 * feed.index.described // max(1, len(feed.index))
    if judgement.outcome is Outcome.BROKEN:
        text = f"So far ({share} % read): {judgement.verdict}"
        sign = outcome_sign(paint, judgement.outcome, judgement.count(Level.ERROR))
        return _verdict(paint, visible(text), sign, columns, is_quiet=False)
    text = f"Looking through the recording: {share} % read, no finding so far."
    return _verdict(paint, text, ("·", paint.dim), columns, is_quiet=True)


def _verdict(paint: Paint, text: str, sign: tuple[str, Style], columns: int, *, is_quiet: bool) -> list[Row]:
    glyph, style = sign
    lines = fold(text, max(20, columns - 4))
    most = MAX_VERDICT_NARROW if columns < NARROW else MAX_VERDICT
    if len(lines) > most:
        lines = lines[:most]
        lines[-1] = lines[-1][: columns - 6] + " …"
    rows: list[Row] = []
    for k, line in enumerate(lines):
        head = f" {glyph} " if k == 0 else "   "
        rows.append(([(head, style), (line, paint.plain if is_quiet else paint.bright)], []))
    return rows


def findings_title(paint: Paint, findings: list[Finding], when: str = "") -> Row:
    """The heading of the findings pane, with counts by level; `when` as of `known_when`."""
    cells: Cells = [(" Findings ", paint.title)]
    if when:
        cells.append((f"{when} ", paint.stderr))
    for level, style in (
        (Level.ERROR, paint.problem),
        (Level.WARNING, paint.stderr),
        (Level.INFO, paint.dim),
    ):
        number = sum(f.level == level for f in findings)
        if number:
            word = "info" if level == Level.INFO else None
            cells.append((f" {number} {word}" if word else f" {counted(number, level.word)}", style))
    cells.append(("   F goes there, enter shows the record", paint.faint))
    return cells, []


def finding_counts(paint: Paint, judgement: Judgement, when: str = "") -> Cells:
    """How many findings there are, in signs, and the key that lists them; nothing if there are none."""
    errors, warnings = judgement.count(Level.ERROR), judgement.count(Level.WARNING)
    cells: Cells = [(f"{when} ", paint.faint)] if when and errors + warnings else []
    cells += [(f"✗{errors} ", paint.problem)] if errors else []
    cells += [(f"▲{warnings} ", paint.stderr)] if warnings else []
    return [*cells, ("F ", paint.faint)] if cells else []


def status_row(paint: Paint, timeline: Timeline, feed: Feed, new: int, remark: str, columns: int) -> Row:
    """Where one is in the whole, what the session is, and the totals."""
    index, status = timeline.index, feed.status
    total = len(index)
    record = timeline.record
    left: Cells = [(" ", paint.dim)]
    if not status.complete:
        share = 100 * index.described // max(1, total)
        left.append((f"indexing {share} %  ", paint.stderr))
    place = (record or 0) + 1 if total else 0
    left += [(f"{place:,}", paint.bright), (f" / {total:,}", paint.dim)]
    if total > 1 and status.complete:
        left.append((f"  {100 * place // total} %", paint.faint))
    if record is not None and record < index.described:
        left.append((f"  {elapsed(index.times[record])}", paint.faint))
    if new:
        left.append((f"   +{new:,} new · G follows", paint.client))
    if remark:
        left.append((f"   {visible(remark)}", paint.stderr))
    right: Cells = []
    totals = index.totals(timeline.now)
    at_end = timeline.now is None or timeline.now >= index.described - 1
    is_over = at_end and index.ended_us is not None
    waiting = "without answer" if index.is_cut else "unanswered" if is_over else "pending"
    for number, word, style in (
        (totals.pollution, "pollution", paint.pollution),
        (totals.errors, "error" if totals.errors == 1 else "errors", paint.problem),
        (totals.tool_errors, "isError", paint.problem),
        (totals.open, waiting, paint.stderr),
    ):
        if number:
            right.append((f"{number:,} {word}  ", style))
    used = sum(text_width(text) for text, _ in (*left, *right))
    if used + 2 > columns:
        # What the row of the record says as well makes room for the totals, which nothing else says.
        left = [cell for cell in left if cell[1] != paint.faint]
    if used + 20 < columns:
        name = feed.name
        right.insert(0, (f"{visible(name)}   " if len(name) < columns // 3 else "", paint.faint))
    return left, right


def known_capabilities(index: RecordIndex, judgement: Judgement, now: int) -> str:
    """Which capabilities the server had declared when the record at this index had come."""
    for name in OPENERS:
        try:
            number = index.names.index(name)
        except ValueError:
            continue
        for i in range(min(200, index.described)):
            answer = index.partner(i)
            if index.methods[i] == number and answer is not None and answer > i:
                known = judgement.server_capabilities
                if answer > now or known is None or index.state(i) != State.ANSWERED:
                    return "capabilities not known yet"
                return "server: " + (", ".join(visible(k) for k in known) or "declares nothing")
    return "capabilities not known yet"
