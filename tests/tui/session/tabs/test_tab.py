"""What all tabs have in common: a key, a page of anything, and words where there is nothing to show."""

import pytest

from mcptap.tui.session.tabs import TAB_KEYS, TABS
from mcptap.tui.session.tabs.tab import View
from tests.tui.session.tabs.pages import tab, text_of, view_of


def test_every_tab_has_a_key_of_its_own_and_says_what_it_is():
    assert len({tab.key for tab in TABS}) == len({tab.name for tab in TABS}) == len(TABS)
    assert [key.keys for key in TAB_KEYS] == [tab.key for tab in TABS]
    assert all(key.help.startswith("detail: ") for key in TAB_KEYS)


@pytest.mark.parametrize("each", TABS, ids=lambda each: each.name)
def test_every_tab_makes_a_page_of_a_record_and_without_one(feed, each):
    assert each.exists(view_of(feed))
    assert each.render(view_of(feed)).lines
    assert each.render(View(feed.index, 20)).lines


def test_a_record_that_cannot_be_read_is_told_of_by_the_tabs_about_records(feed):
    view = View(feed.index, 80, trouble="this record can't be read: gone")
    for each in TABS:
        assert ("gone" in text_of(each.render(view))) == each.about_record


@pytest.mark.parametrize("name", ["capabilities", "statistics"])
def test_what_needs_a_judgement_says_that_there_is_none_yet(feed, name):
    assert "not worked out yet" in text_of(tab(name).render(View(feed.index, 80)))
