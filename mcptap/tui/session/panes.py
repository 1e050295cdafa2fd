"""What is on the screen of a recording, and where."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.widget import Widget

from mcptap.tui.index.feed import Feed
from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.findings_pane import FindingsPane
from mcptap.tui.session.scrubber import Scrubber
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.keys import DETAIL, FINDINGS, TIMELINE
from mcptap.tui.widgets.prompt import Prompt
from mcptap.tui.widgets.scrollbar import Scrollbar
from mcptap.tui.widgets.tap_screen import TapScreen


class SessionPanes(TapScreen):
    """The panes of a recording, without what they do."""

    # Textual takes the rules of a screen for those of its own class, not of this one.
    CSS = """
    SessionScreen { layout: vertical; }
    #verdict { height: 1; }
    #body { height: 1fr; layout: vertical; }
    #left { height: 1fr; width: 1fr; layout: vertical; }
    #list { height: 1fr; }
    #lower { height: 1fr; display: none; }
    #scrubber { display: none; }
    SessionScreen.wide #body { layout: horizontal; }
    SessionScreen.wide #lower { width: 45%; height: 1fr; border-left: vkey $rule; }
    SessionScreen.zoom-detail #left { max-width: 0; max-height: 0; }
    SessionScreen.zoom-detail #lower { width: 1fr; border-left: none; }
    SessionScreen.zoom-list #lower, SessionScreen.zoom-findings #lower { max-width: 0; max-height: 0; }
    SessionScreen.zoom-list #findings-pane, SessionScreen.zoom-findings #list { max-height: 0; }
    SessionScreen.zoom-findings #findings-pane { min-height: 100%; }
    """

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self.feed = feed
        self.verdict = Bar(id="verdict", raised=True)
        self.title_bar = Bar(id="title", raised=True)
        self.headings = Bar(id="headings")
        self.left = Container(id="left")
        self.prompt = Prompt(id="prompt")
        self.timeline = Timeline(feed.index, id="timeline")
        self.timeline_bar = Scrollbar(self.timeline)
        self.findings_pane = FindingsPane(id="findings-pane")
        self.pane = DetailPane(feed, id="lower")
        self.scrubber = Scrubber(id="scrubber")

    def compose(self) -> ComposeResult:
        """The widgets of the screen."""
        yield self.verdict
        yield self.title_bar
        yield self.prompt
        with Container(id="body"):
            with self.left:
                yield self.headings
                with Horizontal(id="list"):
                    yield self.timeline
                    yield self.timeline_bar
                yield self.findings_pane
            yield self.pane
        yield self.scrubber
        yield self.status
        yield self.keybar

    @property
    def edges(self) -> tuple[Widget, ...]:
        """The lines around all panes."""
        return (self.verdict, self.title_bar, self.prompt, self.scrubber, self.status, self.keybar)

    @property
    def focused_place(self) -> str:
        """Whose keys the pane with the focus has."""
        if self.pane.detail.has_focus:
            return DETAIL
        return FINDINGS if self.findings_pane.list.has_focus else TIMELINE
