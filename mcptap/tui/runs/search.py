"""The text search through all servers of a run, from hit to hit in the order of time."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable

from mcptap.tui.index.finder import Finder
from mcptap.tui.runs.member import Member
from mcptap.tui.runs.timeline import RunTimeline
from mcptap.tui.widgets.tap_screen import TapScreen

Key = tuple[int, int, int]
"""Where a record stands among those of all servers: its time, the number of its session, its index."""


class RunSearch:
    """Looks through the servers that are shown; of a filter's rows alone while one applies.

    `say` puts words into the status line. The hits of all servers are counted before it goes to one, since
    only then it is known which comes next.
    """

    def __init__(self, screen: TapScreen, timeline: RunTimeline, say: Callable[[str], None]) -> None:
        self.text = ""
        self._screen = screen
        self._timeline = timeline
        self._say = say
        self._finders: dict[str, Finder] = {}
        """By the path of the session."""
        self._round = 0
        """Goes up with every search: what an earlier one has to tell no longer counts."""
        self._missing = 0
        """How many sessions are still looked through."""

    def entered(self, text: str) -> None:
        """Search for this, from the cursor on."""
        self.close()
        self._finders = {}
        self.text = text
        self._timeline.mark(text)
        self._look(0)

    def next_hit(self, direction: int) -> None:
        """To the next hit (1), or the one before (-1), round the ends."""
        if not self.text:
            self._screen.notify("There is nothing to search for yet: / begins a search.")
            return
        self._timeline.mark(self.text)
        self._look(direction)

    def stop(self) -> bool:
        """Stop what is under way, or mark nothing any more; whether there was something to do."""
        was_busy, was_marked = self._missing > 0, bool(self._timeline.needle)
        self.close()
        if was_busy:
            self._say("search stopped")
        elif was_marked:
            self._timeline.mark("")
            self._say("")
        return was_busy or was_marked

    def close(self) -> None:
        """Stop what is under way."""
        self._round += 1
        self._missing = 0
        for finder in self._finders.values():
            finder.close()

    def _look(self, direction: int) -> None:
        """Count what came since the last time, then go on."""
        self.close()
        members = [member for member in self._timeline.members if member.part.is_shown]
        behind = []
        for member in members:
            finder = self._finders.get(member.summary.path)
            if finder is None or finder.index is not member.feed.index:
                finder = self._finders[member.summary.path] = Finder(member.feed.index)
                finder.look_for(self.text)
            if finder.counted_to < len(finder.index):
                behind.append(finder)
        if not behind:
            self._go(direction)
            return
        self._say(f"searching for {self.text!r} · esc stops")
        self._missing, round_, app = len(behind), self._round, self._screen.app
        for finder in behind:
            finder.count(lambda: app.call_later(self._counted, round_, direction))

    def _counted(self, round_: int, direction: int) -> None:
        if round_ == self._round:
            self._missing -= 1
            if not self._missing:
                self._go(direction)

    def _go(self, direction: int) -> None:
        """To the first hit at or behind the cursor (0), behind it (1), or before it (-1)."""
        timeline = self._timeline
        hits = [self._hits_of(member) for member in timeline.members]
        total = sum(map(len, hits))
        if not total:
            where = "the records that are shown" if self._is_narrowed() else "any of the recordings"
            self._say(f"{self.text!r} is not in {where}")
            return
        here = timeline.place
        key = self._key(*here) if here is not None else (-1, 0, 0)
        before = sum(self._up_to(number, found, key, bisect_left) for number, found in enumerate(hits))
        if direction > 0:
            before = sum(self._up_to(number, found, key, bisect_right) for number, found in enumerate(hits))
        elif direction < 0:
            before -= 1
        wanted = before % total
        number, i = self._nth(hits, wanted)
        self._show(number, i)
        self._say(f"{self.text!r} {wanted + 1:,} of {total:,} · n next, N previous")

    def _is_narrowed(self) -> bool:
        parts = [member.part for member in self._timeline.members]
        return any(part.picked is not None or not part.is_shown for part in parts)

    def _hits_of(self, member: Member) -> array[int]:
        """The hits in one session that can be shown, in the order of its records."""
        finder = self._finders.get(member.summary.path)
        if finder is None or not member.part.is_shown:
            return array("Q")
        hits = finder.hits[: bisect_left(finder.hits, member.feed.index.described)]
        picked = member.part.picked
        return hits if picked is None else array("Q", sorted(set(hits) & set(picked)))

    def _key(self, number: int, i: int) -> Key:
        part = self._timeline.members[number].part
        return part.start_us + part.index.times[i], number, i

    def _up_to(self, number: int, hits: array[int], key: Key, bisect: Callable[..., int]) -> int:
        return bisect(hits, key, key=lambda i: self._key(number, i))

    def _nth(self, hits: list[array[int]], wanted: int) -> tuple[int, int]:
        """The hit that so many others, of all sessions, are before."""
        for number, found in enumerate(hits):
            low, high = 0, len(found)
            while low < high:
                middle = (low + high) // 2
                key = self._key(number, found[middle])
                place = sum(self._up_to(k, others, key, bisect_left) for k, others in enumerate(hits))
                if place == wanted:
                    return number, found[middle]
                if place < wanted:
                    low = middle + 1
                else:
                    high = middle
        raise IndexError(wanted)

    def _show(self, number: int, i: int) -> None:
        """Put the cursor on a record; a run of stderr that hides it is unfolded."""
        timeline = self._timeline
        index, part = timeline.members[number].feed.index, timeline.members[number].part
        if part.picked is None and not index.rowmap.has_row(i):
            index.folds.fold(i, folded=False)
            timeline.grown()
        timeline.go(timeline.merged.row_of((number, i)), centre=True)
