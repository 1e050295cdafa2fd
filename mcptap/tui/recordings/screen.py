"""The first screen: all recordings, newest first, live ones marked and kept up to date."""

from __future__ import annotations

import os

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal

from mcptap.captures.summary import Summary, with_probes
from mcptap.recording.paths import default_folders
from mcptap.recording.reader import State
from mcptap.text.columns import text_width
from mcptap.text.units import counted, when
from mcptap.tui.recordings.collection import Collection
from mcptap.tui.recordings.rows import LEAST_CLIENT, Entry, SessionList
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.choice import Choice
from mcptap.tui.widgets.keys import EVERYWHERE, LIST, SESSIONS
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.prompt import Prompt
from mcptap.tui.widgets.scrollbar import Scrollbar
from mcptap.tui.widgets.tap_screen import OpenRecording, TapScreen
from mcptap.tui.widgets.text import visible

RELOAD = 1.0
"""Seconds between looks at the folders."""


class SessionsScreen(TapScreen):
    """All recordings of some folders (the default ones if none are named)."""

    CSS = """
    SessionsScreen { layout: vertical; }
    #sessions-body { height: 1fr; }
    #empty { height: 1fr; display: none; }
    """

    def __init__(self, folders: list[str] | None = None) -> None:
        super().__init__()
        self.collection = Collection(folders)
        self.title_bar = Bar(id="title", raised=True)
        self.prompt = Prompt(id="prompt")
        self.heading = Bar()
        self.list = SessionList(id="sessions")
        self.list_bar = Scrollbar(self.list)
        self.empty = Bar(id="empty")
        self._filter = ""

    def compose(self) -> ComposeResult:
        """The widgets of the screen."""
        yield self.title_bar
        yield self.prompt
        yield self.heading
        with Horizontal(id="sessions-body"):
            yield self.list
            yield self.list_bar
        yield self.empty
        yield self.status
        yield self.keybar

    def on_mount(self) -> None:
        """Look for recordings, now and at intervals."""
        self.set_focus(self.list)
        self.redraw()
        self.action_reload()
        self.set_interval(RELOAD, self.action_reload)

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

    def _tell(self) -> None:
        if self.is_running:
            self.app.call_from_thread(self.redraw)

    def entries(self) -> list[Entry]:
        """The lines of the list: what the filter lets through, probes below their sessions."""
        words = self._filter.casefold().split()
        lines: list[Entry] = []
        for session, probes in with_probes(self.collection.summaries):
            group = [Entry(session, False), *(Entry(probe, True) for probe in probes)]
            if any(entry.matches(words) for entry in group):
                lines += group
        return lines

    def redraw(self) -> None:
        """Draw everything."""
        paint = self.heading.paint
        entries = self.entries()
        self.list.show(entries)
        live = sum(s.state is State.LIVE for s in self.collection.summaries)
        place = ", ".join(self.collection.folders or default_folders(os.environ)[:1])
        said = f"{live} live  " if live else ""
        self.title_bar.show(
            (
                [(" mcptap", paint.title), ("  recordings", paint.dim)],
                [(said, paint.server), (f"{visible(place)} ", paint.faint)],
            )
        )
        columns = self.size.width - 2
        name, start = self.list.name_width(columns), self.list.start_width()
        names = f"   {'server':{name}} {'start':{start}} {'state':8}{'length':>7} {'msgs':>7} {'problems':14}"
        if columns >= 110:
            names += f"{'size':>7}  "
        room = columns - text_width(names)
        names += f"{'client':24} command" if room >= 44 else "client" if room >= LEAST_CLIENT else ""
        self.heading.show(([(names, paint.faint)], []))
        self.empty.display = not entries
        self.query_one("#sessions-body").display = bool(entries)
        self.heading.display = bool(entries)
        if not entries:
            self.empty.show(*self._empty_rows(place))
        number = counted(len(self.collection.summaries), "recording")
        other = (
            f" · {counted(self.collection.unreadable, 'other file')} that can't be read"
            if self.collection.unreadable
            else ""
        )
        if self.collection.ignored:
            other += f" · {self.collection.ignored:,} ignored: not yours, or no regular files"
        shown = f"{len(entries):,} of {number}" if self._filter else number
        self.status.show(([(f" {shown}{other}", paint.dim)], []))
        self.prompt.note(shown if self._filter else "")
        self.show_keys()

    def _empty_rows(self, place: str) -> list[tuple[Cells, Cells]]:
        paint = self.heading.paint
        blank: tuple[Cells, Cells] = ([], [])
        if not self.collection.is_loaded:
            return [blank, ([("   Looking for recordings…", paint.dim)], [])]
        if self.collection.summaries:
            return [
                blank,
                ([(f"   No recording matches {visible(self._filter)!r}.", paint.plain)], []),
                ([("   esc takes the filter away", paint.dim)], []),
            ]
        return [
            blank,
            ([("   There is no recording yet.", paint.bright)], []),
            blank,
            (
                [
                    (
                        "   Put mcptap in front of a server's command, and use your client as always:",
                        paint.plain,
                    )
                ],
                [],
            ),
            blank,
            ([("       mcptap run -- ", paint.dim), ("npx -y some-server", paint.client)], []),
            blank,
            ([(f"   Recordings appear here by themselves; they lie in {visible(place)}.", paint.dim)], []),
        ]

    # -- what can be done --

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        entry = self.list.chosen_entry
        if entry is not None:
            self.post_message(OpenRecording(entry.summary.path, is_probe=entry.is_probe))

    def action_filter(self) -> None:
        """Let the user type what to look for."""
        self.prompt.ask("sessions", self._filter)

    @on(Prompt.Changed)
    def _typed(self, event: Prompt.Changed) -> None:
        event.stop()
        if type(event) is Prompt.Changed:
            self._filter = event.text
            self.redraw()
            return
        if isinstance(event, Prompt.Left):
            self._filter = ""
        if self._filter:
            self.prompt.show("sessions", self._filter)
        else:
            self.prompt.close()
        self.set_focus(self.list)
        self.redraw()

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
                [("keep it", lambda: None), ("delete it for good", lambda: self._delete(summary))],
            )
        )

    def _delete(self, summary: Summary) -> None:
        try:
            os.unlink(summary.path)
        except OSError as error:
            self.notify(f"{summary.path} can't be deleted: {error.strerror}", severity="error")
            return
        self.collection.forget(summary.path)
        self.redraw()
        self.notify(f"Deleted {summary.path}.")

    def action_back(self) -> None:
        """Take the filter away."""
        if self._filter:
            self._filter = ""
            self.prompt.close()
            self.redraw()
