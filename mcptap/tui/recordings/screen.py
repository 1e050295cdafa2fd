"""The first screen: all recordings, newest first, live ones marked and kept up to date."""

from __future__ import annotations

import os
import time

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal

from mcptap.query import Query, QueryError, parse
from mcptap.recording.paths import default_folders
from mcptap.recording.reader import State
from mcptap.text.units import counted, when
from mcptap.tui.recordings.collection import Collection
from mcptap.tui.recordings.filter import FIELDS
from mcptap.tui.recordings.judging import Judging
from mcptap.tui.recordings.order import ORDERS, Entry, entries
from mcptap.tui.recordings.overview import PREVIEW, empty_rows, preview_rows, status_words
from mcptap.tui.recordings.rows import SessionList
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.choice import Choice
from mcptap.tui.widgets.keys import EVERYWHERE, LIST, SESSIONS
from mcptap.tui.widgets.line_list import LineList
from mcptap.tui.widgets.prompt import Prompt
from mcptap.tui.widgets.scrollbar import Scrollbar
from mcptap.tui.widgets.tap_screen import OpenRecording, OpenRun, TapScreen
from mcptap.tui.widgets.text import visible

RELOAD = 1.0
"""Seconds between looks at the folders."""

TICK = 0.1
"""Seconds between looks at what came of them: a list is not drawn anew for each recording that is judged."""

LEAST_ROWS = 18
"""Below so many rows the list has them all, without the preview."""


