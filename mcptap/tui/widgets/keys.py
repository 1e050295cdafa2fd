"""The one table of keys: bindings, footers, the help page and the palette are made from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding, BindingType

(
    LIST,
    SESSION,
    TIMELINE,
    FOLDED,
    DETAIL,
    FINDINGS,
    CALLS,
    SESSIONS,
    RUNS,
    PLAYING,
    PLAY,
    FORM,
    RUN,
    ANSWERS,
    DIFF,
    EVERYWHERE,
) = (
    "Lists",
    "Session",
    "Timeline",
    "Runs of stderr",
    "Detail",
    "Findings",
    "Calls",
    "Recordings",
    "Run of a client",
    "While it plays",
    "Play",
    "Before a start",
    "While a server runs",
    "Old and new answer",
    "Two sessions",
    "Everywhere",
)


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that keys do. `label` stands in the footer where `footer` is not 0 (its rank)."""

    where: str
    keys: str
    action: str
    label: str
    help: str
    footer: int = 0
    shown: str = ""
    """How the keys are written for people; empty: made from `keys`."""

    @property
    def display(self) -> str:
        """The keys for people."""
        return self.shown or " ".join(_shown(key) for key in self.keys.split(","))


KEYS = (
    Key(LIST, "down,j", "move(1)", "down", "one line down"),
    Key(LIST, "up,k", "move(-1)", "up", "one line up"),
    Key(LIST, "pagedown,ctrl+f", "page(1)", "page down", "a page down"),
    Key(LIST, "pageup,ctrl+b", "page(-1)", "page up", "a page up"),
    Key(LIST, "ctrl+d", "half_page(1)", "half down", "half a page down"),
    Key(LIST, "ctrl+u", "half_page(-1)", "half up", "half a page up"),
    Key(LIST, "home,g", "first", "start", "to the start"),
    Key(LIST, "end,G", "last", "end", "to the end; a live recording is followed from there"),
    Key(LIST, "enter", "choose", "open", "open what the cursor is on"),
    Key(TIMELINE, "enter", "choose", "open", "open the record below or beside the list, then go there", 1),
    Key(TIMELINE, "m", "screen.mark", "mark", "mark the record for export, or take the mark away"),
    Key(FOLDED, "u", "screen.fold", "(un)fold", "unfold the run of stderr, or fold it", 1),
    Key(FOLDED, "U", "screen.fold_all", "(un)fold all", "unfold all runs of stderr, or fold them", 7),
    Key(DETAIL, "enter", "choose", "fold", "fold or unfold, show more of a cut value, follow a record", 1),
    Key(DETAIL, "o", "fold_all", "fold all", "fold everything, or unfold it", 2),
    Key(FINDINGS, "enter", "choose", "go to record", "go to the record that shows it", 1),
    Key(SESSION, "x", "pair", "pair", "from a request to its answer, and back", 2),
    Key(
        SESSION,
        "slash",
        "search",
        "search",
        "search all records; in another pane, what it shows",
        3,
        "/",
    ),
    Key(SESSION, "n", "next_hit(1)", "next", "next hit of the search"),
    Key(SESSION, "N", "next_hit(-1)", "previous", "previous hit of the search"),
    Key(SESSION, "f", "filter", "filter", "show only some records: tool:read_* status:error …", 4),
    Key(SESSION, "p", "next_problem(1)", "problem", "next record with a finding or an error", 5),
    Key(SESSION, "P", "next_problem(-1)", "last problem", "previous record with a finding or an error"),
    Key(SESSION, "tab", "app.focus_next", "pane", "to the next pane", 8),
    Key(SESSION, "shift+tab", "app.focus_previous", "pane back", "to the pane before"),
    Key(SESSION, "z", "zoom", "zoom", "the pane alone on the screen, and back"),
    Key(SESSION, "r", "read_again", "read again", "read a log of another program again, as it is now"),
    Key(SESSION, "F", "findings", "findings", "show or hide the findings"),
    Key(
        SESSION,
        "less_than_sign,comma",
        "neighbour(-1)",
        "earlier",
        "the session before in its folder",
        0,
        "<",
    ),
    Key(SESSION, "greater_than_sign,full_stop", "neighbour(1)", "later", "the next session", 0, ">"),
    Key(SESSION, "c", "calls", "calls", "a row for each request with its answer, on the time axis", 6),
    Key(SESSION, "colon", "jump", "go to", "go to a record (120) or a time (+3.5, +1:02)", 0, ":"),
    Key(SESSION, "y", "copy", "copy", "copy text, value, finding, command, entry, test, raw line"),
    Key(SESSION, "e", "export", "export", "export as JSONL or Markdown, secrets masked; asks where"),
    Key(SESSION, "I", "pictures", "pictures", "save or open the pictures in the message"),
    Key(SESSION, "E", "editor", "editor", "open the record in $EDITOR"),
    Key(SESSION, "V", "pager", "pager", "open the record in $PAGER"),
    Key(SESSION, "R", "resend", "resend", "send the request, edited if you like, to a fresh server", 8),
    Key(SESSION, "A", "probe", "probe", "ask a fresh server what a probe asks, started as recorded"),
    Key(PLAYING, "space", "play", "pause", "pause, and go on", 1),
    Key(PLAYING, "right_square_bracket,right,l", "step(1)", "step", "one record forward", 1, "→"),
    Key(PLAYING, "plus,equals_sign", "speed(1)", "faster", "faster, to ×100", 1, "+"),
    Key(PLAYING, "minus", "speed(-1)", "slower", "slower, to ×0.1", 1, "-"),
    Key(PLAYING, "i", "skip_idle", "skip idle", "skip pauses of more than 2 s, 0.5 s, 10 s, or none", 1),
    Key(PLAYING, "s", "stop", "stop", "end playing: all records again", 1),
    Key(PLAY, "space", "play", "play", "play the session from the cursor", 7),
    Key(PLAY, "right_square_bracket,right,l", "step(1)", "step", "one record forward", 0, "→"),
    Key(PLAY, "left_square_bracket,left,h", "step(-1)", "step back", "one record back", 0, "←"),
    Key(CALLS, "enter", "choose", "open", "open request and answer below or beside the list", 1),
    Key(CALLS, "x", "timeline", "timeline", "go to the request among all records", 2),
    Key(CALLS, "s", "sort", "sort", "sort by time, latency, size, tool, status: each in turn", 3),
    Key(CALLS, "S", "reverse", "reverse", "the same the other way round"),
    Key(
        CALLS,
        "slash,f",
        "filter",
        "filter",
        "show only calls of which a half passes: tool:read_* …",
        4,
        "f /",
    ),
    Key(CALLS, "p", "next_problem(1)", "problem", "next call that failed or waits", 5),
    Key(CALLS, "P", "next_problem(-1)", "last problem", "previous call that failed or waits"),
    Key(CALLS, "z", "zoom", "zoom", "the pane alone on the screen, and back"),
    Key(CALLS, "tab", "app.focus_next", "pane", "to the next pane"),
    Key(CALLS, "y", "copy", "copy", "copy text, value, finding, command, entry, test, raw line"),
    Key(CALLS, "e", "export", "export", "export as JSONL or Markdown, secrets masked; asks where"),
    Key(CALLS, "E", "editor", "editor", "open the request in $EDITOR"),
    Key(CALLS, "V", "pager", "pager", "open the request in $PAGER"),
    Key(CALLS, "R", "resend", "resend", "send the request, edited if you like, to a fresh server"),
    Key(CALLS, "c", "back_to_timeline", "timeline", "back to the timeline, where it was"),
    Key(SESSIONS, "enter", "choose", "open", "open the recording", 1),
    Key(
        SESSIONS,
        "slash,f",
        "screen.filter",
        "filter",
        "show only some: server:git* outcome:waiting …",
        2,
        "/",
    ),
    Key(
        SESSIONS, "s", "screen.sort(1)", "sort", "sort by start, problems, length, messages, size, server", 3
    ),
    Key(SESSIONS, "S", "screen.reverse", "reverse", "sort the other way round"),
    Key(SESSIONS, "m", "screen.mark", "mark", "mark a recording to compare it, or take the mark away", 4),
    Key(SESSIONS, "D", "screen.diff", "diff", "compare both marked ones, or the marked one and this", 5),
    Key(SESSIONS, "R", "screen.run", "run", "all servers of the run that it is of, on one timeline", 7),
    Key(SESSIONS, "d,delete", "screen.delete", "delete", "delete the recording, after a question", 8, "d"),
    Key(SESSIONS, "r", "screen.reload", "reload", "look for new recordings now"),
    Key(RUNS, "enter", "choose", "open", "open the session there; of a server, what is at fault", 1),
    Key(RUNS, "tab", "app.focus_next", "pane", "from the timeline to the servers, and back", 2),
    Key(RUNS, "o", "screen.only", "only", "only the records of this server, and those of all again", 3),
    Key(RUNS, "p", "screen.next_problem(1)", "problem", "next record with a finding, of any server", 4),
    Key(RUNS, "P", "screen.next_problem(-1)", "last problem", "previous record with a finding"),
    Key(RUNS, "x", "screen.pair", "pair", "from a request to its answer, and back", 5),
    Key(RUNS, "u", "screen.fold", "unfold", "unfold the run of stderr, or fold it"),
    Key(RUNS, "slash", "screen.search", "search", "search the records of all servers that are shown", 6, "/"),
    Key(RUNS, "n", "screen.next_hit(1)", "next", "next hit of the search, of any server"),
    Key(RUNS, "N", "screen.next_hit(-1)", "previous", "previous hit of the search"),
    Key(RUNS, "f", "screen.filter", "filter", "show only some records, of all servers", 7),
    Key(RUNS, "L", "screen.newest", "latest", "to the latest run, and on with whatever comes"),
    Key(FORM, "ctrl+s,f5", "start", "start", "start the server, after a question", 1),
    Key(FORM, "ctrl+r", "restore", "restore", "all as it was recorded", 2),
    Key(FORM, "tab", "app.focus_next", "field", "to the next field", 3),
    Key(FORM, "escape", "back", "back", "back: nothing was started", 4, "esc"),
    Key(FORM, "f1", "help", "help", "this page", 5, "F1"),
    Key(RUN, "escape", "back", "stop, back", "stop the server; when it has ended, back", 6, "esc"),
    Key(ANSWERS, "n", "change(1)", "next", "next difference", 1),
    Key(ANSWERS, "N", "change(-1)", "previous", "previous difference"),
    Key(ANSWERS, "t", "transcript", "transcript", "what went and came, and back to the answers", 2),
    Key(ANSWERS, "o", "open", "open", "open the new recording", 3),
    Key(DIFF, "n", "change(1)", "next", "next difference", 1),
    Key(DIFF, "N", "change(-1)", "previous", "previous difference", 2),
    Key(DIFF, "o", "open('old')", "old", "open the old session", 3),
    Key(DIFF, "O", "open('new')", "new", "open the new session", 4),
    Key(EVERYWHERE, "escape", "back", "back", "back: closes what is open, then the screen", 6, "esc"),
    Key(EVERYWHERE, "question_mark,f1", "help", "help", "this page", 9, "?"),
    Key(EVERYWHERE, "ctrl+p", "command_palette", "palette", "all commands that make sense now"),
    Key(EVERYWHERE, "ctrl+z", "suspend_process", "suspend", "suspend the program; fg brings it back"),
    Key(EVERYWHERE, "T", "theme", "theme", "light or dark"),
    Key(EVERYWHERE, "q", "quit", "quit", "leave", 10),
    Key(EVERYWHERE, "ctrl+c", "quit", "quit", "leave"),
)
"""All keys but those of the tabs, in the order of the help page."""

_NAMES = {
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "home": "Home",
    "end": "End",
    "escape": "esc",
    "question_mark": "?",
    "shift+tab": "⇧tab",
}


def _shown(key: str) -> str:
    return _NAMES.get(key) or key.replace("ctrl+", "^")


def bindings(*places: str, keys: Iterable[Key] = KEYS) -> list[BindingType]:
    """The bindings of these places; what two of them share is bound once."""
    found = {(key.keys, key.action): key for key in keys if key.where in places}
    return [Binding(key.keys, key.action, key.label, show=False) for key in found.values()]


def footer(*places: str) -> list[Key]:
    """What the footer shows when these places have the focus, most wanted first.

    The same keys stand there once, with what they do in the first of the places.
    """
    found: dict[str, Key] = {}
    for place in places:
        for key in KEYS:
            if key.where == place and key.footer:
                found.setdefault(key.keys, key)
    return sorted(found.values(), key=lambda key: key.footer)
