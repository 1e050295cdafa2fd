"""Whether a session is there from its beginning on."""

import pytest

from mcptap.captures.evidence import COMPLETE, Evidence
from mcptap.diagnosis.beginning import LOOK_AHEAD, begins_with_an_opening, look_ahead
from mcptap.protocol.revisions.names import META_VERSION
from mcptap.recording.format.model import Item
from tests.diagnosis.sessions import event, line, message

PART = Evidence(whole=False)
STATELESS = {"_meta": {META_VERSION: "2026-07-28"}}


def asked(method: str, **params: object) -> Item:
    return line(3, "c2s", message(id=1, method=method, params=params))


@pytest.mark.parametrize(
    "opening", [asked("initialize"), asked("server/discover"), asked("tools/list", **STATELESS)]
)
def test_a_session_begins_with_its_first_request_if_that_opens_one(opening: Item):
    before = [event(2, "spawn"), line(2, "s2c", b"Server ready"), line(2, "c2s", b"{")]
    assert begins_with_an_opening([*before, opening, asked("tools/call")])


def test_a_session_whose_first_request_is_another_one_began_before():
    assert not begins_with_an_opening([asked("tools/list"), asked("initialize")])


def test_what_the_server_asks_and_what_is_only_noted_opens_nothing():
    from_server = line(2, "s2c", message(id=1, method="initialize"))
    noted = line(3, "c2s", message(method="initialize"))
    assert not begins_with_an_opening([from_server, noted])
    assert not begins_with_an_opening([])


@pytest.mark.parametrize(
    ("first", "evidence", "partial"),
    [
        ("tools/list", COMPLETE, False),
        ("tools/list", PART, True),
        ("initialize", PART, False),
    ],
)
def test_only_a_capture_that_may_be_a_part_can_lack_its_beginning(
    first: str, evidence: Evidence, partial: bool
):
    items = [asked(first), *(line(n, "s2c", b"x") for n in range(4, 4 + 2 * LOOK_AHEAD))]
    found, again = look_ahead(iter(items), evidence)
    assert found is partial
    assert list(again) == items


@pytest.mark.parametrize(
    ("first", "partial"),
    [
        (line(3, "s2c", message(id=1, result={})), True),
        (line(3, "c2s", message(method="notifications/initialized")), True),
        (line(3, "s2c", message(method="notifications/message")), False),
        (asked("tools/list"), False),
    ],
)
def test_what_can_only_follow_shows_that_a_capture_is_not_whole_though_it_was_taken_to_be(
    first: Item, partial: bool
):
    capture = Evidence(origin="a recording of another tool")
    assert look_ahead(iter([event(2, "spawn"), first]), capture)[0] is partial
    assert not look_ahead(iter([first]), COMPLETE)[0]


def test_a_request_that_opens_nothing_is_the_beginning_only_where_the_process_is_seen_to_start():
    without_process = Evidence(origin="a recording of another tool", process=False)
    assert look_ahead(iter([asked("tools/list")]), without_process)[0]
    assert not look_ahead(iter([asked("initialize")]), without_process)[0]
