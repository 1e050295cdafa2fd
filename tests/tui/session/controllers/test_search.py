from mcptap.tui.session.controllers.search import SearchController
from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.findings_pane import FindingsList
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.prompt import Prompt
from tests.tui.screens import fed, opened, played, shown, typed, until
from tests.tui.session.controllers.told import Told
from tests.tui.weather import CALL, FAILED, LIST, SILENT


def test_a_search_goes_from_hit_to_hit_and_round_the_end(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("slash")
            await typed(pilot, "FORECAST")
            await pilot.press("enter")
            await until(pilot, lambda: screen.timeline.record == LIST + 1)
            await until(pilot, lambda: any("'FORECAST' 1 of 4" in line for line in shown(pilot)))
            for wanted in (CALL, FAILED, SILENT, LIST + 1):
                await pilot.press("n")
                await until(pilot, lambda wanted=wanted: screen.timeline.record == wanted)
            await pilot.press("N")
            await until(pilot, lambda: screen.timeline.record == SILENT)
            await until(pilot, lambda: any("'FORECAST' 4 of 4" in line for line in shown(pilot)))
            await pilot.press("slash")
            await typed(pilot, "nowhere")
            await pilot.press("enter")
            await until(pilot, lambda: any("is nowhere in the recording" in line for line in shown(pilot)))

    played(play())


def test_without_a_text_there_is_no_next_hit(path):
    screen = Told()
    feed = fed(path)
    SearchController(
        screen, Timeline(feed.index), DetailPane(feed), FindingsList(), Prompt(), None, None
    ).next_hit(1)
    assert screen.words == ["There is nothing to search for yet: / begins a search."]


def test_what_is_not_running_cannot_be_stopped_and_what_is_not_marked_cannot_be_unmarked(path):
    feed = fed(path)
    timeline = Timeline(feed.index)
    search = SearchController(Told(), timeline, DetailPane(feed), FindingsList(), Prompt(), None, None)
    assert not search.stop()
    assert not search.unmark()
    timeline.needle = "x"
    assert search.unmark()
    assert timeline.needle == ""
