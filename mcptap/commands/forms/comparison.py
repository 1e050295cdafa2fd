"""A comparison of two sessions as suites: a case for each answer, list and group of findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.jsontext.diff import ADDED, REMOVED
from mcptap.play.compare.comparison import SAME, Comparison, Entry
from mcptap.play.compare.comparison_text import spelled
from mcptap.play.compare.session_diff import Section, SessionDiff
from mcptap.play.compare.severity import Judged, Severity
from mcptap.report.suites import Case, Suite, Suites
from mcptap.text.columns import cut
from mcptap.text.units import counted

LONGEST = 80
"""How much of a value is told."""
MOST = 8
"""How many changes of one case are told."""

PREFIX = "comparison"
ABOUT = {
    f"{PREFIX}-different": "An answer is not what it was.",
    f"{PREFIX}-missing": "What the server sent before it does not send now.",
    f"{PREFIX}-extra": "The server sends what it did not send before.",
    f"{PREFIX}-other-order": "Answers come in another order.",
    f"{PREFIX}-slower": "An answer takes longer.",
    f"{PREFIX}-not-asked": "A request stands in one of the sessions only.",
    f"{PREFIX}-noise": "A difference that was taken as the same: a time, a port, a burst of list_changed …",
    f"{PREFIX}-offer": "What the server says of itself, or lists, has changed.",
    f"{PREFIX}-finding-gone": "What was wrong before is wrong no more.",
}
"""The rules of a comparison, each in a sentence."""

LEVELS = {Severity.NOISE: Level.INFO, Severity.CONTENT: Level.WARNING, Severity.CONTRACT: Level.ERROR}


def comparison_suites(comparison: Comparison, name: str, path: str, fail_on: str) -> Suites:
    """The answers of a session beside recorded ones. `path` is the new recording, or where it would be.

    `fail_on`: the severity, as a word, from which a difference fails its case.
    """
    fails = LEVELS[Severity[fail_on.upper()]]
    return Suites([Suite(name, list(_answers(comparison, path)))], fail_on=fails, about=ABOUT)


def diff_suites(difference: SessionDiff, name: str, path: str, fail_on: str) -> Suites:
    """All that two sessions differ in; `path` is the newer one, `fail_on` as for a comparison."""
    cases = [_section(section, path) for section in difference.sections]
    cases += _answers(difference.answers, path)
    cases += (
        Case(f"finding {found.rule} {found.subject}".rstrip(), (found,), path)
        for found in difference.new_findings
    )
    cases += (
        Case(f"finding {found.rule} {found.subject}".rstrip() + ", gone", (_gone(found),), path)
        for found in difference.gone_findings
    )
    return Suites([Suite(name, cases)], fail_on=LEVELS[Severity[fail_on.upper()]], about=ABOUT)


def _gone(found: Finding) -> Finding:
    message = f"{found.rule} was found before, and is not now"
    return Finding(f"{PREFIX}-finding-gone", min(found.level, Level.WARNING), None, message)


def _answers(comparison: Comparison, path: str) -> Iterator[Case]:
    for entry in comparison.entries:
        findings = [] if entry.status == SAME else [_finding(entry)]
        if entry.overlooked:
            findings.append(_overlooked(entry.about, entry.overlooked))
        yield Case(entry.about, findings, path, words=entry.note if entry.status == SAME else "")


def _finding(entry: Entry) -> Finding:
    note = f": {cut(entry.note, LONGEST)}" if entry.note else ""
    return Finding(
        f"{PREFIX}-{entry.status.replace(' ', '-')}",
        LEVELS[entry.severity],
        None,
        f"{entry.about}: {entry.status}{note}",
        consequence=_told(entry.changes) or entry.why,
        subject=entry.about,
    )


def _overlooked(about: str, changes: Sequence[Judged]) -> Finding:
    """What was taken as the same: a note, since a true change may be among it."""
    message = f"{about}: {counted(len(changes), 'difference')} taken as the same"
    return Finding(f"{PREFIX}-noise", Level.INFO, None, message, consequence=_told(changes), subject=about)


def _section(section: Section, path: str) -> Case:
    level = LEVELS[section.severity]
    title = section.title
    findings = []
    if section.changes:
        message = f"{title}: {counted(len(section.changes), 'difference')}"
        findings.append(
            Finding(
                f"{PREFIX}-offer", level, None, message, consequence=_told(section.changes), subject=title
            )
        )
    if section.overlooked:
        findings.append(_overlooked(title, section.overlooked))
    return Case(title, findings, path, words="; ".join(section.notes))


def _told(changes: Iterable[Judged]) -> str:
    every = list(changes)
    told = [_change(change) for change in every[:MOST]]
    if len(every) > MOST:
        told.append(f"and {len(every) - MOST} more")
    return "; ".join(told)


def _change(judged: Judged) -> str:
    change = judged.change
    path = (change.path or "the whole value") + (f" ({judged.why})" if judged.why else "")
    if change.kind == REMOVED:
        return f"{path} is gone: {cut(spelled(change.old), LONGEST)}"
    if change.kind == ADDED:
        return f"{path} is new: {cut(spelled(change.new), LONGEST)}"
    return f"{path}: {cut(spelled(change.old), LONGEST)} before, {cut(spelled(change.new), LONGEST)} now"
