"""How the outcome of a session looks."""

import pytest

from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.tui.widgets.outcomes import outcome_sign
from mcptap.tui.widgets.palette import DARK_PAINT, LIGHT_PAINT, Paint


@pytest.mark.parametrize("paint", [DARK_PAINT, LIGHT_PAINT])
@pytest.mark.parametrize("errors", [0, 2])
def test_only_what_is_healthy_is_green(paint: Paint, errors: int) -> None:
    green = {outcome for outcome in Outcome if outcome_sign(paint, outcome, errors)[1] == paint.server}
    ticked = {outcome for outcome in Outcome if outcome_sign(paint, outcome, errors)[0] == "✓"}
    assert green == ticked == {Outcome.HEALTHY}


def test_what_waits_or_failed_is_amber() -> None:
    assert outcome_sign(DARK_PAINT, Outcome.WAITING, 0) == ("◌", DARK_PAINT.stderr)
    assert outcome_sign(DARK_PAINT, Outcome.CALLS_FAILED, 0) == ("▲", DARK_PAINT.stderr)
