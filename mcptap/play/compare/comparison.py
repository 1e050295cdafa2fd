"""New answers against recorded ones: the same, different, missing, extra, in other order, slower."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

import orjson

from mcptap.jsontext.diff import Change, differences
from mcptap.play.compare.exchanges import Exchange, Session, content, describe
from mcptap.play.compare.ignore import Ignore
from mcptap.play.compare.offers import answer_differences
from mcptap.play.compare.severity import Judged, Severity, judged
from mcptap.protocol.model.ids import spell_id
from mcptap.protocol.model.message import MESSAGES, Message
from mcptap.protocol.revisions.names import LISTS_OF_CHANGE
from mcptap.recording.format.model import Event
from mcptap.text.units import duration

END: Final = "end of the server"
"""What an entry on it is about."""

SAME: Final = "same"
DIFFERENT: Final = "different"
MISSING: Final = "missing"
EXTRA: Final = "extra"
ORDER: Final = "other order"
SLOWER: Final = "slower"
NOT_ASKED: Final = "not asked"
NOISE: Final = "noise"
"""Messages that are there or not, as it happens: they make no difference."""
LIST_CHANGED: Final = "list_changed"
LATE: Final = "after the last answer"
"""The reasons for which they are none."""

NEVER: Final = 1 << 62

NOTABLY_SLOWER = 3.0
LEAST_US = 200_000
"""An answer is told to be slower if it took this many times, and that many us more."""

NEAR = 50
"""How far a counterpart is looked for, so that a flood is compared in the time it takes to read it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the comparison. `counts` tells whether it makes the sessions different."""

    status: str
    about: str
    changes: tuple[Judged, ...] = ()
    note: str = ""
    counts: bool = True
    level: Severity = Severity.CONTENT
    """How much it matters if it has no changes; `severity` is what it comes to."""
    why: str = ""
    """What it breaks, if it has no changes; or as what it was taken for the same."""
    overlooked: tuple[Judged, ...] = ()
    """Differences that were taken as the same."""

    @property
    def severity(self) -> Severity:
        """How much it matters: that of its worst change."""
        if self.status in (SAME, NOISE) or not self.counts:
            return Severity.NOISE
        return max((change.severity for change in self.changes), default=self.level)

    @property
    def broken(self) -> list[str]:
        """What it breaks, for each change that does."""
        if self.severity is not Severity.CONTRACT:
            return []
        return [judged.why for judged in self.changes if judged.severity is Severity.CONTRACT] or [self.why]


@dataclass(slots=True)
class Comparison:
    """All that was compared."""

    entries: list[Entry] = field(default_factory=list)

    @property
    def severity(self) -> Severity:
        """That of the worst entry."""
        return max((entry.severity for entry in self.entries), default=Severity.NOISE)

    @property
    def different(self) -> bool:
        """Whether anything counts as different."""
        return self.severity > Severity.NOISE

    @property
    def broken(self) -> list[str]:
        """What may fail now for those who used the server before, for each difference that does so."""
        return [why for entry in self.entries for why in entry.broken]

    @property
    def overlooked(self) -> list[str]:
        """For each difference that was taken as the same, as what."""
        reasons = [judged.why for entry in self.entries for judged in entry.overlooked]
        return reasons + [entry.why for entry in self.entries if entry.status == NOISE]

    def count(self, status: str) -> int:
        """How many entries have this status."""
        return sum(entry.status == status for entry in self.entries)


def by_id(exchange: Exchange) -> Hashable:
    """What two exchanges of the same script have in common."""
    return exchange.request.method, spell_id(exchange.request.id)


def by_question(exchange: Exchange) -> Hashable:
    """What two exchanges of two clients have in common: method and params, whatever the ids."""
    params = {name: value for name, value in (exchange.request.params or {}).items() if name != "_meta"}
    try:
        asked = orjson.dumps(params, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # too deep, or integers too long, for orjson
        asked = exchange.request.line.data
    return exchange.request.method, asked


def compare(
    old: Session,
    new: Session,
    ignore: Ignore,
    *,
    slower: float | None = None,
    key: Callable[[Exchange], Hashable] = by_id,
) -> Comparison:
    """Compare two sessions. `slower`: an answer that took that many times as long counts as different."""
    ignore = ignore.between(old.header.start_wall_us, new.header.start_wall_us)
    pairs = pair_up(old.exchanges, new.exchanges, key)
    entries = [_answers(one, other, ignore) for one, other in pairs]
    both = [(one, other) for one, other in pairs if one is not None and other is not None]
    entries += _others(old, new, ignore)
    entries += _order(both)
    if old.is_timed and new.is_timed:
        entries += _slower(both, slower, (old.fineness_us, new.fineness_us))
    entries += _ends(old.end, new.end)
    return Comparison(entries)


def sift(changes: Iterable[Change], method: str, ignore: Ignore) -> tuple[list[Judged], list[Judged]]:
    """Differences in an answer to `method`: those that count, and those that are taken as the same."""
    counting, overlooked = [], []
    for change in changes:
        if reason := ignore.reason(change, method):
            overlooked.append(Judged(change, Severity.NOISE, reason))
        else:
            counting.append(judged(change, method))
    return counting, overlooked


def pair_up(
    old: Iterable[Exchange], new: Iterable[Exchange], key: Callable[[Exchange], Hashable]
) -> list[tuple[Exchange | None, Exchange | None]]:
    """Each exchange with its counterpart: the n-th of a key with the n-th, in the order of the old ones."""
    free: dict[Hashable, list[Exchange]] = {}
    for exchange in new:
        free.setdefault(key(exchange), []).append(exchange)
    pairs: list[tuple[Exchange | None, Exchange | None]] = []
    for exchange in old:
        alike = free.get(key(exchange))
        pairs.append((exchange, alike.pop(0) if alike else None))
    return pairs + [(None, exchange) for alike in free.values() for exchange in alike]


def _answers(old: Exchange | None, new: Exchange | None, ignore: Ignore) -> Entry:
    if old is None:
        assert new is not None
        return Entry(EXTRA, str(new), note="asked only in the new session")
    about = str(old)
    if new is None and old.answer is None:  # as to a server that is gone: nothing was lost
        return Entry(SAME, about, note="unanswered in the old session, not asked in the new one")
    if new is None:
        return Entry(NOT_ASKED, about, note="asked only in the old session")
    if old.answer is None:
        if new.answer is None:
            return Entry(SAME, about, note="unanswered in both")
        return Entry(EXTRA, about, note="answered now, not before")
    if new.answer is None:
        return Entry(
            MISSING, about, note="answered before, not now", level=Severity.CONTRACT, why="no answer"
        )
    method = old.request.method
    ignore = ignore.at(old.answer.t_us, new.answer.t_us)
    changes, overlooked = sift(
        answer_differences(_body(old.answer), _body(new.answer), method), method, ignore
    )
    status = DIFFERENT if changes else SAME
    return Entry(status, about, tuple(changes), overlooked=tuple(overlooked))


def _body(answer: Message) -> Any:
    """What counts of an answer: all but its id, which says only what it belongs to."""
    return {name: value for name, value in answer.line.value.items() if name != "id"}


def _others(old_session: Session, new_session: Session, ignore: Ignore) -> Iterator[Entry]:
    """What answers nothing has no counterpart to be laid beside: it is there or it is not."""
    old, new = old_session.others, new_session.others
    old_last = new_last = NEVER
    if ignore.kinds or ignore.placeholders:
        yield from _bursts(old, new)
        old, new = ([m for m in messages if m.method not in LISTS_OF_CHANGE] for messages in (old, new))
        old_last, new_last = _last(old_session), _last(new_session)
    same = Counter(message.line.data for message in old) & Counter(message.line.data for message in new)
    gone, left = _without(old, same), _without(new, same)
    for message in gone:
        kind = (message.kind, message.method)
        near = islice((other for other in left if (other.kind, other.method) == kind), NEAR)
        for other in near:
            changes = differences(content(message), content(other))
            counting, overlooked = sift(changes, other.method, ignore.at(message.t_us, other.t_us))
            if not counting:
                left.remove(other)
                if overlooked:
                    yield Entry(SAME, describe(message), overlooked=tuple(overlooked))
                break
        else:
            if message.number > old_last and message.kind in MESSAGES:
                yield _late(message, "the old")
            else:
                yield Entry(MISSING, describe(message), note=_excerpt(message))
    for message in left:
        if message.number > new_last and message.kind in MESSAGES:
            yield _late(message, "the new")
            continue
        breaks = message.kind not in MESSAGES
        level = Severity.CONTRACT if breaks else Severity.CONTENT
        why = "clients can't read it" if breaks else ""
        yield Entry(EXTRA, describe(message), note=_excerpt(message), level=level, why=why)


def _last(session: Session) -> int:
    """The number of the last answer, or of a later request: behind it the client may leave at any time."""
    exchanges = session.exchanges
    return max((e.request.number if e.answer is None else e.answer.number for e in exchanges), default=NEVER)


def _late(message: Message, where: str) -> Entry:
    """A message that came only where the client stayed for a moment after it had its last answer."""
    note = f"only in {where} session, behind its last answer"
    return Entry(NOISE, describe(message), note=note, counts=False, why=LATE)


def _bursts(old: list[Message], new: list[Message]) -> Iterator[Entry]:
    """How often a server says that a list has changed hangs on its clock: often several times in a row."""
    for method in LISTS_OF_CHANGE:
        before, now = (sum(m.method == method for m in messages) for messages in (old, new))
        if before != now:
            yield Entry(NOISE, method, note=f"{before} before, {now} now", counts=False, why=LIST_CHANGED)


def _without(messages: list[Message], same: Counter[bytes]) -> list[Message]:
    """The messages but for those whose bytes stand in both sessions."""
    same = Counter(same)
    rest = []
    for message in messages:
        if same[message.line.data]:
            same[message.line.data] -= 1
        else:
            rest.append(message)
    return rest


def _excerpt(message: Message) -> str:
    return message.line.data.decode(errors="backslashreplace")


def _order(pairs: list[tuple[Exchange, Exchange]]) -> Iterator[Entry]:
    """Two requests that were open at the same time in both sessions, and were answered the other way round.

    JSON-RPC allows any order (section 6), so this alone makes no difference.
    """
    answered = [(one, other) for one, other in pairs if one.answer is not None and other.answer is not None]
    for at, (first_old, first_new) in enumerate(answered):
        for second_old, second_new in answered[at + 1 : at + NEAR]:
            if not (_overlap(first_old, second_old) and _overlap(first_new, second_new)):
                break
            if (first_old.place < second_old.place) != (first_new.place < second_new.place):
                yield Entry(ORDER, f"{first_old} and {second_old}", counts=False)


def _overlap(first: Exchange, second: Exchange) -> bool:
    """Whether the second request was sent before the first was answered."""
    return first.answer is not None and second.request.number < first.answer.number


def _words(took_us: int, fineness_us: int) -> str:
    return duration(took_us, fineness_us=fineness_us)


def _slower(
    pairs: list[tuple[Exchange, Exchange]], limit: float | None, fineness_us: tuple[int, int]
) -> Iterator[Entry]:
    """Answers that took longer: by times that may be coarse, surely so."""
    coarsest = max(fineness_us) - 1
    for old, new in pairs:
        before, now = old.latency_us, new.latency_us
        if before is None or now is None:
            continue
        times = max(0, now - coarsest) / max(before + coarsest, 1)
        beyond = limit is not None and times > limit
        if beyond or (times > NOTABLY_SLOWER and now - before - 2 * coarsest > LEAST_US):
            yield Entry(
                SLOWER,
                str(old),
                note=f"{_words(before, fineness_us[0])} before, {_words(now, fineness_us[1])} now",
                counts=beyond,
                level=Severity.CONTRACT,
                why="slower than was asked for" if beyond else "",
            )


def _ends(old: Event | None, new: Event | None) -> Iterator[Entry]:
    """The server's own ends; one that it was made to take says nothing about it."""
    if old is not None and new is not None and end_words(old) != end_words(new):
        crashed = not _failed(old) and _failed(new)
        yield Entry(
            DIFFERENT,
            END,
            note=f"{end_words(old)} before, {end_words(new)} now",
            level=Severity.CONTRACT if crashed else Severity.CONTENT,
            why="it fails at its end" if crashed else "",
        )


def _failed(end: Event) -> bool:
    return "signal" in end.fields or bool(end.fields.get("code"))


def end_words(end: Event) -> str:
    """How a server ended, in words."""
    if "signal" in end.fields:
        return f"killed by {end.fields['signal']}"
    return f"exit code {end.fields.get('code')}"
