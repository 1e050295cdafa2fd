"""How the server was started, and how it ended."""

from __future__ import annotations

from mcptap.captures.evidence import evidence_of
from mcptap.masking.masker import Masker
from mcptap.recording import made_here
from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Event, Header, as_list, as_object
from mcptap.text.units import elapsed, wall_clock
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import Kind
from mcptap.tui.index.loaded import load
from mcptap.tui.index.rows import event_words
from mcptap.tui.session.tabs.tab import Page, Tab, View
from mcptap.tui.widgets.document import Line, pairs, paragraph, rule, text_line
from mcptap.tui.widgets.text import visible

EVENTS_SHOWN = 200
"""Events that the page lists; a session has a handful."""


class LaunchTab(Tab):
    """Command, environment and events of the session."""

    name = "launch"
    key = "3"
    help = "detail: launch facts and exit"

    def render(self, view: View) -> Page:
        """The header and the events, read from the file."""
        return launch_page(view.index, view.width)


def launch_page(index: RecordIndex, columns: int) -> Page:
    """The page of the header and the events. Raises OSError."""
    first = load(index, 0).record if len(index) else None
    events = [decode_record(index.read(i), i + 1) for i in event_indices(index.kinds)]
    header = first if isinstance(first, Header) else Header({})
    return Page(launch_lines(header, [event for event in events if isinstance(event, Event)], columns))


def event_indices(kinds: bytearray) -> list[int]:
    """Indices of the events, the first and the last ones if there are many."""
    found = []
    at = kinds.find(Kind.EVENT)
    while at >= 0:
        found.append(at)
        at = kinds.find(Kind.EVENT, at + 1)
        if len(found) > EVENTS_SHOWN:
            del found[EVENTS_SHOWN // 2]
    return found


def launch_lines(header: Header, ends: list[Event], columns: int) -> list[Line]:
    """How the server was started, and how it ended."""
    masker = made_here.masker()
    argv = [visible(word) for word in masker.argv(header.argv)]
    lines = [rule("Launch")]
    rows = [
        ("command", " ".join(_quoted(word) for word in argv) or "unknown"),
        ("program", masker.text(header.program or "not found")),
        ("directory", masker.text(header.cwd or "unknown")),
        ("started", wall_clock(header.start_wall_us) if header.start_wall_us else "unknown"),
    ]
    parent = header.parent
    if parent:
        words = masker.argv(parent.get("argv", []))
        command = masker.text(" ".join(words) or parent.get("name", ""))
        rows.append(("by", f"{parent.get('name', '?')} (pid {parent.get('pid', '?')}): {command}"))
    rows.append(("tap", _tap(header)))
    rows += [("note", note) for note in evidence_of(header).notes]
    lines += pairs(rows, columns)
    lines += [text_line(""), rule("Arguments")]
    lines += pairs([(str(k), word) for k, word in enumerate(argv)], columns)
    lines += [text_line(""), rule("Events")]
    lines += pairs([(elapsed(event.t_us), event_words(event)) for event in ends], columns)
    if not ends:
        lines.append(text_line("none was recorded", "dim"))
    lines += [text_line(""), *_environment(header, columns, masker)]
    return lines


def _tap(header: Header) -> str:
    fields = header.fields
    said = f"mcptap {fields.get('version', '?')}, pid {fields.get('pid', '?')}, {fields.get('platform', '?')}"
    return said + "".join(f", {name} {kind}" for name, kind in header.stdio.items())


def _quoted(word: str) -> str:
    return f'"{word}"' if not word or " " in word else word


def _environment(header: Header, columns: int, masker: Masker) -> list[Line]:
    environment = header.environment
    names = [str(name) for name in as_list(environment.get("names"))]
    values, holes = as_object(environment.get("values")), as_object(environment.get("placeholders"))
    lines = [rule("Environment", note=f"{len(names)} names; values only of harmless ones")]
    if holes:
        lines += pairs(
            [(name, f"▒ was never filled in: {masker.text(str(text))}") for name, text in holes.items()],
            columns,
            "problem",
        )
    shown = {name: masker.value(str(value), name) for name, value in sorted(values.items())}
    lines += pairs(list(shown.items()), columns)
    others = [name for name in sorted(names) if name not in values and name not in holes]
    if others:
        lines += paragraph(", ".join(others), columns, "dim")
    return lines
