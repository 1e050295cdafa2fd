import json

from mcptap.tui.index.kinds import Kind
from mcptap.tui.run.resent import lines_to_send
from tests.tui.run.servers import (
    CALL,
    taped,
)
from tests.tui.screens import fed


def test_an_edited_line_stands_in_its_place_also_within_the_opening(place):
    feed = fed(taped(place))
    initialize = next(i for i in range(len(feed.index)) if feed.index.kinds[i] == Kind.REQUEST)

    def sent(i):
        return [json.loads(line).get("method", "edited") for line in lines_to_send(feed.index, i, b'{"a":1}')]

    assert sent(CALL) == ["initialize", "notifications/initialized", "edited"]
    assert sent(initialize) == ["edited", "notifications/initialized"]
    feed.close()
