"""Pages of tabs in tests, and what they are drawn from."""

from mcptap.tui.index.loaded import load
from mcptap.tui.session.tabs import TABS
from mcptap.tui.session.tabs.tab import View

CALL = 5


def tab(name):
    return next(tab for tab in TABS if tab.name == name)


def text_of(page):
    return "\n".join("".join(text for text, _ in line.pieces) for line in page.lines)


def view_of(feed, i=CALL, **more):
    other = feed.index.partner(i)
    loaded = load(feed.index, i)
    return View(feed.index, 80, feed.findings, loaded, other and load(feed.index, other), **more)
