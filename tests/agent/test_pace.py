import pytest

from mcptap.agent.pace import OutOfTimeError, Pace, StoppedError


def test_work_that_is_no_longer_wanted_is_stopped():
    pace = Pace()
    pace.at(1, 2)
    pace.stop()
    with pytest.raises(StoppedError):
        pace.note(2, 2)
    assert (pace.done, pace.total) == (2, 2)


def test_the_time_counts_from_the_beginning_of_the_work():
    pace = Pace(limit_s=1_000)
    pace._ends = 0.0
    assert pace.is_over
    pace.begin()
    assert not pace.is_over


def test_after_its_time_an_answer_is_due():
    pace = Pace(limit_s=-1)
    pace.note(1, 2)
    with pytest.raises(OutOfTimeError):
        pace.at(1, 2)
