"""Which keys of a session make no sense at every moment, and when they do: for the palette."""

from __future__ import annotations

from collections.abc import Callable

from mcptap.tui.session.controllers.play import PlayController
from mcptap.tui.session.controllers.rerun import RerunController
from mcptap.tui.session.controllers.search import SearchController
from mcptap.tui.session.findings_pane import FindingsPane
from mcptap.tui.session.timeline import Timeline


def senses(
    timeline: Timeline,
    play: PlayController,
    search: SearchController,
    findings: FindingsPane,
    rerun: RerunController,
) -> dict[str, Callable[[], bool]]:
    """For each such action, whether it makes sense now."""

    def has_pair() -> bool:
        i = timeline.record
        return i is not None and timeline.index.partner(i) is not None

    def is_played() -> bool:
        return play.is_on

    return {
        "speed": is_played,
        "skip_idle": is_played,
        "stop": is_played,
        "next_hit": lambda: bool(search.text),
        "pair": has_pair,
        "fold": lambda: timeline.is_on_run,
        "findings": lambda: bool(findings.list.findings),
        "resend": lambda: rerun.request is not None,
    }
