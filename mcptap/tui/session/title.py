"""The line that says what is looked at: server, client, revision, how it ended, its place in the folder."""

from __future__ import annotations

from mcptap.text.columns import cut, text_width
from mcptap.text.units import duration, elapsed, when
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.session.bar_rows import Row
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.palette import Paint
from mcptap.tui.widgets.text import visible

LEAST_NAME = 12
"""Columns that a name keeps where there is room for little."""


def title_row(
    paint: Paint,
    feed: Feed,
    judgement: Judgement,
    columns: int,
    place: tuple[int, int] | None = None,
    moment_us: int | None = None,
) -> Row:
    """The row. `place` is number and count of the recording in its folder, `moment_us` what is played."""
    state = state_cells(paint, feed, judgement) if moment_us is None else _moment(paint, feed, moment_us)
    server, client = _server(feed, judgement), judgement.client or _parent(feed)
    revision = judgement.revision
    right: Cells = []
    if place is not None and place[1] > 1:
        right = [(f"{place[0]:,} of {place[1]:,}", paint.dim), ("  < > ", paint.faint)]
    again = "r reads it again  "
    used = sum(text_width(text) for text, _ in (*state, *right)) + text_width(" " + " ⇄ " + " · ") + 1
    names = text_width(server) + text_width(client)
    if revision and used + names + text_width(revision) + 3 > columns:
        revision = ""
    room = columns - used - (text_width(revision) + 3 if revision else 0)
    if names > room:
        server = cut(server, max(LEAST_NAME, room // 2, room - text_width(client)))
        client = cut(client, max(LEAST_NAME, room - text_width(server)))
    elif _is_snapshot(feed) and names + len(again) <= room:
        right.insert(0, (again, paint.faint))
    left: Cells = [(" ", paint.dim), (server, paint.title), (" ⇄ ", paint.faint), (client, paint.plain)]
    if revision:
        left += [(" · ", paint.faint), (revision, paint.dim)]
    return [*left, (" · ", paint.faint), *state], right


def state_cells(paint: Paint, feed: Feed, judgement: Judgement) -> Cells:
    """Whether the session is live, and if not, how it ended."""
    status = feed.status
    if status.trouble:
        return [(f"{visible(status.trouble)}", paint.problem)]
    if status.live:
        return [("● live", paint.bright)]
    if not status.complete:
        return [("being read", paint.dim)]
    length = f" after {duration(status.ended_us)}" if status.ended_us else ""
    if _is_snapshot(feed):
        return [(f"as the file was at {when(feed.made_wall_us)}", paint.dim)]
    if not status.exited:
        return [(f"cut off{length}", paint.stderr)] if status.end_known else [("end not recorded", paint.dim)]
    how = judgement.ending if judgement.ending != "exit status 0" else ""
    return [(f"{how or 'ended'}{length}", paint.dim)]


def _is_snapshot(feed: Feed) -> bool:
    """Whether it is a log that may go on: what is shown is what was in it when it was read."""
    return bool(feed.made_of) and feed.status.complete and not feed.status.exited


def _moment(paint: Paint, feed: Feed, moment_us: int) -> Cells:
    last_us = feed.index.times[-1] if feed.index.described else 0
    return [
        ("as of ", paint.stderr),
        (elapsed(moment_us), paint.bright),
        (f" of {elapsed(last_us)}", paint.dim),
    ]


def _server(feed: Feed, judgement: Judgement) -> str:
    """The name it was recorded under, and what it calls itself."""
    name, info = visible(feed.header.name), judgement.server_info
    said = " ".join(str(info[key]) for key in ("name", "version") if info.get(key))
    if not said:
        return name or "server"
    said = visible(said)
    return said if not name or said.startswith(f"{name} ") or said == name else f"{name} ({said})"


def _parent(feed: Feed) -> str:
    """The process that started the tap, while nobody said more."""
    name = feed.header.parent.get("name")
    return f"({visible(name)})" if isinstance(name, str) and name else "unknown client"
