"""Two recorded sessions side by side: what the server offers, answers and costs, and its findings."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from mcptap.captures.evidence import evidence_of
from mcptap.diagnosis.beginning import look_ahead
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.jsontext.diff import ADDED, REMOVED, Change
from mcptap.masking.masker import Masker
from mcptap.play.compare.comparison import Comparison, by_question, compare, sift
from mcptap.play.compare.exchanges import Exchange, Session
from mcptap.play.compare.ignore import Ignore
from mcptap.play.compare.offers import offer_differences
from mcptap.play.compare.severity import Judged, Severity
from mcptap.protocol.revisions.names import ITEM_NAMES, LISTS, OPENERS
from mcptap.protocol.statistics.counts import tool_tokens
from mcptap.text.units import duration


@dataclass(slots=True)
class Section:
    """What changed in one respect. `counts`: whether a change here makes the sessions different."""

    title: str
    changes: list[Judged] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    counts: bool = True
    overlooked: list[Judged] = field(default_factory=list)
    """Differences that were taken as the same."""

    @property
    def severity(self) -> Severity:
        """That of the worst change."""
        found = max((change.severity for change in self.changes), default=Severity.NOISE)
        return found if self.counts else Severity.NOISE


@dataclass(slots=True)
class SessionDiff:
    """All that two sessions differ in."""

    sections: list[Section]
    answers: Comparison
    new_findings: list[Finding]
    gone_findings: list[Finding]

    @property
    def severity(self) -> Severity:
        """That of the worst difference. A finding of level info is none; a new error breaks clients."""
        levels = [section.severity for section in self.sections]
        if any(finding.level > Level.INFO for finding in (*self.new_findings, *self.gone_findings)):
            levels.append(Severity.CONTENT)
        if any(finding.level is Level.ERROR for finding in self.new_findings):
            levels.append(Severity.CONTRACT)
        return max(*levels, self.answers.severity, Severity.NOISE)

    @property
    def broken(self) -> list[str]:
        """What may fail now for those who used the server before, for each difference that does so."""
        changes = [judged for section in self.sections if section.counts for judged in section.changes]
        found = [judged.why for judged in changes if judged.severity is Severity.CONTRACT]
        errors = [finding.rule for finding in self.new_findings if finding.level is Level.ERROR]
        return found + self.answers.broken + errors

    @property
    def different(self) -> bool:
        """Whether anything counts as different."""
        return self.severity > Severity.NOISE

    @property
    def overlooked(self) -> list[str]:
        """For each difference that was taken as the same, as what."""
        return [
            judged.why for section in self.sections for judged in section.overlooked
        ] + self.answers.overlooked


def masked(difference: SessionDiff, masker: Masker) -> SessionDiff:
    """The same without secrets: for what is printed, since masks of equal values are equal."""
    return SessionDiff(
        [
            replace(
                section,
                changes=[_masked(change, masker) for change in section.changes],
                notes=[masker.text(note) for note in section.notes],
                overlooked=[_masked(change, masker) for change in section.overlooked],
            )
            for section in difference.sections
        ],
        masked_comparison(difference.answers, masker),
        [finding.changed(masker.text) for finding in difference.new_findings],
        [finding.changed(masker.text) for finding in difference.gone_findings],
    )


def masked_comparison(comparison: Comparison, masker: Masker) -> Comparison:
    """A comparison without secrets."""
    return Comparison(
        [
            replace(
                entry,
                about=masker.text(entry.about),
                note=masker.text(entry.note),
                changes=tuple(_masked(change, masker) for change in entry.changes),
                overlooked=tuple(_masked(change, masker) for change in entry.overlooked),
            )
            for entry in comparison.entries
        ]
    )


def _masked(judged: Judged, masker: Masker) -> Judged:
    change = judged.change
    name = next((step for step in reversed(change.steps) if not step.startswith("[")), "")
    shown = replace(change, old=masker.value(change.old, name), new=masker.value(change.new, name))
    return replace(judged, change=shown)


def diff(
    old: Session, new: Session, ignore: Ignore, *, slower: float | None = None, masker: Masker | None = None
) -> SessionDiff:
    """Everything that differs between two sessions; `masker` is for their command lines."""
    ignore = ignore.between(old.header.start_wall_us, new.header.start_wall_us)
    offers = (_offers(old, new, method, ignore) for method in ITEM_NAMES)
    sections = [_opening(old, new, ignore, masker), *offers]
    answers = compare(_without_offers(old), _without_offers(new), ignore, slower=slower, key=by_question)
    sections.append(_latency(old, new))
    before, now = _findings(old), _findings(new)
    came = [finding for key, finding in now.items() if key not in before]
    went = [finding for key, finding in before.items() if key not in now]
    return SessionDiff(sections, answers, came, went)


def _opening(old: Session, new: Session, ignore: Ignore, masker: Masker | None) -> Section:
    """Versions, capabilities, instructions: what the server says of itself."""
    changes = offer_differences(old.answer_to(*OPENERS), new.answer_to(*OPENERS), ("result",))
    counting, overlooked = sift(changes, OPENERS[0], ignore)
    section = Section("server", counting, overlooked=overlooked)
    before, now = (
        header.argv if masker is None else masker.argv(header.argv) for header in (old.header, new.header)
    )
    if before != now:
        section.notes.append(f"started by {' '.join(before)} before, {' '.join(now)} now")
    return section


def _offers(old: Session, new: Session, method: str, ignore: Ignore) -> Section:
    """Items of a list that were added, removed or changed, and what the list costs a model."""
    where = LISTS[method]
    before, now = items_of(old, method), items_of(new, method)
    if before is None or now is None:
        section = Section(where)
        if (before is None) != (now is None):
            section.notes.append(
                f"listed only in the {'new' if before is None else 'old'} session: not compared"
            )
        return section
    changes = []
    for name in [*before, *(n for n in now if n not in before)]:
        steps = ("result", where, f"[{name}]")
        if name not in now:
            changes.append(Change(steps, REMOVED, before[name]))
        elif name not in before:
            changes.append(Change(steps, ADDED, new=now[name]))
        else:
            changes += offer_differences(before[name], now[name], steps)
    counting, overlooked = sift(changes, method, ignore)
    section = Section(where, counting, overlooked=overlooked)
    if where == "tools" and (section.changes or before):
        cost, cost_now = tool_tokens(before.values()), tool_tokens(now.values())
        times = f"{_count(before)}, about {cost} tokens"
        times_now = f"{_count(now)}, about {cost_now} tokens"
        section.notes.append(times if times == times_now else f"{times} before; {times_now} now")
    return section


def _count(tools: dict[str, Any]) -> str:
    return "1 tool" if len(tools) == 1 else f"{len(tools)} tools"


def items_of(session: Session, method: str) -> dict[str, Any] | None:
    """The items that a list method gave over all its pages, the latest of each name; None if never listed."""
    where, naming = LISTS[method], ITEM_NAMES[method]
    found: dict[str, Any] | None = None
    for exchange in session.exchanges:
        result = exchange.answer.result if exchange.answer is not None else None
        if exchange.request.method != method or not isinstance(result, dict):
            continue
        if found is None or not (exchange.request.params or {}).get("cursor"):
            found = {}  # a new walk from the first page on
        items = result.get(where)
        for item in items if isinstance(items, list) else []:
            if isinstance(item, dict) and isinstance(item.get(naming), str):
                found[item[naming]] = item
    return found


def _without_offers(session: Session) -> Session:
    """The session without the exchanges that have a section of their own."""
    own = {*OPENERS, *LISTS}
    exchanges = [exchange for exchange in session.exchanges if exchange.request.method not in own]
    return replace(session, exchanges=exchanges)


def _latency(old: Session, new: Session) -> Section:
    """Median latencies, method by method: told, never judged, since machines differ."""
    section = Section("latency", counts=False)
    if not (old.is_timed and new.is_timed):
        return section
    before, now = _by_method(old.exchanges), _by_method(new.exchanges)
    for method in before:
        if method in now:
            was, is_now = _median(before[method], old.fineness_us), _median(now[method], new.fineness_us)
            section.notes.append(f"{method}: {was} before, {is_now} now")
    return section


def _by_method(exchanges: list[Exchange]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for exchange in exchanges:
        if exchange.latency_us is not None:
            found.setdefault(exchange.request.method, []).append(exchange.latency_us)
    return found


def _median(latencies: list[int], fineness_us: int) -> str:
    return duration(round(median(latencies)), fineness_us=fineness_us)


def _findings(session: Session) -> dict[tuple[str, str], Finding]:
    """What the diagnosis says of a session, by rule and subject."""
    evidence = session.evidence or evidence_of(session.header)
    partial, items = look_ahead(iter(session.items), evidence)
    diagnosis = Diagnosis(session.header, timed=evidence.times, partial=partial, evidence=evidence)
    for item in items:
        diagnosis.feed(item)
    return {(f.rule, f.subject): f for f in diagnosis.finish(session.state, session.unfinished)}
