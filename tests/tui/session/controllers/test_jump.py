import pytest

from mcptap.tui.session.controllers.jump import JumpController, parse_place
from mcptap.tui.session.controllers.play import PlayController
from mcptap.tui.session.timeline import Timeline
from tests.tui.screens import fed, indexed, opened, played, typed
from tests.tui.session.controllers.told import Told


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


@pytest.mark.parametrize(
    ("text", "went_to"),
    [("1", 0), ("9", 8), ("0", 0), ("1ms", 1), ("+9:00:00", 17), ("1,000", 17)],
)
def test_a_place_leads_to_a_record(path, text, went_to):
    screen, went = Told(), []
    timeline = Timeline(indexed(path))
    JumpController(screen, timeline, PlayController(None, timeline, None, None, None), went.append).entered(
        text
    )
    assert went == [went_to]
    assert screen.words == (["The recording has 18 records."] if text == "1,000" else [])


def test_what_is_no_place_leads_nowhere_and_is_told_of(path):
    screen, went = Told(), []
    JumpController(screen, Timeline(indexed(path)), None, went.append).entered("soon")
    assert went == []
    assert "That is no place" in screen.words[0]
