"""Lists whose order means nothing, in what a server offers."""

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