class SessionsScreen(TapScreen):
    """All recordings of some folders (the default ones if none are named), or what of them a filter shows."""

    CSS = """
    SessionsScreen { layout: vertical; }
    #sessions-body { height: 1fr; }
    #preview { height: 6; border-top: solid $rule; }
    #empty { height: 1fr; display: none; }
    """

    def __init__(self, folders: list[str] | None = None, text: str = "") -> None:
        super().__init__()
        self.collection = Collection(folders)
        self.judging = Judging()
        self.title_bar = Bar(id="title", raised=True)
        self.prompt = Prompt(id="prompt")
        self.prompt.fields["sessions"] = FIELDS
        self.heading = Bar()
        self.list = SessionList(id="sessions")
        self.list.awaits = self.collection.awaits
        self.list_bar = Scrollbar(self.list)
        self.preview = Bar(id="preview")
        self.empty = Bar(id="empty")
        self.query_text: Query = parse(text, FIELDS)
        """The filter that applies: the last one that could be understood."""
        self._order = 0
        self._changes = self._drawn = 0
        """How often something changed, and how much of that is on the screen."""
        self._not_before = 0.0
        self._reverse = False
        self._before = ""
        """The filter that applied before the user began to type."""

    def compose(self) -> ComposeResult:
        """The widgets of the screen."""
        yield self.title_bar
        yield self.prompt
        yield self.heading
        with Horizontal(id="sessions-body"):
            yield self.list
            yield self.list_bar
        yield self.preview
        yield self.empty
        yield self.status
        yield self.keybar

    def on_mount(self) -> None:
        """Look for recordings, now and at intervals."""
        self.set_focus(self.list)
        if not self.query_text.is_empty:
            self.prompt.show("sessions", self.query_text.text)
        self.redraw()
        self.action_reload()
        self.set_interval(RELOAD, self.action_reload)
        self.set_interval(TICK, self.tick)

    def on_unmount(self) -> None:
        """Stop judging."""
        self.judging.close()

    def on_resize(self) -> None:
        """Set out for the new width."""
        self.call_after_refresh(self.redraw)

    @property
    def places(self) -> tuple[str, ...]:
        """Whose keys make sense now."""
        return (SESSIONS, LIST, EVERYWHERE)

    def action_reload(self) -> None:
        """Look at the folders again; what did not change is not read again."""
        if self.is_current or not self.collection.is_loaded:
            self._look()

    @work(thread=True, exclusive=True, group="look")
    def _look(self) -> None:
        self.collection.look(self._tell)
        if self.is_running:
            self.app.call_from_thread(self._judge_the_rest)

    def _judge_the_rest(self) -> None:
        if not any(worker.group == "judge" and not worker.is_finished for worker in self.workers):
            self._judge()

    @work(thread=True, group="judge")
    def _judge(self) -> None:
        self.collection.judge(self.judging, self._tell)

    def _tell(self) -> None:
        """Called from the threads."""
        self._changes += 1

    def tick(self) -> None:
        """Draw what the threads found, with pauses that leave most of the time to the keys."""
        now = time.monotonic()
        if self._changes != self._drawn and now >= self._not_before:
            self._drawn = self._changes
            self.redraw()
            self._not_before = now + 5 * (time.monotonic() - now)

    def entries(self) -> list[Entry]:
        """The lines of the list: what the filter lets through."""
        now_us = time.time_ns() // 1000
        order = ORDERS[self._order]
        return entries(self.collection.summaries, self.query_text, now_us, order, reverse=self._reverse)

    def redraw(self) -> None:
        """Draw everything."""
        paint = self.heading.paint
        lines = self.entries()
        self.list.show(lines)
        live = sum(s.state is State.LIVE for s in self.collection.summaries)
        place = ", ".join(self.collection.folders or default_folders(os.environ)[:1])
        said = f"{live} live  " if live else ""
        self.title_bar.show(
            (
                [(" mcptap", paint.title), ("  recordings", paint.dim)],
                [(said, paint.server), (f"{visible(place)} ", paint.faint)],
            )
        )
        names = self.list.heading(self.size.width - 2, ORDERS[self._order].word, reverse=self._reverse)
        self.heading.show(([(names, paint.faint)], []))
        self.empty.display = not lines
        self.query_one("#sessions-body").display = bool(lines)
        self.heading.display = bool(lines)
        if not lines:
            self.empty.show(*empty_rows(paint, self.collection, self.query_text.text, place))
        self._show_preview()
        shown = sum(entry.run is None for entry in lines)
        number, other = status_words(self.collection, shown, is_filtered=not self.query_text.is_empty)
        self.status.show(([(f" {number}{other}", paint.dim)], []))
        self.prompt.note("" if self.query_text.is_empty else number)
        self.show_keys()

    def _show_preview(self) -> None:
        self.preview.display = self.size.height >= LEAST_ROWS and bool(self.list.entries)
        entry, paint = self.list.chosen_entry, self.preview.paint
        self.preview.show(*preview_rows(paint, entry, self.size.width, PREVIEW))

    # -- what can be done --

    @on(LineList.Moved)
    def _moved(self, event: LineList.Moved) -> None:
        event.stop()
        self._show_preview()

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        entry = self.list.chosen_entry
        if entry is not None and entry.run is not None:
            self.action_run()
        elif entry is not None:
            self.post_message(OpenRecording(entry.summary.path, is_probe=entry.is_probe))

    def action_sort(self, step: int) -> None:
        """Sort by the next column."""
        self._order, self._reverse = (self._order + step) % len(ORDERS), False
        self.redraw()
        self.list.go(0)

    def action_reverse(self) -> None:
        """Sort the other way round."""
        self._reverse = not self._reverse
        self.redraw()
        self.list.go(0)

    def action_filter(self) -> None:
        """Let the user type what to look for; names that occur complete it."""
        summaries = self.collection.summaries
        self.prompt.seen = {
            "server": {s.name for s in summaries},
            "client": {s.client_name or s.parent_name for s in summaries} - {""},
        }
        self._before = self.query_text.text
        self.prompt.ask("sessions", self._before)

    @on(Prompt.Changed)
    def _typed(self, event: Prompt.Changed) -> None:
        event.stop()
        if type(event) is Prompt.Changed:
            self._show_only(event.text)
            return
        if isinstance(event, Prompt.Entered) and not self._show_only(event.text):
            return  # the prompt says what is wrong with it
        if isinstance(event, Prompt.Left):
            self._show_only(self._before)
        if self.query_text.is_empty:
            self.prompt.close()
        else:
            self.prompt.show("sessions", self.query_text.text)
        self.set_focus(self.list)
        self.redraw()

    def _show_only(self, text: str) -> bool:
        """Apply a filter; one that can't be understood changes nothing. Whether it could be."""
        try:
            self.query_text = parse(text, FIELDS)
        except QueryError:
            return False
        self.redraw()
        return True

    def action_run(self) -> None:
        """Open the run that the session under the cursor is of."""
        entry = self.list.chosen_entry
        if entry is not None:
            self.post_message(OpenRun(entry.summary.path, self.collection.folders))

    def action_mark(self) -> None:
        """Mark the recording under the cursor, or take its mark away; there are two marks at most."""
        summary = self.list.chosen
        if summary is None:
            return
        marked = [path for path in self.list.marked if path != summary.path]
        if len(marked) == len(self.list.marked):
            marked = [*marked[-1:], summary.path]
        self.list.marked = marked
        self.list.forget()
        self.list.action_move(1)

    def action_diff(self) -> None:
        """Compare both marked recordings, or the marked one with that under the cursor."""
        from mcptap.tui.compare.screen import DiffScreen

        known = {s.path: s for s in self.collection.summaries}
        chosen = [known[path] for path in self.list.marked if path in known]
        here = self.list.chosen
        if len(chosen) == 1 and here is not None and here.path != chosen[0].path:
            chosen.append(here)
        if len(chosen) == 2:
            self.app.push_screen(DiffScreen(*chosen))
        else:
            self.notify("Mark a recording with m, go to another one, and press D to compare them.")

    def action_delete(self) -> None:
        """Ask, then delete the recording under the cursor."""
        summary = self.list.chosen
        if summary is None:
            return
        if summary.state is State.LIVE:
            self.notify(
                "This recording is live: a server is writing it. End the server first.", severity="warning"
            )
            return
        name = (
            f"{visible(summary.name)}, {when(summary.start_wall_us)}, {counted(summary.messages, 'message')}"
        )
        self.app.push_screen(
            Choice(
                f"Delete {name}?",
                [("keep it", lambda: None), ("delete it for good", lambda: self._delete(summary.path))],
            )
        )

    def _delete(self, path: str) -> None:
        try:
            os.unlink(path)
        except OSError as error:
            self.notify(f"{path} can't be deleted: {error.strerror}", severity="error")
            return
        self.collection.forget(path)
        self.redraw()
        self.notify(f"Deleted {path}.")

    def action_back(self) -> None:
        """Take the filter away."""
        if not self.query_text.is_empty:
            self._show_only("")
            self.prompt.close()
            self.redraw()
