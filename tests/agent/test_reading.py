import pytest

from mcptap.agent.pace import OutOfTimeError, Pace
from mcptap.agent.reading import Reading
from mcptap.recording.reader import State
from tests.agent.asking import FINE, keep, shelf


def test_each_record_comes_with_the_request_that_it_belongs_to(tmp_path):
    keep(tmp_path, "weather", FINE)
    reading = Reading(shelf(tmp_path).find("weather"), Pace())
    rows = list(reading.rows())
    assert [row.number for row in rows] == list(range(2, len(rows) + 2))
    assert [(row.kind, row.tool) for row in rows if row.tool] == [
        ("request", "forecast"),
        ("answer", "forecast"),
    ] * 2
    assert reading.state is State.FINISHED


def test_it_keeps_to_the_time_for_the_answer(tmp_path):
    keep(tmp_path, "weather", FINE)
    with pytest.raises(OutOfTimeError):
        list(Reading(shelf(tmp_path).find("weather"), Pace(limit_s=-1)).rows())
