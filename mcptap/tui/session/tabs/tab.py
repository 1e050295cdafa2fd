"""What a tab of the detail pane is, and what it is drawn from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from mcptap.diagnosis.engine.finding import Finding
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.index.loaded import Loaded
from mcptap.tui.widgets.document import Line, text_line


@dataclass(frozen=True, slots=True)
class View:
    """What is shown: a record of a session, as of a moment, in so many columns."""

    index: RecordIndex
    width: int
    judgement: Judgement | None = None
    """What the diagnosis said last; None while the recording is being indexed."""
    record: Loaded | None = None
    """The record under the cursor."""
    other: Loaded | None = None
    """Its request or response."""
    finding: Finding | None = None
    """The finding that was chosen last, if no record was chosen since."""
    run: range | None = None
    """The run of stderr that its row stands for, if it stands for one."""
    now: int | None = None
    """The index of the last record that has come, while the session is played."""
    trouble: str = ""
    """Why the record can't be read."""
    memory: dict[str, Any] = field(default_factory=dict)
    """What tabs keep from one drawing to the next: what is unfolded, and what was read for it."""
    when: str = ""
    """When findings were known, if not at the moment that is shown."""
    other_way: str = "x goes there"
    """How one comes to the other half from where the page is shown; empty: not at all."""


@dataclass(frozen=True, slots=True)
class Page:
    """Lines, and below them bytes, which are drawn in hex."""

    lines: list[Line]
    data: bytes | None = None


class Tab(Protocol):
    """One page of the detail pane. All of a tab is one module; `tabs.TABS` lists it."""

    name: str
    """How it is called above the pane and by its key's action."""
    key: str
    """The key that shows it."""
    help: str
    """What the page of keys says of it."""
    about_record: bool = False
    """Whether it changes with the record under the cursor; others are about the session."""

    def exists(self, view: View) -> bool:  # noqa: ARG002 - for tabs that are not always there
        """Whether there is anything to show."""
        return True

    def render(self, view: View) -> Page:
        """The page. It may read records; raises OSError if that fails."""
        ...


def not_judged_yet() -> Page:
    """The page of a tab that needs a judgement, while there is none."""
    return Page([text_line("not worked out yet: the recording is being indexed", "dim")])


def not_of_the_moment(view: View) -> list[Line]:
    """What stands above a page of totals while the session is played; nothing else."""
    if view.now is None:
        return []
    return [text_line("of the whole recording, not of the moment that is played", "stderr")]


def no_record(view: View) -> Page:
    """The page of a tab about a record, while there is none to show."""
    return Page([text_line(view.trouble or "No record is chosen.", "problem" if view.trouble else "dim")])
