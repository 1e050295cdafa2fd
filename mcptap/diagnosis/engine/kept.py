"""The findings of one session as they come together: what is about the same subject is counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mcptap.clients.faults import Fault
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.rule import CLIENT, DIVERTED_BRIEF, Hit, Rule
from mcptap.diagnosis.engine.template import Value
from mcptap.text.escape import excerpt
from mcptap.text.sentences import balanced, snippet, word_count

MAX_VALUE = 600
"""How many characters of a recorded text a message holds at most."""
MAX_RECORDS = 50
"""How many record numbers a finding keeps; its count goes on."""
MAX_SUBJECT = 200
"""How many characters of a subject tell it from others."""
MAX_SUBJECTS = 200
"""How many subjects a rule names; those that come after them share one finding."""
BRIEF_WORDS, BRIEF_CHARACTERS = 20, 130
"""How much of a text that is not the rule's own stands in a brief."""
DIVERTED = "\1"
"""In the key of a finding, between its subject and what became of lines that were diverted."""
OTHERS = "\0"
"""The subject of what they share."""


class KeptFindings:
    """Findings by rule, subject and level, in the order in which they came up."""

    def __init__(self) -> None:
        self._findings: dict[tuple[str, str, Level], Finding] = {}
        self._subjects: dict[str, int] = {}

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings.values())

    def copy(self) -> KeptFindings:
        """The same findings once more; adding to them changes none of these."""
        other = KeptFindings()
        other._findings = {
            key: replace(finding, records=list(finding.records)) for key, finding in self._findings.items()
        }
        other._subjects = dict(self._subjects)
        return other

    def add(self, rule: Rule, hit: Hit, revision: str, lost: bool = False, known: int | None = None) -> None:
        """Keep what a rule said under a revision.

        `lost` tells whether a request failed because of it, `known` is the number of the record that told it.
        """
        level = hit.level
        if level is None:
            level = rule.levels.get(revision, rule.level)
        subject = hit.subject[:MAX_SUBJECT]
        if hit.diverted:  # told apart from what the client got
            subject += DIVERTED + hit.diverted
        key = (rule.id, subject, level)
        finding = self._findings.get(key)
        if finding is None:
            if self._subjects.get(rule.id, 0) >= MAX_SUBJECTS:
                key = (rule.id, OTHERS, level)
                finding = self._findings.get(key)
            self._subjects[rule.id] = self._subjects.get(rule.id, 0) + 1
        if finding is None:
            finding = self._findings[key] = Finding(
                rule=rule.id,
                level=level,
                line=hit.number,
                message="",
                remedy=hit.remedy or rule.remedy,
                subject=excerpt(subject.partition(DIVERTED)[0], MAX_SUBJECT),
                records=[] if hit.number is None else sorted({hit.number, *hit.more_records})[:MAX_RECORDS],
                quoted=[excerpt(line, MAX_VALUE) for line in hit.quoted],
                side=hit.side or rule.side,
                design=rule.design,
                loses_request=lost or rule.loses_request,
                known=known,
                fault=_fault(rule, hit),
            )
            _show(finding, rule, hit)
            return
        finding.count += 1
        # Of several lines the one that did harm is shown, else the one that tells most.
        if (lost, hit.telling) > (finding.loses_request, finding.telling):
            finding.loses_request = finding.loses_request or lost
            _show(finding, rule, hit)
        if hit.number is not None and len(finding.records) < MAX_RECORDS:
            new = [n for n in (hit.number, *hit.more_records) if n not in finding.records]
            finding.records = sorted([*finding.records, *new])[:MAX_RECORDS]


def _show(finding: Finding, rule: Rule, hit: Hit) -> None:
    """Tell the finding by this hit."""
    values = _printable(rule, hit)
    short = _short(values)
    finding.line, finding.telling = hit.number, hit.telling
    finding.follows = hit.diverted or rule.leads_to.fill(values)
    finding.message = rule.message(values, finding.follows)
    finding.brief, finding.headline = rule.brief.fill(short, within=True), rule.brief.fill(short)
    if hit.diverted:
        finding.brief += DIVERTED_BRIEF
        finding.headline += DIVERTED_BRIEF


def _short(values: dict[str, Value]) -> dict[str, Value]:
    """The same values, those cut to a few words that are long or would leave a bracket or quotation open."""
    return {key: _cut(value) if isinstance(value, str) else value for key, value in values.items()}


def _cut(value: str) -> str:
    fits = word_count(value) <= BRIEF_WORDS and len(value) <= BRIEF_CHARACTERS
    if fits and not value.count('"') % 2 and not value.count("`") % 2 and balanced(value) == value:
        return value
    margin = value[: len(value) - len(value.lstrip())]
    return margin + snippet(value, BRIEF_WORDS, BRIEF_CHARACTERS)


def _printable(rule: Rule, hit: Hit) -> dict[str, Value]:
    """The values of a hit, its record as `n`, its side as `sender`; recorded text is made fit to print."""
    values = {
        key: excerpt(value, MAX_VALUE) if isinstance(value, str) else value
        for key, value in hit.values.items()
    }
    if hit.number is not None:
        values["n"] = hit.number
    values["sender"] = f"the {hit.side or rule.side}"
    return values


def _fault(rule: Rule, hit: Hit) -> Fault | None:
    """The fault of a server, if it is one, that clients are known to react to."""
    if hit.reaction_seen or hit.side == CLIENT:
        return None
    return hit.fault or rule.fault
