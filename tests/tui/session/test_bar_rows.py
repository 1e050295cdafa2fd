import os
from dataclasses import replace

import pytest

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.text.columns import text_width
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.session.bar_rows import (
    MAX_VERDICT,
    MAX_VERDICT_NARROW,
    findings_title,
    known_capabilities,
    status_row,
    verdict_rows,
)
from mcptap.tui.widgets.palette import DARK_PAINT
from tests.helpers import (
    handshake,
    notification,
    record,
)
from tests.tui.screens import at_rest, fed, opened, played, shown, until, words


def test_all_totals_stand_in_the_status_line_of_a_small_terminal(path):
    async def play():
        async with opened(fed(path), (80, 24)) as (pilot, screen):
            await at_rest(pilot)
            status = shown(pilot)[-2]
            for words in ("1 pollution", "1 error", "1 unanswered"):
                assert words in status
            timeline, feed = screen.timeline, screen.feed
            timeline.now = len(timeline.index) - 1  # played to its end
            played_to_end = status_row(DARK_PAINT, timeline, feed, 0, "", 80)[1]
            assert any("1 unanswered" in text for text, _ in played_to_end)

    played(play())


def test_a_session_that_never_ended_says_so(tmp_path):
    path = record(tmp_path / "x.jsonl", [*handshake(), ("c2s", notification("notifications/x"))])

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, _):
            await until(pilot, lambda: any("cut off" in line for line in shown(pilot)))
            assert not any("live" in line for line in shown(pilot)[-2:])

    played(play())


ERROR = Finding("stdout-not-json", Level.ERROR, 9, "x")
HINT = Finding("tool-undescribed", Level.INFO, 5, "x")


@pytest.fixture
def feed(path):
    feed = fed(path)
    yield feed
    feed.close()


def verdict(feed, judgement, columns=80):
    return [words(left) for left, _ in verdict_rows(DARK_PAINT, judgement, feed, columns)]


def test_the_verdict_has_the_sign_of_the_worst_finding(feed):
    assert verdict(feed, Judgement([ERROR], "It prints.", Outcome.BROKEN)) == [" ✗ It prints."]
    assert verdict(feed, Judgement([HINT], "Fine.", Outcome.HEALTHY)) == [" ✓ Fine."]


def test_before_the_diagnosis_there_is_no_verdict(feed):
    feed.findings = None
    assert verdict(feed, Judgement()) == [" · Looking through the recording…"]


def test_while_the_file_is_being_read_only_what_was_found_is_said_and_how_much_was_read(feed):
    feed.status = replace(feed.status, complete=False)
    assert verdict(feed, Judgement([ERROR], "It prints.", Outcome.BROKEN)) == [
        " ✗ So far (100 % read): It prints."
    ]
    for outcome in (Outcome.HEALTHY, Outcome.WAITING, Outcome.CALLS_FAILED):
        (line,) = verdict(feed, Judgement([], "Nothing is wrong.", outcome))
        assert line == " · Looking through the recording: 100 % read, no finding so far."


def test_a_recording_that_is_cut_is_no_quiet_matter(feed):
    rows = verdict_rows(DARK_PAINT, Judgement([], "Cut.", Outcome.UNCLEAR, cut=True), feed, 80)
    assert [style for _, style in rows[0][0]] == [DARK_PAINT.stderr, DARK_PAINT.bright]


@pytest.mark.parametrize(("columns", "rows"), [(60, MAX_VERDICT_NARROW), (120, MAX_VERDICT)])
def test_a_long_verdict_is_cut_with_a_sign_of_it(feed, columns, rows):
    lines = verdict(feed, Judgement([ERROR], "word " * 300), columns)
    assert len(lines) == rows
    assert lines[-1].endswith(" …")
    assert all(text_width(line) <= columns for line in lines)


def test_findings_are_counted_by_level():
    left, _ = findings_title(DARK_PAINT, [ERROR, ERROR, HINT])
    assert words(left).startswith(" Findings  2 errors 1 info")


def test_capabilities_are_known_once_their_answer_came(feed):
    assert known_capabilities(feed.index, feed.findings, 2) == "capabilities not known yet"
    assert known_capabilities(feed.index, feed.findings, 3) == "server: tools"
    nothing = replace(feed.findings, server_capabilities={})
    assert known_capabilities(feed.index, nothing, 3) == "server: declares nothing"
