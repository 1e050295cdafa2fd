"""What is handed back to a fresh server, and what is left as it was recorded."""

import json

import pytest

from mcptap.play.send.substitution import ValueSubstitution

OLD, NEW = "6f1c2d3e-0000-4abc-8def-001122334455", "11111111-0000-4abc-8def-001122334455"


def carried(line, recorded, fresh):
    """The params of a client's line after the two results were seen."""
    carrier = ValueSubstitution([line])
    carrier.learn(recorded, fresh)
    return json.loads(carrier.apply(json.dumps(line).encode()))["params"]


@pytest.mark.parametrize(
    "name", ["id", "note_id", "noteId", "sessionID", "upload-token", "nextCursor", "handle"]
)
def test_the_value_of_a_member_that_names_something_is_handed_back(name):
    assert carried({"params": {name: "a1"}}, {name: "a1"}, {name: "b2"}) == {name: "b2"}


@pytest.mark.parametrize("name", ["valid", "paid", "grid", "title", "homeState"])
def test_the_value_of_another_member_stays(name):
    assert carried({"params": {name: "a1"}}, {name: "a1"}, {name: "b2"}) == {name: "a1"}


def test_a_uuid_is_handed_back_wherever_it_stands():
    line = {"params": {"uri": f"note://{OLD}/body", "about": OLD}}
    recorded, fresh = ({"content": [{"text": f"made {key} today"}]} for key in (OLD, NEW))
    assert carried(line, recorded, fresh) == {"uri": f"note://{NEW}/body", "about": NEW}


def test_a_number_is_handed_back_only_under_a_name_that_names_something():
    line = {"params": {"taskId": 7, "count": 7}}
    assert carried(line, {"taskId": 7}, {"taskId": 8}) == {"taskId": 8, "count": 7}


def test_what_no_line_hands_back_is_not_learned():
    carrier = ValueSubstitution([{"params": {"name": "x"}}])
    carrier.learn({"id": "a1", "text": f"made {OLD}"}, {"id": "b2", "text": f"made {NEW}"})
    assert carrier.substitutes == {}


def test_a_cursor_that_the_fresh_server_did_not_give_is_missed():
    line = {"params": {"cursor": "old"}}
    carrier = ValueSubstitution([line, {"params": {"cursor": ["old"]}}])
    carrier.learn({"nextCursor": "old"}, {"tools": []})
    assert carrier.needs_missing_value(line)
    assert not carrier.needs_missing_value({"params": {"cursor": ["old"]}})
    carrier.learn({"nextCursor": "old"}, {"nextCursor": "new"})
    assert not carrier.needs_missing_value(line)


def test_an_error_in_place_of_a_result_gives_nothing_to_go_on_with():
    carrier = ValueSubstitution([{"params": {"cursor": "old"}}])
    carrier.learn({"nextCursor": "old"}, None)
    assert carrier.needs_missing_value({"params": {"cursor": "old"}})
