import pytest

from mcptap.tui.session.controllers.jump import parse_place
from tests.tui.screens import fed, opened, played, typed


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("120", ("record", 120)),
        ("12,000", ("record", 12_000)),
        ("+3.5", ("time", 3_500_000)),
        ("1:02", ("time", 62_000_000)),
        ("+1:00:00", ("time", 3_600_000_000)),
        ("80ms", ("time", 80_000)),
        ("3s", ("time", 3_000_000)),
        ("soon", None),
        ("1:x", None),
        ("", None),
    ],
)
def test_places_are_numbers_or_times(text, place):
    assert parse_place(text) == place


def test_a_colon_goes_to_a_record_or_a_time(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("colon", "9", "enter")
            assert screen.timeline.record == 8
            await pilot.press("colon")
            await typed(pilot, "3ms")
            await pilot.press("enter")
            assert screen.timeline.record == 3

    played(play())
