from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.tabs import TABS
from tests.tui.screens import alone, at_rest, fed, opened, played, settled, shown, until
from tests.tui.weather import ANSWER, CALL


def test_the_other_tabs_tell_launch_capabilities_and_numbers(path):
    async def play():
        async with opened(fed(path), (170, 50)) as (pilot, _):
            await pilot.press("3")
            await settled(pilot)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "/home/someone/project" in lines
            assert "server exited with status 0" in lines
            await pilot.press("4")
            await settled(pilot)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "● tools" in lines
            assert "○ prompts" in lines
            assert "2025-11-25" in lines
            await pilot.press("5")
            await settled(pilot)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "forecast" in lines
            assert "spawn" in lines
            assert "█" in lines

    played(play())


def test_folding_hides_and_unfolding_shows(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("enter", "enter")
            await until(pilot, lambda: any('"city": ' in line for line in shown(pilot)))
            await pilot.press("o")
            await settled(pilot)
            assert not any('"city": ' in line for line in shown(pilot))
            await pilot.press("o")
            await settled(pilot)
            await until(pilot, lambda: any('"city": ' in line for line in shown(pilot)))

    played(play())


def test_a_finding_gives_way_to_the_record_that_is_chosen_next(path):
    async def play():
        feed = fed(path)
        pane = DetailPane(feed)
        async with alone(pane, size=(100, 30)) as pilot:
            finding = feed.findings.findings[0]
            pane.show_finding(finding)
            await at_rest(pilot)
            assert finding.rule in "\n".join(shown(pilot))
            pane.show_record(2)
            await at_rest(pilot)
            assert finding.rule not in "\n".join(shown(pilot))
            assert "initialize" in "\n".join(shown(pilot))
        feed.close()

    played(play())


def test_a_record_that_cannot_be_read_is_told_of(path):
    async def play():
        feed = fed(path)
        pane = DetailPane(feed)
        async with alone(pane, size=(100, 30)) as pilot:
            feed.close()
            pane.show_record(2)
            await at_rest(pilot)
            assert "this record can't be read" in "\n".join(shown(pilot))
            pane.choose_tab("launch")
            await at_rest(pilot)
            assert "this can't be read" in "\n".join(shown(pilot))

    played(play())


def test_the_tab_on_top_is_marked_and_the_others_are_named_with_their_keys(path):
    async def play():
        feed = fed(path)
        pane = DetailPane(feed)
        async with alone(pane, size=(100, 30)) as pilot:
            pane.choose_tab("bytes")
            await at_rest(pilot)
            assert shown(pilot)[0].strip("▌ ").split() == [
                *(word for tab in TABS for word in (tab.key, tab.name)),
                *("✗1", "▲1", "F"),
            ]
            assert pane.tab.name == "bytes"
        feed.close()

    played(play())


def test_an_answer_that_has_not_come_at_the_moment_is_not_shown(path):
    feed = fed(path)
    pane = DetailPane(feed)
    pane.tab = TABS[-1]
    pane.now = CALL
    pane.show_record(CALL)
    assert pane.other is None
    pane.now = None
    pane.show_record(CALL)
    assert pane.other.index == ANSWER
    feed.close()
