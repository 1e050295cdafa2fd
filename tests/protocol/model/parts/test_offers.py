"""What a server offers is kept whole, and bounded."""

from mcptap.protocol.model.parts.listings import MAX_LISTED
from mcptap.protocol.model.parts.offers import Offers, capability_paths


def test_definitions_are_kept_by_name_the_last_one_counts():
    offers = Offers()
    offers.take_page(
        "tools/list", [{"name": "a", "x": 1}, {"name": "a", "x": 2}, 5, {"x": 1}], 7, {"roots": {}}
    )
    assert offers.items["tools/list"]["a"] == ({"name": "a", "x": 2}, 7)
    assert offers.declared == {"roots"}
    offers.take_opening({"instructions": "x"}, 3)
    assert offers.opening == ({"instructions": "x"}, 3)
    assert offers.count == 2


def test_no_more_names_are_kept_than_are_looked_at():
    offers = Offers()
    offers.take_page("resources/list", [{"uri": f"a:{i}"} for i in range(MAX_LISTED + 5)], 1, None)
    assert len(offers.items["resources/list"]) == MAX_LISTED


def test_what_is_false_or_null_is_not_declared():
    assert capability_paths({"tools": {"listChanged": True, "x": False}, "roots": None}) == {
        "tools",
        "tools.listChanged",
    }
