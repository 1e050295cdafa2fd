"""From when to when a call waited, and what became of it, as of a moment."""

from __future__ import annotations

from dataclasses import dataclass

from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import Kind, State

REQUESTS = (Kind.REQUEST, Kind.NULL_ID)


@dataclass(frozen=True, slots=True)
class Moment:
    """As of when calls are shown: `now` is the index of the last record that has come (None: all have)."""

    now: int | None = None
    clock_us: int | None = None
    """The session's time at this moment, while it is live or played."""

    def last(self, index: RecordIndex) -> int:
        """The index of the last record that counts."""
        last = index.described - 1
        return last if self.now is None else min(self.now, last)

    def end_us(self, index: RecordIndex) -> int:
        """The session's time: of its clock while that runs, else of the last record."""
        if self.clock_us is not None:
            return self.clock_us
        last = self.last(index)
        recorded = index.times[last] if last >= 0 else 0
        return max(recorded, index.ended_us or 0) if self.now is None else recorded


@dataclass(frozen=True, slots=True)
class Span:
    """A call in time. `end_us` is that of its answer or of its cancellation, else the moment itself."""

    start_us: int
    end_us: int
    state: State

    @property
    def waited_us(self) -> int:
        """How long somebody waited, or has waited so far."""
        return max(0, self.end_us - self.start_us)


def span(index: RecordIndex, i: int, moment: Moment) -> Span:
    """The span of the request at this index."""
    state = index.state(i, moment.now)
    start = index.times[i]
    if state in (State.PENDING, State.UNANSWERED):
        return Span(start, max(start, moment.end_us(index)), state)
    if state == State.CANCELLED:
        return Span(start, index.times[index.cancelled[i]], state)
    answer = answer_of(index, i, moment)
    return Span(start, start if answer is None else index.times[answer], state)


def answer_of(index: RecordIndex, i: int, moment: Moment) -> int | None:
    """The index of the answer to a request, if it has come."""
    answer = index.refs[i] - 1
    return answer if 0 <= answer <= moment.last(index) else None
