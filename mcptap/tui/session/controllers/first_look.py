"""What is on the screen before the first key: the record that the verdict is about, and why."""

from __future__ import annotations

from collections.abc import Callable

from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.tui.index.feed import Feed
from mcptap.tui.session.controllers.detail import DetailController
from mcptap.tui.session.timeline import Timeline

PATIENCE_US = 2_000_000
"""What waits for less time in a live session is nothing to look at yet."""


class FirstLook:
    """Puts the cursor on the causing record, and opens it, until the user goes anywhere.

    `go_to` goes to the record at an index, `is_busy` tells whether the user does something else.
    """

    def __init__(
        self,
        feed: Feed,
        timeline: Timeline,
        detail: DetailController,
        go_to: Callable[[int], None],
        is_busy: Callable[[], bool],
    ) -> None:
        self._feed = feed
        self._timeline = timeline
        self._detail = detail
        self._go_to = go_to
        self._is_busy = is_busy
        self._is_over = False
        self._left_at = (0, False)
        """Where the cursor was left, as an index, and whether the detail was open then."""

    def begin_anew(self) -> None:
        """The file is another one."""
        self._is_over = False
        self._left_at = (0, self._detail.is_open)

    def end(self) -> None:
        """Leave the cursor where it is from now on."""
        self._is_over = True

    def take(self) -> None:
        """Look at what the diagnosis said last."""
        timeline, judgement = self._timeline, self._feed.findings
        if self._is_over or judgement is None or not self._feed.status.complete or not timeline.count():
            return
        if self._is_busy() or self._left_at != (timeline.record, self._detail.is_open):
            self._is_over = True
            return
        self._is_over = judgement.final
        i = judgement.record - 1 if judgement.record is not None else None
        if i is None or i >= timeline.index.described or self._is_fresh(judgement.outcome, i):
            return
        # A line of stderr gets a row of its own, a line in parts has one for all of them.
        timeline.index.folds.keep([i])
        i = timeline.index.lines.row_of(i)
        if i != timeline.record or not self._detail.is_open:
            self._go_to(i)
            self._detail.open_cause()
        self._left_at = (timeline.record or 0, self._detail.is_open)

    def _is_fresh(self, outcome: Outcome, i: int) -> bool:
        now_us = self._timeline.live_us
        waits = outcome is Outcome.WAITING and now_us is not None
        return waits and now_us is not None and now_us - self._timeline.index.times[i] < PATIENCE_US
