"""The servers of a run as lines."""

from __future__ import annotations

import os

from mcptap.captures.summary import summarise
from mcptap.tui.runs.member import opened
from mcptap.tui.runs.servers import CAUSE, ServerList, cause_rows
from mcptap.tui.widgets.palette import DARK_PAINT
from tests.helpers import START_WALL_US
from tests.tui.screens import words


def test_a_server_has_its_sign_its_state_and_its_verdict_and_says_when_it_is_hidden(run_folder):
    member = opened(summarise(os.fspath(run_folder / "search.jsonl")), START_WALL_US)
    shown = ServerList()
    assert shown.chosen is None
    shown.members = [member]
    line = words(shown.draw(0, 100))
    assert line.startswith(" ✗ search ended ")
    assert 'printed "noise"' in line
    member.part.is_shown = False
    assert "(hidden)" in words(shown.draw(0, 100))
    rows = [words(left) for left, _ in cause_rows(DARK_PAINT, member, 60)]
    assert rows[0].startswith("   search: ")
    assert any(row.startswith(" → ") for row in rows)
    assert len(rows) <= CAUSE
    member.feed.findings = None
    assert words(shown.draw(0, 100)).startswith(" … search")
    member.close()
