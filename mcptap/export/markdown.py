"""A session as Markdown, for a bug report: it fits into an issue on GitHub, and says what it left out."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.export.entry import Entry, left_out_words
from mcptap.export.safe import block, in_cell, in_code, in_markdown, prose_in_markdown
from mcptap.export.session import Choice, Shown
from mcptap.export.told import (
    became,
    launch_facts,
    line_of,
    masked_words,
    name_of,
    place,
    scope_words,
    transcript_lines,
    versions,
)
from mcptap.masking.masker import Masker
from mcptap.report.headings import asked
from mcptap.text.escape import visible
from mcptap.text.units import clock, counted

LIMIT = 60_000
"""Bytes; GitHub takes 65,536 characters in an issue."""

CHOICE = Choice(records=600, characters=1_500, calls=12)
WIDTH = 160
"""Characters of a line of the transcript."""
MOST_QUOTED = 600
"""Characters of each text of a finding that quotes what was recorded."""
MARKS = {Level.ERROR: "🔴", Level.WARNING: "🟡", Level.INFO: "⚪"}


def markdown(sessions: list[Shown], masker: Masker | None, limit: int = LIMIT) -> str:
    """The sessions as one text of at most so many bytes."""
    each = limit // max(1, len(sessions))
    return "\n".join(_session(shown, masker, each) for shown in sessions)


def _session(shown: Shown, masker: Masker | None, limit: int) -> str:
    checked = shown.checked
    top = [
        f"## {in_markdown(name_of(checked))}: {checked.outcome.value}",
        "",
        f"> {prose_in_markdown(checked.verdict)}",
        "",
    ]
    if checked.limits:
        top += [in_markdown(checked.limits), ""]
    launch = ["### How it was started", "", "| | |", "|-|-|"]
    launch += [f"| {name} | {in_cell(_cut(text))} |" for name, text in launch_facts(checked)]
    launch += [f"| versions | {in_cell(versions(checked))} |", ""]
    bottom = ["", in_markdown(masked_words(masker)), ""]
    room = limit - _bytes([*top, *launch, *bottom]) - 400
    findings = _findings(shown, room * 2 // 3)
    calls = _calls(shown)
    room -= _bytes([*findings, *calls])
    if room < 0:
        calls = []
    return "\n".join([*top, *findings, *launch, *calls, *_transcript(shown, room), *bottom])


def _bytes(lines: list[str]) -> int:
    return sum(len(line.encode(errors="replace")) + 1 for line in lines)


def _cut(text: str, most: int = MOST_QUOTED) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _findings(shown: Shown, room: int) -> list[str]:
    """As many as have room, the first with the records around what they name."""
    findings = [f for f in shown.checked.findings if not f.design and f.level > Level.INFO]
    others = [f for f in shown.checked.findings if f not in findings]
    if not shown.checked.findings:
        return []
    lines = ["### Findings", ""]
    entries = {entry.number: entry for entry in shown.entries}
    left = room - _bytes(lines)
    told = 0
    for finding in findings:
        said = list(_finding(finding))
        at = shown.checked.findings.index(finding)
        around = [entries[n] for n in shown.around[at] if n in entries] if at < len(shown.around) else []
        folded = _folded_records(finding, around, shown) if around else []
        if _bytes(said) + _bytes(folded) < left:
            said += folded
        elif _bytes(said) >= left:
            break
        left -= _bytes(said)
        lines += said
        told += 1
    rest = [f"{in_code(f.rule)} ({f.level.word})" for f in (*findings[told:], *others)]
    if rest:
        kept = list(dict.fromkeys(rest))[:30]
        lines += [f"{'Also' if told else 'Found'}: {', '.join(kept)}.", ""]
    return lines


def _finding(finding: Finding) -> Iterator[str]:
    where = place(finding)
    title = f"#### {MARKS[finding.level]} {finding.level.word}: {in_code(finding.rule)}"
    yield title + (f" ({where})" if where else "")
    yield ""
    yield prose_in_markdown(_cut(finding.message, 2 * MOST_QUOTED))
    yield ""
    quoted = [_cut(visible(line), 200) for line in finding.quoted if line not in finding.message]
    if quoted:
        yield from (block("\n".join(quoted), "text"), "")
    for label, text in (("Effect", finding.consequence), ("Remedy", finding.remedy)):
        if text:
            yield from (f"**{label}:** {prose_in_markdown(_cut(text))}", "")


def _folded_records(finding: Finding, around: list[Entry], shown: Shown) -> list[str]:
    times = shown.checked.evidence.times
    lines = ["<details><summary>The records there</summary>", ""]
    for entry in around:
        body = "" if entry.number != finding.line or len(entry.body) <= WIDTH else entry.body
        if not body:
            lines.append(line_of(entry, times, WIDTH))
            continue
        lines.append(line_of(entry, times, WIDTH))
        lines += ["      " + line for line in body.split("\n")]
        lines += [f"      {left_out_words(entry)}"] if entry.left_out else []
    return [*lines[:2], block("\n".join(lines[2:]), "text"), "", "</details>", ""]


def _calls(shown: Shown) -> list[str]:
    """Requests that failed, waited or took longest: a few."""
    times = shown.checked.evidence.times
    if not shown.calls:
        return []
    telling = sorted(
        shown.calls,
        key=lambda call: (call.answer is not None, call.state == "answered", -(call.latency_us or 0)),
    )[: CHOICE.calls]
    lines = [
        "### Requests",
        "",
        f"{counted(shown.calls_total, 'request')}"
        + ("; those that waited, failed or took longest:" if shown.calls_total > len(telling) else ":"),
        "",
        "| record | asked at | request | came to |",
        "|-:|-:|-|-|",
    ]
    for call in sorted(telling, key=lambda call: call.number):
        came = became(call, shown.checked.evidence)
        at = f"{clock(call.t_us)} s" if times else ""
        lines.append(f"| {call.number} | {at} | {in_cell(_cut(asked(call), 100))} | {in_markdown(came)} |")
    return [*lines, ""]


def _transcript(shown: Shown, room: int) -> list[str]:
    """The records from the beginning and from the end, as many as have room; folded."""
    times = shown.checked.evidence.times
    entries = shown.entries
    costs = [len(line_of(entry, times, WIDTH).encode(errors="replace")) + 2 for entry in entries]
    first, last, left = 0, len(entries), room - 400
    while first < last:
        at = first if first <= 2 * (len(entries) - last) else last - 1
        left -= costs[at]
        if left < 0:
            break
        first, last = (first + 1, last) if at == first else (first, last - 1)
    chosen = [*entries[:first], *entries[last:]]
    scope = scope_words(shown, len(chosen))
    if not chosen:
        return [in_markdown(scope)] if scope else []
    said = f"Transcript: {counted(len(chosen), 'record')}" + (
        "" if len(chosen) == shown.total else f" of {shown.total:,}"
    )
    text = "\n".join(transcript_lines(chosen, times, WIDTH))
    return [
        f"<details><summary>{said}</summary>",
        "",
        block(text, "text"),
        "",
        "</details>",
        *(["", in_markdown(scope)] if scope else []),
    ]
