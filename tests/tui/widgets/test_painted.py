from tests.tui.screens import at_rest, fed, opened, played, shown


def test_without_colour_direction_and_state_are_still_told(path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def play():
        async with opened(fed(path)) as (pilot, _):
            colours = set()
            for strip in pilot.app.screen._compositor.render_strips():
                for segment in strip:
                    if segment.style is not None and segment.style.color is not None:
                        triplet = segment.style.color.triplet
                        assert triplet is None or triplet.red == triplet.green == triplet.blue
                        colours.add(triplet)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "→ ƒ forecast" in lines
            assert "← ƒ forecast" in lines

    played(play())
