"""Running the screen in tests: recordings indexed in this process, keys pressed by Textual's pilot."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any

from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.widget import Widget

from mcptap.tui.app import TapApp
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.indexer import Indexer
from mcptap.tui.session.screen import SessionScreen
from mcptap.tui.theme.palettes import Depth
from mcptap.tui.widgets.document import Line
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.tap_screen import TapScreen

PATIENCE_S = 60.0


class InProcessFeed(Feed):
    """A feed whose indexer runs in this process, and only when it is told to."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.indexer = Indexer(path, self.take)

    def start(self) -> None:
        """Index what is there."""
        self.catch_up(live=False)

    def catch_up(self, *, live: bool) -> None:
        """Index what came since the last time."""
        self.indexer.step()
        self.indexer.report_status(complete=True, live=live)
        self.indexer.judge(live=live)

    def close(self) -> None:
        """Close the file of the indexer as well."""
        if not self._closed:
            self.indexer.close()
        super().close()


def fed(path: str) -> Feed:
    """A feed that has indexed the whole file."""
    feed = InProcessFeed(path)
    feed.preview()
    feed.start()
    return feed


def indexed(path: str | os.PathLike[str]) -> RecordIndex:
    """The index of the whole file."""
    return fed(os.fspath(path)).index


@asynccontextmanager
async def opened(
    feed: Feed,
    size: tuple[int, int] = (120, 40),
    *,
    light: bool = False,
    depth: Depth = Depth.TRUE,
    look: bool = False,
) -> AsyncIterator[tuple[Pilot[int], SessionScreen]]:
    """The screen of a recording, drawn and ready for keys.

    The cursor stands on the first record, unless `look` leaves it where the first look puts it.
    """
    screen = SessionScreen(feed)
    if not look:
        screen.first_look.end()
    app = TapApp(screen, light=light, depth=depth)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        yield pilot, screen
        feed.close()


async def until(pilot: Pilot[Any], condition: Callable[[], object]) -> None:
    """Wait until something is so; fail if it does not become so."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        await pilot.pause(0.01)


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until the screen has looked at what the feed brought, and has drawn it."""
    screen = pilot.app.screen
    if isinstance(screen, SessionScreen):
        await until(pilot, lambda: screen.growth.shown_version == screen.feed.version)
    await at_rest(pilot)


async def at_rest(pilot: Pilot[Any]) -> None:
    """Wait until the screen does not change any more: on a busy machine drawing comes late."""
    await pilot.pause()
    seen: list[list[str]] = []
    while len(seen) < 3 or seen[-1] != seen[-2] or seen[-2] != seen[-3]:
        assert len(seen) < PATIENCE_S * 100, "it never comes to rest"
        seen.append(shown(pilot))
        await pilot.pause(0.01)


async def typed(pilot: Pilot[Any], text: str) -> None:
    """Type a text."""
    for char in text:
        await pilot.press({":": "colon", " ": "space", "_": "underscore", "/": "slash"}.get(char, char))


def shown(pilot: Pilot[Any]) -> list[str]:
    """The lines that are on the screen."""
    app = pilot.app
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]


def played(play: Coroutine[Any, Any, None]) -> None:
    """Run a test that presses keys."""
    asyncio.run(play)


class Alone(TapScreen):
    """A screen with these widgets and nothing else."""

    def __init__(self, *widgets: Widget) -> None:
        super().__init__()
        self._widgets = widgets

    def compose(self) -> ComposeResult:
        yield from self._widgets


@asynccontextmanager
async def alone(*widgets: Widget, size: tuple[int, int] = (40, 6)) -> AsyncIterator[Pilot[int]]:
    """A terminal that shows these widgets and nothing else."""
    async with TapApp(Alone(*widgets)).run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        yield pilot


def words(cells: Cells) -> str:
    """The text of cells."""
    return "".join(text for text, _ in cells)


def lines_of(document: Iterable[Line]) -> list[str]:
    """The text of the lines of a document."""
    return ["".join(text for text, _ in line.pieces) for line in document]
