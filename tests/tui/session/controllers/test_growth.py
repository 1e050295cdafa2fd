"""How the screen grows with its file."""

from mcptap.tui.index.feed import Status
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.session.controllers.growth import GrowthController
from mcptap.tui.session.controllers.play import PlayController
from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.scrubber import Scrubber
from mcptap.tui.session.timeline import Timeline
from tests.tui.screens import fed
from tests.tui.session.controllers.told import Told


def test_each_trouble_is_told_once_and_another_file_is_begun_anew(path):
    feed, told, called = fed(path), Told(), []
    timeline = Timeline(feed.index)
    play = PlayController(feed, timeline, DetailPane(feed), Scrubber(), changed=lambda: None)
    growth = GrowthController(
        told,
        feed,
        timeline,
        play,
        grown=lambda: called.append("grown"),
        begin_anew=lambda: called.append("anew"),
    )
    growth.tick()
    growth.tick()
    assert called == ["grown"]
    for trouble in ("deleted", "deleted", "the disk is gone"):
        feed.status = Status(complete=True, trouble=trouble)
        feed.version += 1
        growth.tick()
    assert [words.split()[0] for words in told.words] == ["The", "Indexing"]
    timeline.flags = {1: 2}
    feed.index = RecordIndex(feed.fd)
    feed.version += 1
    growth.tick()
    assert called[-2:] == ["anew", "grown"]
    assert timeline.index is feed.index
    assert timeline.flags == {}
    feed.close()
