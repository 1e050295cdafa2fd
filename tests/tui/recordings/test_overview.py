"""What stands around the list."""

from __future__ import annotations

from mcptap.query import parse
from mcptap.tui.recordings.collection import Collection
from mcptap.tui.recordings.filter import FIELDS
from mcptap.tui.recordings.order import ORDERS, entries
from mcptap.tui.recordings.overview import PREVIEW, empty_rows, preview_rows, status_words
from mcptap.tui.widgets.palette import DARK_PAINT
from tests.tui.recordings.made import broken, summary
from tests.tui.screens import words


def preview(*summaries, columns=80):
    first = next(iter(entries(summaries, parse("", FIELDS), 0, ORDERS[0])), None)
    return [words(left) for left, _ in preview_rows(DARK_PAINT, first, columns)]


def test_the_preview_says_what_it_came_to_what_to_do_and_the_command():
    rows = preview(broken("files"))
    assert rows[0] == " ✗ files printed a line that is no message."
    assert rows[1] == " → Print it to stderr."
    assert rows[-1] == "   files --serve"
    assert len(rows) == PREVIEW


def test_the_preview_of_a_capture_says_what_it_is():
    assert preview(summary("a", origin="a log of X"))[-1] == "   a log of X: /recordings/a-0.0.jsonl"


def test_the_preview_of_a_run_is_that_of_its_worst_session_by_name():
    assert preview(summary("a"), broken("b", 1))[0].startswith(" ✗ b: b printed")


def test_a_long_verdict_is_cut_with_a_sign_for_it():
    rows = preview(broken("files", verdict="word " * 200))
    assert len(rows) == PREVIEW
    assert rows[-1].endswith("…")


def test_what_was_not_judged_is_not_said_to_be_well():
    assert preview(summary("a", problems=None, outcome="", verdict=""))[0] == "   not judged yet: …"
    assert preview() == [""] * PREVIEW


def test_an_empty_list_has_two_lines_to_paste():
    collection = Collection([])
    collection.is_loaded = True
    said = [words(left).strip() for left, _ in empty_rows(DARK_PAINT, collection, "", "/there")]
    assert "mcptap demo" in said
    assert "mcptap wrap" in said
    assert said[-1] == "/there"


def test_the_status_counts_what_is_listed_and_what_is_no_recording():
    collection = Collection([])
    assert status_words(collection, 0, is_filtered=False) == ("0 recordings", "")
    collection.unreadable, collection.ignored = 1, 2
    number, other = status_words(collection, 3, is_filtered=True)
    assert number == "3 of 0 recordings"
    assert other.startswith(" · 1 other file that can't be read · 2 ignored")
