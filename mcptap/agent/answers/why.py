"""`mcptap_why`: what became of a session, its causes and what to do, in some hundred tokens."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from mcptap.agent.answers.wording import heading, next_call
from mcptap.agent.arguments import Arguments
from mcptap.agent.judging import Judging
from mcptap.agent.pace import Pace
from mcptap.agent.shelf import Known, Shelf
from mcptap.agent.tools import CALLS, RECORD, WHY
from mcptap.agent.untrusted import Answer, clipped
from mcptap.diagnosis.engine.finding import Finding
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.recording.format.model import RecordingError
from mcptap.report.formats.text import beyond
from mcptap.report.results import CheckedFile
from mcptap.text.units import counted, size

FULL = 3
"""So many findings are told in full."""

NAMED = 5
"""So many more are named."""

_LONGEST = 420
"""Characters of a sentence about a finding."""

_MOST_JUDGED = 12
"""Of so many of the client's own sessions the worst is chosen."""

_GRAVITY = {outcome: place for place, outcome in enumerate(Outcome)}


def why(shelf: Shelf, judging: Judging, arguments: Arguments, pace: Pace) -> Answer:
    """The answer about one session: the one that was named, or the worst of the client's own."""
    target = arguments.text("session")
    note = ""
    if target:
        known = shelf.find(target)
    else:
        known, note = _chosen(shelf, judging, pace)
    checked = judging.of(known.path, pace)
    if checked is None:
        return _still_reading(known, pace)
    answer = Answer(heading(known, checked.state, checked.last_us, checked.messages))
    if note:
        answer.head.append(note)
    answer.data += _told(checked)
    shown = next((f.line for f in checked.findings if f.line is not None), None)
    if shown is not None:
        answer.tail.append(next_call(RECORD, session=known.name, record=shown))
    else:
        answer.tail.append(next_call(CALLS, session=known.name))
    return answer


def _chosen(shelf: Shelf, judging: Judging, pace: Pace) -> tuple[Known, str]:
    """The worst of the client's own sessions, the newest of equals; else the newest of all."""
    siblings = [known for known in shelf.sessions() if known.is_siblings][:_MOST_JUDGED]
    if not siblings:
        return shelf.find("latest"), ""
    judged = []
    for place, known in enumerate(siblings):
        try:
            checked = judging.of(known.path, pace)
        except RecordingError:
            continue
        if checked is not None:
            judged.append((_GRAVITY[checked.outcome], place, known))
    if not judged:
        return siblings[0], ""
    chosen = min(judged, key=lambda each: each[:2])[2]
    others = [known.name for known in siblings if known is not chosen]
    if not others:
        return chosen, ""
    more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
    return (
        chosen,
        f"It is the worst of this client's own sessions; others: {', '.join(others[:NAMED])}{more}.",
    )


def _still_reading(known: Known, pace: Pace) -> Answer:
    read = f"{size(pace.done)} of {size(known.size)}"
    answer = Answer(f"{known.name}: large; {read} read so far, and reading goes on. Ask again.")
    answer.tail.append(next_call(WHY, session=known.name))
    return answer


def _told(checked: CheckedFile) -> Iterator[str]:
    client = " ".join(filter(None, (checked.client, checked.recognised and f"({checked.recognised})")))
    if client:
        yield f"Client: {clipped(client, 80)}"
    yield f"Why: {clipped(checked.verdict, 2 * _LONGEST)}"
    if checked.limits:
        yield f"Not known: {clipped(checked.limits, _LONGEST)}"
    findings = [finding for finding in checked.findings if not finding.design]
    for place, finding in enumerate(findings[:FULL]):
        yield from _in_full(
            place + 1, finding, beyond(checked.verdict, finding) if not place else finding.message
        )
    if any(finding.side == "launch" for finding in findings[:FULL]) and checked.header.argv:
        yield f"Command: {clipped(shlex.join(checked.header.argv), 200)}; cwd: {clipped(checked.header.cwd)}"
    rest = [*findings[FULL:], *(finding for finding in checked.findings if finding.design)]
    if rest:
        yield f"Also: {_named(rest)}"


def _in_full(place: int, finding: Finding, message: str) -> Iterator[str]:
    more = f" and {finding.count - 1:,} more" if finding.count > 1 else ""
    where = f", record {finding.line}{more}" if finding.line is not None else ""
    title = f"{place}. {finding.level.word} {finding.rule}{where}"
    yield f"{title}: {clipped(message, _LONGEST)}" if message else title
    if len(finding.quoted) > 1 or (finding.quoted and finding.quoted[0] not in finding.message):
        yield from (f"   | {clipped(line)}" for line in finding.quoted[-2:])
    if finding.consequence:
        yield f"   Effect: {clipped(finding.consequence, _LONGEST)}"
    if finding.remedy:
        yield f"   Remedy: {clipped(finding.remedy, _LONGEST)}"


def _named(findings: list[Finding]) -> str:
    """Findings by rule, with how often and where."""
    counts = Counter(finding.rule for finding in findings)
    first = {finding.rule: finding for finding in reversed(findings)}
    said = []
    for rule, count in islice(counts.items(), NAMED):
        line = first[rule].line
        where = f" (record {line})" if line is not None else ""
        said.append(f"{rule}{where}{f' ×{count}' if count > 1 else ''}")
    left = len(counts) - NAMED
    return ", ".join(said) + (f" and {counted(left, 'rule')} more" if left > 0 else "")
