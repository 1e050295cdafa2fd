"""The rows of all servers of a run."""

from __future__ import annotations

import os

from mcptap.captures.summary import summarise
from mcptap.text.columns import text_width
from mcptap.tui.runs.member import opened
from mcptap.tui.runs.timeline import RunTimeline
from tests.helpers import START_WALL_US
from tests.tui.screens import words


def test_each_row_has_its_servers_name_the_runs_time_and_what_became_of_it(run_folder):
    members = [
        opened(summarise(os.fspath(run_folder / f"{name}.jsonl")), START_WALL_US)
        for name in ("files", "search", "weather")
    ]
    for member in members:
        member.take()
    shown = RunTimeline()
    shown.show(members)
    rows = [words(shown.draw(y, 110)) for y in range(shown.count())]
    assert len(rows) == sum(len(member.feed.index) for member in members)
    assert rows[0].split()[:2] == ["+0.000", "files"]
    noise = next(row for row in rows if "noise" in row)
    assert noise.startswith("●")
    assert " search " in noise
    assert any("forecast" in row and "∅ unanswered" in row and "weather" in row for row in rows)
    for columns in (60, 78, 110, 198):
        assert all(text_width(words(shown.draw(y, columns))) <= columns for y in range(shown.count()))

    shown.cursor, shown.here = 5, shown.merged.at(5)
    here = shown.here
    members[0].part.is_shown = here[0] == 0
    shown.grown()
    assert shown.place == here or not members[here[0]].part.is_shown
    shown.grown(follow=True)
    assert shown.at_end()
    for member in members:
        os.unlink(member.summary.path)
        member.close()
    assert "can't be read" in words(shown.draw(0, 110))
