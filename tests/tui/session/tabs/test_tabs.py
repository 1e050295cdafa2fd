"""Each tab by itself: what it is drawn from, and the page it makes."""

import os

import pytest

from mcptap.tui.index.loaded import load
from mcptap.tui.session.tabs import TAB_KEYS, TABS
from mcptap.tui.session.tabs.tab import View
from tests.helpers import END, call, handshake, record, text_result
from tests.tui.screens import fed

CALL = 5
STEPS = [*handshake(), ("c2s", call(1, "forecast", {"city": "Ulm"})), ("s2c", text_result(1, "sunny")), *END]


@pytest.fixture
def feed(tmp_path):
    feed = fed(os.fspath(record(tmp_path / "x.jsonl", STEPS)))
    yield feed
    feed.close()


def tab(name):
    return next(tab for tab in TABS if tab.name == name)


def text_of(page):
    return "\n".join("".join(text for text, _ in line.pieces) for line in page.lines)


def view_of(feed, i=CALL, **more):
    other = feed.index.partner(i)
    loaded = load(feed.index, i)
    return View(feed.index, 80, feed.findings, loaded, other and load(feed.index, other), **more)


def test_every_tab_has_a_key_of_its_own_and_says_what_it_is():
    assert len({tab.key for tab in TABS}) == len({tab.name for tab in TABS}) == len(TABS)
    assert [key.keys for key in TAB_KEYS] == [tab.key for tab in TABS]
    assert all(key.help.startswith("detail: ") for key in TAB_KEYS)


@pytest.mark.parametrize("each", TABS, ids=lambda each: each.name)
def test_every_tab_makes_a_page_of_a_record_and_without_one(feed, each):
    assert each.exists(view_of(feed))
    assert each.render(view_of(feed)).lines
    assert each.render(View(feed.index, 20)).lines


def test_the_message_stands_above_its_answer(feed):
    text = text_of(tab("message").render(view_of(feed)))
    assert text.index('"city": "Ulm"') < text.index("sunny")


def test_a_record_that_cannot_be_read_is_told_of_by_the_tabs_about_records(feed):
    view = View(feed.index, 80, trouble="this record can't be read: gone")
    for each in TABS:
        assert ("gone" in text_of(each.render(view))) == each.about_record


def test_the_bytes_are_those_of_the_line_with_its_end(feed):
    page = tab("bytes").render(view_of(feed))
    assert page.data.endswith(b"}\n")
    assert f"{len(page.data)} bytes" in text_of(page)


@pytest.mark.parametrize("name", ["capabilities", "statistics"])
def test_what_needs_a_judgement_says_that_there_is_none_yet(feed, name):
    assert "not worked out yet" in text_of(tab(name).render(View(feed.index, 80)))
