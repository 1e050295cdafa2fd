"""Going to a record number or to a time."""

from __future__ import annotations

from collections.abc import Callable

from mcptap.text.units import counted
from mcptap.tui.session.controllers.play import PlayController
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.tap_screen import TapScreen


class JumpController:
    """What `:` is told. `go_to` goes to the record at an index."""

    def __init__(
        self, screen: TapScreen, timeline: Timeline, play: PlayController, go_to: Callable[[int], None]
    ) -> None:
        self._screen = screen
        self._timeline = timeline
        self._play = play
        self._go_to = go_to

    def entered(self, text: str) -> None:
        """Go there; a session that is played goes to that moment."""
        place = parse_place(text)
        if place is None:
            self._screen.notify("That is no place: type a record number (120) or a time (+3.5, 1:02, 80ms).")
            return
        index = self._timeline.index
        kind, value = place
        last = max(0, len(index) - 1)
        if kind == "time":
            i = index.at_time(value)
            self._play.to_time(value)
        else:
            i = max(0, min(value - 1, last))
            if value - 1 > last:
                self._screen.notify(f"The recording has {counted(last + 1, 'record')}.")
            self._play.to_record(i)
        self._go_to(i)


def parse_place(text: str) -> tuple[str, int] | None:
    """What `:` is told: `("record", n)` for `120`, `("time", µs)` for `+3.5`, `1:02`, `3s`, `80ms`.

    None if it is neither.
    """
    text = text.strip().replace(",", "").replace("_", "")
    if text.isdecimal():
        return "record", int(text)
    for unit, factor in (("ms", 1_000), ("us", 1), ("µs", 1), ("s", 1_000_000), ("m", 60_000_000)):
        if text.endswith(unit) and _is_number(text[: -len(unit)].lstrip("+")):
            return "time", round(float(text[: -len(unit)].lstrip("+")) * factor)
    if text.startswith("+") or ":" in text:
        total = 0.0
        for part in text.lstrip("+").split(":"):
            if not _is_number(part):
                return None
            total = total * 60 + float(part)
        return "time", round(total * 1_000_000)
    return None


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()
