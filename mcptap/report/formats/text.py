"""A check as text for people: the verdict, what can't be told, findings, tool design, launch facts.

Everything that comes from a recording passes `visible` before it is printed.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from mcptap.captures.evidence import Evidence
from mcptap.captures.sections import selected
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.diagnosis.explain.verdict import without_numbers
from mcptap.recording.reader import State
from mcptap.report.formats import Format, statistics_text
from mcptap.report.layout import LEVEL_STYLES, labelled
from mcptap.report.results import CheckedFile, Results
from mcptap.text.escape import visible
from mcptap.text.paragraphs import wrapped
from mcptap.text.sentences import capital
from mcptap.text.terminal import Terminal
from mcptap.text.units import counted, date_time, duration

LABEL = 10
"""Columns for the names of launch facts."""

SHOWN_RECORDS = 5


def write(results: Results, terminal: Terminal) -> Iterator[str]:
    """The lines of the report on all files; a summary behind several."""
    many = len(results.files) + len(results.unusable) > 1
    for file in results.files:
        if many and not file.findings and file.statistics is None:
            yield terminal.paint(terminal.fit(f"{visible(file.path)}: {_in_a_line(file)}"), "dim")
            continue
        if many:
            yield terminal.paint(terminal.fit(visible(file.path)), "bold")
        yield from file_lines(file, terminal, results.design_counts)
        if file.statistics is not None:
            yield ""
            yield from statistics_text.report(file.statistics, terminal, file.evidence)
        if many:
            yield ""
    if many:
        yield summary(results)


FORMAT = Format("text", write)


def file_lines(checked: CheckedFile, terminal: Terminal, design_counts: bool = False) -> Iterator[str]:
    """The lines of the report on one file. `design_counts`: tool design can fail the check."""
    for line in wrapped(visible(checked.verdict), terminal.width):
        yield terminal.paint(line, "bold")
    if checked.limits:
        yield from wrapped(visible(checked.limits), terminal.width)
    protocol = [f for f in checked.findings if not f.design]
    design = [f for f in checked.findings if f.design]
    for index, found in enumerate(protocol):
        yield ""
        yield from _finding(found, terminal, found.message if index else beyond(checked.verdict, found))
    if design:
        yield ""
        note = "" if design_counts else " (fails no check unless --design is given)"
        for line in wrapped(f"Tool design{note}:", terminal.width):
            yield terminal.paint(line, "bold")
        for found in design:
            yield ""
            yield from _finding(found, terminal, found.message)
    if checked.ignored:
        ignored = ", ".join(f"{rule} ({count})" for rule, count in sorted(checked.ignored.items()))
        yield ""
        yield from (
            terminal.paint(line, "dim") for line in wrapped(visible(f"Ignored: {ignored}."), terminal.width)
        )
    yield ""
    for name, text in facts(checked):
        yield from labelled(f"{name:{LABEL}}", visible(text), terminal)


def _in_a_line(checked: CheckedFile) -> str:
    """What is said of one of several files that has no findings."""
    return "nothing found" if checked.outcome is Outcome.HEALTHY else checked.verdict


def beyond(verdict: str, found: Finding) -> str:
    """What a finding says that the verdict does not: all of it, or what comes of it, or nothing."""
    behind = f"; {found.follows}." if found.follows else "."
    what = without_numbers(found.message.removesuffix(behind))
    return found.message if what.casefold() not in verdict.casefold() else _sentence(found.follows)


def _sentence(clause: str) -> str:
    return f"{capital(clause)}." if clause else ""


def facts(checked: CheckedFile) -> list[tuple[str, str]]:
    """How the server was started, by whom, and what became of it; unknown ones are left out."""
    header, evidence = checked.header, checked.evidence
    found: list[tuple[str, str]] = [("file", checked.path)]
    found.append(("server", " ".join(filter(None, (header.name, _in_brackets(checked.server))))))
    parent = header.parent
    by = parent.get("name")
    started_by = f"started by {by}" if isinstance(by, str) and by else ""
    if header.probe:
        started_by = f"a session of mcptap probe: {header.probe}"
    client = " ".join(filter(None, (checked.client, _in_brackets(checked.recognised))))
    found.append(("client", ", ".join(filter(None, (client or _unnamed(evidence), started_by)))))
    if header.argv:
        found.append(("command", shlex.join(header.argv)))
        if header.program is not None:
            found.append(("program", header.program))
        elif evidence.launch and "program" in header.fields and evidence.process:
            found.append(("program", "not found"))
    if header.cwd:
        found.append(("cwd", header.cwd))
    found.append(("session", ", ".join(_session(checked))))
    if evidence.assumptions:
        found.append(("assumed", "; ".join(evidence.assumptions)))
    return found


def _session(checked: CheckedFile) -> Iterator[str]:
    if checked.header.start_wall_us:
        yield f"{date_time(checked.header.start_wall_us, local=False)} UTC"
    if checked.evidence.times:
        yield duration(checked.last_us, fineness_us=checked.evidence.fineness_us)
    yield counted(checked.messages, "message")
    if checked.revision or checked.evidence.client:
        yield f"revision {checked.revision}" if checked.revision else "no revision agreed"
    if checked.state != "unknown":
        yield State(checked.state).word


def _unnamed(evidence: Evidence) -> str:
    return "it never named itself" if evidence.client else "its name is not recorded"


def _in_brackets(text: str) -> str:
    return f"({text})" if text else ""


def _finding(found: Finding, terminal: Terminal, message: str) -> Iterator[str]:
    title, place = f"{found.level.word}: {visible(found.rule)}", _place(found)
    painted = terminal.paint(terminal.fit(title), LEVEL_STYLES[found.level])
    if not place:
        yield painted
    elif terminal.width and len(title) + 2 + len(place) > terminal.width:
        yield painted
        yield terminal.paint(terminal.fit(f"  {place}"), "dim")
    else:
        yield f"{painted}  {terminal.paint(place, 'dim')}"
    if message:
        yield from wrapped(visible(message), terminal.width, "  ")
    # A single line stands in the message, if that is printed.
    quoted = [] if len(found.quoted) == 1 and found.quoted[0] in message else found.quoted
    for line in quoted:
        yield from (
            terminal.paint(piece, "dim") for piece in wrapped(visible(line), terminal.width, "    | ")
        )
    for label, text in (("Effect: ", found.consequence), ("Remedy: ", found.remedy)):
        if text:
            yield from wrapped(label + visible(text), terminal.width, "  ")


def _place(found: Finding) -> str:
    """Where to look: the record, or the first few of several."""
    if found.line is None and not found.records:
        return ""
    records = found.records or [found.line or 0]
    shown = ", ".join(map(str, records[:SHOWN_RECORDS]))
    more = max(found.count, len(records)) - len(records[:SHOWN_RECORDS])
    if more > 0:
        shown += f" and {more:,} more"
    return f"record {shown}" if len(records) == 1 and more <= 0 else f"records {shown}"


def summary(results: Results) -> str:
    """The last line of a check of several files."""
    files = {selected(file.path)[0] for file in results.files} | {file.path for file in results.unusable}
    parts = [counted(len(files), "file")]
    if len(results.files) + len(results.unusable) > len(files):
        parts.append(counted(len(results.files), "session"))
    for level in (Level.ERROR, Level.WARNING, Level.INFO):
        count = sum(file.count(level) for file in results.files)
        if count:
            parts.append(counted(count, level.word if level is not Level.INFO else "note"))
    design = sum(1 for finding, _ in results.findings if finding.design)
    if design:
        parts.append(f"{counted(design, 'remark')} on tool design")
    if results.unusable:
        parts.append(f"{len(results.unusable)} unusable")
    return ", ".join(parts)
