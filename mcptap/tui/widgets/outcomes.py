"""How the outcome of a session looks: a sign and its colour, the same in the list and above the timeline."""

from __future__ import annotations

from rich.style import Style

from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.tui.widgets.palette import Paint


def outcome_sign(paint: Paint, outcome: Outcome, errors: int) -> tuple[str, Style]:
    """Green is for what is healthy alone; `errors` tells what is broken from what only gives a warning."""
    if outcome is Outcome.HEALTHY:
        return "✓", paint.server
    if outcome is Outcome.WAITING:
        return "◌", paint.stderr
    if outcome is Outcome.UNCLEAR:
        return "?", paint.dim
    return ("✗", paint.problem) if errors else ("▲", paint.stderr)
