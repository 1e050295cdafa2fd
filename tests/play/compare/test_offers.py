"""Lists whose order means nothing, in what a server offers."""

from mcptap.jsontext.diff import ADDED, CHANGED, REMOVED
from mcptap.play.compare.offers import DEEPEST, answer_differences, offer_differences


def test_an_order_that_means_nothing_is_no_difference():
    old, new = ({"required": names, "enum": [1, *names]} for names in (["a", "b"], ["b", "a"]))
    assert list(answer_differences(old, new, "tools/list")) == []
    assert list(answer_differences(old, new, "tools/call"))


def test_an_item_of_a_set_is_its_own_step_and_whole_values_keep_their_lists():
    (change,) = offer_differences({"required": ["a"]}, {"required": []}, ("inputSchema",))
    assert (change.path, change.old) == ("inputSchema.required[a]", "a")
    (change,) = offer_differences({}, {"x": {"required": ["a"]}})
    assert change.new == {"required": ["a"]}


def test_a_property_may_be_called_like_a_keyword():
    (change,) = offer_differences(
        {"properties": {"required": {"type": "a"}}}, {"properties": {"required": {}}}
    )
    assert change.path == "properties.required.type"


def test_what_lies_deep_is_compared_as_lists():
    def nested(names):
        value = {"required": names}
        for _ in range(2 * DEEPEST):
            value = {"items": value}
        return value

    assert len(list(offer_differences(nested(["a", "b"]), nested(["b", "a"])))) == 2


def test_of_what_was_found_the_order_counts_of_what_is_offered_it_does_not():
    old = {"result": {"structuredContent": {"hits": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}}}
    new = {"result": {"structuredContent": {"hits": [{"name": "d"}, {"name": "b"}, {"name": "a"}]}}}
    changes = list(answer_differences(old, new, "tools/call"))
    assert [(change.path, change.kind) for change in changes if change.kind != CHANGED] == [
        ("result.structuredContent.hits[c]", REMOVED),
        ("result.structuredContent.hits[d]", ADDED),
    ]
    (order,) = [change for change in changes if change.kind == CHANGED]
    assert (order.path, order.old, order.new) == ("result.structuredContent.hits", ["a", "b"], ["b", "a"])
    tools = [{"name": "a"}, {"name": "b"}]
    assert not list(
        answer_differences({"result": {"tools": tools}}, {"result": {"tools": tools[::-1]}}, "tools/list")
    )
