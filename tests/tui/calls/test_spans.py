"""From when to when a call waited."""

import pytest

from mcptap.tui.calls.spans import Moment, answer_of, span
from mcptap.tui.index.kinds import State
from tests.tui.calls.conftest import CANCELLED, FAILED, QUICK, SILENT
from tests.tui.screens import indexed

WHOLE = Moment()


@pytest.fixture
def index(path):
    return indexed(path)


@pytest.mark.parametrize(
    ("i", "state", "waited_us"),
    [
        (QUICK, State.ANSWERED, 11_000),
        (FAILED, State.TOOL_ERROR, 2_001_000),
        (CANCELLED, State.CANCELLED, 1_000),
        (SILENT, State.UNANSWERED, 3_004_000),
    ],
)
def test_a_call_ends_with_its_answer_its_cancellation_or_the_session(index, i, state, waited_us):
    found = span(index, i, WHOLE)
    assert (found.state, found.waited_us) == (state, waited_us)


def test_a_call_waits_until_the_moment_that_is_played(index):
    then = Moment(now=FAILED, clock_us=index.times[FAILED] + 500_000)
    found = span(index, FAILED, then)
    assert (found.state, found.waited_us) == (State.PENDING, 500_000)
    assert answer_of(index, FAILED, then) is None
    assert answer_of(index, FAILED, WHOLE) == FAILED + 1


def test_without_a_clock_the_moment_is_that_of_its_last_record(index):
    assert Moment(now=QUICK).end_us(index) == index.times[QUICK]
    assert WHOLE.end_us(index) >= index.times[-1]
