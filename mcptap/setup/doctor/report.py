"""What doctor found, as text and as JSON. All texts are masked already, and not yet visible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.doctor.check import CHECKS, About, Check
from mcptap.setup.doctor.finding import Finding
from mcptap.setup.doctor.subject import ExaminedFile
from mcptap.text.units import counted

Styled = tuple[str, str, int]
"""A style of `terminal.STYLES`, a line, and how many columns deeper it goes on."""

DEEPER = 4
STYLES = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "dim"}


def report(files: Sequence[ExaminedFile], findings: Sequence[Finding], least: Level) -> Iterator[Styled]:
    """The findings file by file, what is worse in full, and what is worth knowing in a line each."""
    for file in files:
        here = [one for one in findings if one.file == file.path and one.client is file.client]
        shown = [one for one in here if one.level >= least]
        yield "bold", f"{file.path}  ({file.client.name}, {file.contents.found.scope})", DEEPER
        worse = [one for one in shown if one.level > Level.INFO]
        notes = [one for one in shown if one.level is Level.INFO]
        if not any(one.level > Level.INFO for one in here):
            yield "plain", f"  nothing is wrong with {_servers(file)}", DEEPER
        for one in worse:
            yield from _in_full(one)
        if worse and notes:
            yield "plain", "", 0
        for one in notes:
            yield "dim", f"  {_head(one)}{one.message}", DEEPER
        yield "plain", "", 0


def _servers(file: ExaminedFile) -> str:
    count = sum(1 for entry in file.entries if entry.counts)
    return f"its {counted(count, 'server')}" if count else "it; there are no servers in it"


def _head(one: Finding) -> str:
    """Server and place in front of a note."""
    place = f"line {one.line}" if one.line else ""
    words = ", ".join(part for part in (one.server, place) if part)
    return f"{words}: " if words else ""


def _in_full(one: Finding) -> Iterator[Styled]:
    place = f"line {one.line}, column {one.column}" if one.line else ""
    words = "  ".join(part for part in (f"{one.level.word}: {one.check}", one.server, place) if part)
    yield STYLES[one.level], f"  {words}", DEEPER
    yield "plain", f"    {one.message}", DEEPER
    if one.effect.words:
        yield "plain", f"    Effect: {one.effect.sentence}.", DEEPER
    if one.remedy:
        does = f" (--fix {one.fix.words})" if one.fix is not None else ""
        yield "plain", f"    Remedy: {one.remedy.removesuffix('.')}{does}.", DEEPER


def summary(files: Sequence[ExaminedFile], findings: Sequence[Finding]) -> str:
    """All of it in one line."""
    if not files:
        return "no configuration of a client is here"
    servers = sum(1 for file in files for entry in file.entries if entry.counts)
    counts = []
    for level in (Level.ERROR, Level.WARNING, Level.INFO):
        count = sum(1 for one in findings if one.level is level)
        if count:
            counts.append(counted(count, "note" if level is Level.INFO else level.word))
    found = ", ".join(counts) or "nothing found"
    return f"{counted(len(files), 'file')}, {counted(servers, 'server')}: {found}"


def as_json(
    files: Sequence[ExaminedFile], findings: Sequence[Finding], least: Level = Level.INFO
) -> dict[str, Any]:
    """The result for programs. `ok` is about all findings, also those below the least level."""
    return {
        "ok": not any(one.level > Level.INFO for one in findings),
        "files": [
            {
                "file": str(file.path),
                "client": file.client.id,
                "scope": file.contents.found.scope,
                "servers": [entry.name for entry in file.entries if entry.counts],
            }
            for file in files
        ],
        "findings": [_object(one) for one in findings if one.level >= least],
    }


def _object(one: Finding) -> dict[str, Any]:
    fact = one.effect.fact
    return {
        "check": one.check,
        "level": one.level.word,
        "client": one.client.id,
        "scope": one.scope,
        "file": str(one.file),
        "line": one.line or None,
        "column": one.column or None,
        "server": one.server or None,
        "message": one.message,
        "effect": one.effect.words or None,
        "source": None
        if fact is None or not fact.known
        else {
            "place": fact.source.place,
            "version": fact.source.version,
            "confidence": fact.confidence.name.lower(),
        },
        "remedy": one.remedy or None,
        "fix": one.fix.words if one.fix is not None else None,
        "places": list(one.places),
    }


def catalogue() -> Iterator[Styled]:
    """All checks, by what they look at."""
    order = list(About)
    by_about = sorted(CHECKS.values(), key=lambda check: (order.index(check.about), -check.level, check.id))
    width = max(len(check.id) for check in by_about)

    def about(check: Check) -> About:
        return check.about

    for group, checks in groupby(by_about, key=about):
        yield "bold", f"{group[:1].upper()}{group[1:]}:", 0
        for check in checks:
            yield (
                STYLES[check.level],
                f"  {check.level.word:8}{check.id:{width}}  {check.summary}",
                width + 12,
            )
        yield "plain", "", 0
    yield "plain", counted(len(CHECKS), "check"), 0
