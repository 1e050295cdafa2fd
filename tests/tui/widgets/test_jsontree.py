import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.tree import Object, dumps, parse
from mcptap.tui.widgets.jsontree import JsonTree

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


def text_of(tree, columns=80):
    return ["".join(text for text, _ in line.pieces) for line in tree.lines(columns)]


def test_numbers_and_repeated_keys_stay_as_they_are():
    tree = JsonTree(parse(b'{"a":1.0e2,"a":12345678901234567890}'))
    assert text_of(tree) == ["{", '  "a": 1.0e2,', '  "a": 12345678901234567890', "}"]


@given(JSON)
def test_any_json_can_be_shown_and_written_again(value):
    data = json.dumps(value).encode()
    tree = JsonTree(parse(data))
    assert text_of(tree)
    assert json.loads(dumps(tree.value)) == value
    assert json.loads(dumps(tree.value, 2)) == value


def test_a_folded_object_says_what_is_in_it():
    tree = JsonTree(parse(b'{"a":{"b":1,"c":2},"d":[1]}'))
    tree.toggle((0,))
    assert text_of(tree)[1] == '  "a": {▸ 2 keys },'
    tree.toggle((0,))
    assert '    "b": 1,' in text_of(tree)


def test_folding_everything_leaves_the_first_level():
    tree = JsonTree(parse(b'{"a":{"b":1},"c":[1,2]}'))
    tree.fold_all(True)
    assert text_of(tree) == ["{", '  "a": {▸ 1 key },', '  "c": [▸ 2 items ]', "}"]


def test_a_long_list_is_cut_and_can_be_shown_in_full():
    tree = JsonTree(parse(json.dumps(list(range(1000))).encode()))
    lines = list(tree.lines(80))
    rest = next(line for line in lines if line.act is not None and "more" in line.pieces[0][0])
    assert "950 more" in rest.pieces[0][0]
    rest.act()
    rest = next(line for line in tree.lines(80) if line.act is not None and "more" in line.pieces[0][0])
    rest.act()
    assert len(text_of(tree)) == 1002


def test_a_long_text_is_cut_and_can_be_shown_in_full():
    tree = JsonTree(parse(json.dumps("x" * 50_000).encode()))
    rest = next(line for line in tree.lines(80) if line.act is not None)
    assert "48,000 more characters" in rest.pieces[0][0]
    rest.act()
    assert sum(line.count("x") for line in text_of(tree)) == 20_000


def test_a_text_of_several_lines_is_shown_in_lines():
    lines = text_of(JsonTree(parse(b'{"t":"one\\ntwo"}')))
    assert [line.strip(" │") for line in lines] == ["{", '"t": "↵', "one", "two", '"', "}"]


def test_control_characters_in_keys_and_values_are_harmless():
    assert "\x1b" not in "".join(text_of(JsonTree(parse(b'{"\\u001b[2J":"\\u001b]0;x\\u0007"}'))))


def test_lines_fit_into_the_columns():
    tree = JsonTree(parse(json.dumps({"key": "word " * 400, "emoji": "🙂" * 90}).encode()))
    assert all(len(line) <= 60 for line in text_of(tree, 60))


def test_too_deep_a_nesting_is_refused():
    with pytest.raises(ValueError, match="deep"):
        parse(b"[" * 100_000 + b"]" * 100_000)


def test_what_is_no_json_is_refused():
    with pytest.raises(ValueError, match="Expecting"):
        parse(b"{nope")


def test_an_object_keeps_its_pairs():
    assert parse(b'{"a":1}') == Object([("a", "1")])
