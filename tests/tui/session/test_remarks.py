"""The words in the status line."""

from mcptap.tui.session.remarks import Remarks
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.bars import Bar
from tests.tui.screens import alone, fed, played, shown, until


def test_words_stand_in_the_status_line_until_the_cursor_moves(path):
    async def play():
        feed, bar, drawn = fed(path), Bar(), []
        timeline = Timeline(feed.index)
        remarks = Remarks(feed, timeline, bar, lambda: drawn.append(remarks.draw(3, 100)))
        async with alone(bar, size=(100, 3)) as pilot:
            remarks.say("nowhere to be found")
            assert len(drawn) == 1
            await until(pilot, lambda: "nowhere to be found" in shown(pilot)[0])
            assert "+3 new" in shown(pilot)[0]
            remarks.drop()
            remarks.draw(0, 100)
            await until(pilot, lambda: "new" not in shown(pilot)[0])
            assert "nowhere to be found" in shown(pilot)[0]
            timeline.cursor = 1
            remarks.drop()
            remarks.draw(0, 100)
            await until(pilot, lambda: "nowhere" not in shown(pilot)[0])
        feed.close()

    played(play())
