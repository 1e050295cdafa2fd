"""The list of sessions, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcptap.captures.summary import Summary
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.masking.masker import Masker
from mcptap.recording.reader import State
from mcptap.text.escape import visible
from mcptap.text.table import Column, Row, table
from mcptap.text.terminal import Terminal
from mcptap.text.units import counted, date_time, duration, when

COLUMNS = (
    Column("WHICH", least=10),
    Column("SERVER", least=10),
    Column("CLIENT", least=12, spare=1),
    Column("STARTED"),
    Column("LENGTH", right=True, spare=3),
    Column("MESSAGES", right=True, spare=2),
    Column("STATE"),
    Column("PROBLEMS"),
)
FILE = Column("FILE")

_OUTCOMES = {
    Outcome.BROKEN: ("broken", "error"),
    Outcome.WAITING: ("waiting", "warning"),
    Outcome.CALLS_FAILED: ("calls failed", "warning"),
    Outcome.UNCLEAR: ("unclear", "dim"),
    Outcome.HEALTHY: ("none", "dim"),
}
"""What is said of a session without errors and warnings, and in which style."""

_STATE_STYLES = {State.LIVE: "server", State.CRASHED: "warning"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A recording in the list: `which` is what to type for it, `of_above` marks a probe."""

    summary: Summary
    which: str
    of_above: bool = False


def as_table(entries: Sequence[Entry], terminal: Terminal) -> list[str]:
    """A table of sessions. In a pipe the file's path is the last column."""
    in_pipe = not terminal.width
    rows = [_row(entry, in_pipe) for entry in entries]
    return table((*COLUMNS, FILE) if in_pipe else COLUMNS, rows, terminal)


def as_object(entry: Entry, probe_of: str | None = None, masker: Masker | None = None) -> dict[str, Any]:
    """One session as JSON. Times of day are RFC 3339, durations microseconds; `masker`: for secrets."""
    summary = entry.summary
    header = summary.header.fields
    named = {"name": summary.client_name, "version": summary.client_version}
    return {
        "path": summary.path,
        "session": header.get("session"),
        "name": summary.name,
        "argv": summary.header.argv if masker is None else masker.argv(summary.header.argv),
        "client": named if summary.client_name else None,
        "parent": summary.parent_name or None,
        "start": header.get("start"),
        "length_us": summary.length_us,
        "messages": summary.messages,
        "messages_exact": summary.is_exact,
        "size": summary.size,
        "state": summary.state.value,
        "outcome": summary.outcome or None,
        "problems": None if summary.problems is None else dict(summary.problems),
        "probe": summary.is_probe,
        "probe_of": probe_of,
        "mcptap_probe": summary.header.probe or None,
    }


def _row(entry: Entry, in_pipe: bool) -> Row:
    summary = entry.summary
    problems, style = problems_of(summary)
    name = "└ probe" if entry.of_above else summary.name
    count = f"{summary.messages:,}" if summary.is_exact else f"~{summary.messages:,}"
    cells = [
        entry.which,
        name,
        summary.client or "?",
        date_time(summary.start_wall_us) if in_pipe else when(summary.start_wall_us),
        duration(summary.length_us),
        count,
        summary.state.word,
        problems,
    ]
    styles = ["plain", "bold", "plain", "dim", "dim", "dim", _STATE_STYLES.get(summary.state, "plain"), style]
    if in_pipe:
        cells.append(summary.path)
        styles.append("plain")
    return Row([visible(cell) for cell in cells], styles)


def problems_of(summary: Summary) -> tuple[str, str]:
    """What a session came to, in a few words, and the style for them."""
    found = summary.problems
    if found is None:
        return ("?" if summary.is_exact else "big: use check"), "dim"
    errors, warnings = found.get("error", 0), found.get("warning", 0)
    if errors and warnings:
        return f"{errors} err, {warnings} warn", "error"
    if errors:
        return counted(errors, "error"), "error"
    if warnings:
        return counted(warnings, "warning"), "warning"
    return _OUTCOMES[Outcome(summary.outcome)]
