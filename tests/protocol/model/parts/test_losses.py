"""What is missing of a session."""

import pytest

from mcptap.protocol.model.parts.losses import Losses
from mcptap.recording.format.model import Damaged
from tests.diagnosis.sessions import event, line


def test_records_that_could_not_be_read_are_counted_by_the_reason():
    losses = Losses()
    assert not losses.any
    for why in ("torn", "torn", "no JSON"):
        assert losses.take(Damaged(2, b"", why))
    assert losses.damaged == {"torn": 2, "no JSON": 1}
    assert losses.any
    assert losses.total == 3


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        ({"records": 12, "why": "disk full"}, {"disk full": 12}),
        ({"records": 0, "why": "disk full"}, {"disk full": 1}),
        ({}, {"for an unknown reason": 1}),
    ],
)
def test_a_gap_is_at_least_one_record(fields: dict[str, object], missing: dict[str, int]):
    losses = Losses()
    assert losses.take(event(2, "gap", 7, **fields))
    assert losses.missing == missing
    assert losses.gap_us == 7


def test_nothing_else_is_a_loss():
    losses = Losses()
    assert not losses.take(event(2, "exit", code=0))
    assert not losses.take(line(3, "s2c", b"x"))
    assert not losses.any
