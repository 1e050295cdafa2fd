"""Records as they are read: what they may not hold."""

import pytest

from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Damaged, Line

HUGE = 10**400


@pytest.mark.parametrize(
    "fields", [f'"t":{HUGE},"wall":1', f'"t":1,"wall":{HUGE}', f'"t":1,"wall":1,"t0":{HUGE}']
)
def test_a_time_that_no_clock_shows_is_damage(fields: str):
    raw = f'{{"n":2,"k":"line",{fields},"ch":"s2c","msg":1}}'
    assert isinstance(decode_record(raw.encode(), 2), Damaged)


def test_a_late_time_is_none():
    raw = b'{"n":2,"k":"line","t":4000000000000000,"wall":4000000000000000000,"ch":"s2c","msg":1}'
    assert isinstance(decode_record(raw, 2), Line)
