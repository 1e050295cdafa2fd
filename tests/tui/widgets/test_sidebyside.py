"""Two JSON values side by side."""

import json

from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.diff import ABSENT, ADDED, CHANGED, REMOVED, differences
from mcptap.text.columns import text_width
from mcptap.tui.widgets.sidebyside import MAX_ROWS, Row, changes, rows, wrapped

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def marked(old, new):
    return [row for row in rows(old, new) if row.kind]


def test_equal_values_have_no_mark_and_stand_in_both_columns():
    value = {"a": [1, {"b": None}], "c": "text"}
    made = rows(value, dict(value))
    assert not any(row.kind for row in made)
    assert all(row.left == row.right for row in made)
    assert [row.left for row in made][:3] == ["{", '  "a": [', "    1"]


def test_a_changed_an_added_and_a_removed_member_are_marked_with_their_paths():
    old = {"same": 1, "changed": "x", "gone": True}
    new = {"same": 1, "changed": "y", "fresh": [1]}
    assert marked(old, new) == [
        Row('  "changed": "x"', '  "changed": "y"', CHANGED, "changed"),
        Row('  "gone": true', None, REMOVED, "gone"),
        Row(None, '  "fresh": [', ADDED, "fresh"),
        Row(None, "    1", ADDED, "fresh"),
        Row(None, "  ]", ADDED, "fresh"),
    ]
    assert len(changes(rows(old, new))) == 3


def test_a_tool_put_in_front_leaves_the_others_unmarked():
    old = {"tools": [{"name": "a"}, {"name": "b"}]}
    new = {"tools": [{"name": "z"}, {"name": "a"}, {"name": "b"}]}
    assert {row.path for row in marked(old, new)} == {"tools[z]"}


def test_texts_of_several_lines_are_aligned_by_their_lines():
    found = marked({"t": "one\ntwo\nthree"}, {"t": "one\nthree"})
    assert [(row.left, row.right) for row in found] == [("    │ two", None)]


def test_the_difference_of_two_long_texts_is_in_sight():
    (row,) = marked("a" * 5000 + "old", "a" * 5000 + "new")
    assert row.left is not None
    assert row.left.startswith('"…')
    assert row.left.endswith('old"')
    assert len(row.left) < 100


def test_a_value_of_another_type_is_one_difference():
    assert len(changes(rows({"a": {"b": 1, "c": 2}}, {"a": "text"}))) == 1


def test_a_value_beside_nothing_is_wholly_new():
    assert {row.kind for row in rows(ABSENT, {"a": 1})} == {ADDED}


def test_huge_values_are_cut():
    made = rows(list(range(3 * MAX_ROWS)), [])
    assert len(made) == MAX_ROWS + 1
    assert "cut" in str(made[-1].left)


def test_values_nested_as_deep_as_a_parser_allows_are_set_out():
    deep = json.loads("[" * 900 + "]" * 900)
    assert not any(row.kind for row in rows(deep, deep))


def test_what_would_drive_a_terminal_is_made_visible():
    (row,) = rows("\x1b[31m\u202e", "\x1b[31m\u202e")
    assert row.left is not None
    assert "\x1b" not in row.left
    assert "\u202e" not in row.left


@given(JSON, JSON)
def test_rows_are_marked_exactly_if_the_values_differ(old, new):
    differ = any(True for _ in differences({"v": old}, {"v": new}))
    assert bool(changes(rows({"v": old}, {"v": new}))) == differ


@given(JSON, JSON, st.integers(12, 60))
def test_wrapped_rows_fit_their_columns(old, new, columns):
    for row in rows(old, new):
        for line in wrapped(row, columns):
            assert text_width(line.left or "") <= columns
            assert text_width(line.right or "") <= columns
