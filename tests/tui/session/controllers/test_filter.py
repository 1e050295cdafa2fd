from tests.tui.screens import at_rest, fed, opened, played, settled, shown, typed, until


def test_a_filter_is_applied_as_it_is_typed_and_escape_takes_it_away(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            everything = screen.timeline.count()
            await pilot.press("f")
            await typed(pilot, "status:error")
            await until(pilot, lambda: screen.filter.running is not None and screen.timeline.count() == 2)
            await pilot.press("enter")
            assert screen.timeline.has_focus
            await until(pilot, lambda: any("2 of 18" in line for line in shown(pilot)))
            await pilot.press("escape")
            assert screen.timeline.count() == everything
            assert not screen.prompt.display

    played(play())


def test_a_wrong_filter_is_told_at_its_place_and_changes_nothing(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("f")
            await typed(pilot, "kind:stderr tol:x")
            await settled(pilot)
            await at_rest(pilot)
            line = next(line for line in shown(pilot) if "did you mean" in line)
            assert line.index("▲") == 10 + len("kind:stderr ")
            await pilot.press("enter")
            assert screen.prompt.input.has_focus
            await pilot.press("escape")
            assert screen.timeline.picked is None

    played(play())
