from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.diff import ADDED, CHANGED, REMOVED, Change, differences, spell

scalars = st.none() | st.booleans() | st.integers() | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10
)


def told(old, new):
    return [(change.path, change.kind) for change in differences(old, new)]


@given(values)
def test_a_value_does_not_differ_from_itself(value):
    assert list(differences(value, value)) == []


@given(values, values)
def test_different_values_have_a_difference(old, new):
    same = list(differences(old, new)) == []
    assert same == (list(differences(new, old)) == [])
    if same:
        assert old == new


def test_a_changed_value_is_told_with_its_path():
    (change,) = differences(
        {"result": {"content": [{"text": "a"}]}}, {"result": {"content": [{"text": "b"}]}}
    )
    assert change == Change(("result", "content", "[0]", "text"), CHANGED, "a", "b")
    assert change.path == "result.content[0].text"


def test_members_are_added_and_removed():
    assert told({"a": 1, "b": 2}, {"a": 1, "c": 3}) == [("b", REMOVED), ("c", ADDED)]


def test_a_tool_in_front_leaves_the_others_the_same():
    add, sub = {"name": "add", "description": "x"}, {"name": "sub"}
    assert told([add], [sub, {"name": "add", "description": "y"}]) == [
        ("[add].description", CHANGED),
        ("[sub]", ADDED),
    ]


def test_items_without_names_are_compared_by_place():
    assert told([1, 2], [1, 3, 4]) == [("[1]", CHANGED), ("[2]", ADDED)]


def test_a_text_that_holds_json_is_compared_by_what_it_holds():
    assert told({"text": '{"sum": 3}'}, {"text": '{"sum":4}'}) == [("text.sum", CHANGED)]
    assert told({"text": '{"sum": 3}'}, {"text": '{"sum":3}'}) == [("text", CHANGED)]


def test_true_is_not_one_and_one_is_one_point_zero():
    assert told([True], [1]) == [("[0]", CHANGED)]
    assert told([1], [1.0]) == []


def test_odd_names_are_quoted_in_a_path():
    assert spell(("_meta", "io.modelcontextprotocol/serverInfo", "name")) == (
        '_meta["io.modelcontextprotocol/serverInfo"].name'
    )


def nested(depth, inner):
    for _ in range(depth):
        inner = [inner]
    return inner


def test_what_nests_too_deep_is_one_change_or_none():
    assert told({"a": nested(980, 1)}, {"a": nested(980, 1)}) == []
    assert [kind for _, kind in told({"a": nested(980, 1)}, {"a": nested(980, 2)})] == [CHANGED]
