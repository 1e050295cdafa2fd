import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.agent.excerpt import at_pointer, excerpt, kinds_of
from mcptap.jsontext.tree import parse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=80), inner, max_size=30),
    max_leaves=60,
)


def tree(value):
    return parse(json.dumps(value))


@given(VALUES, st.integers(100, 3_000))
def test_a_cut_value_is_json_and_a_small_one_is_whole(value, most):
    cut = excerpt(tree(value), "", most)
    shown = json.loads(cut.text)
    if len(json.dumps(value, ensure_ascii=False, indent=1)) < 100 and "✂" not in str(value):
        assert shown == value


def test_a_large_value_fits_and_says_how_to_read_on():
    value = {
        "result": {
            "content": [{"type": "text", "text": "x" * 9_000}] * 500,
            "more": {"deep": [[[1] * 99] * 99]},
        }
    }
    cut = excerpt(tree(value), "", 1_000)
    assert len(cut.text) <= 1_000
    for pointer in re.findall(r"path=(\S+?)(?: offset=\d+)?\"", cut.text):
        at_pointer(tree(value), pointer)
    assert "offset=" in cut.text


def test_a_text_is_read_piece_by_piece():
    text = "".join(map(str, range(1_000)))
    got, offset = "", 0
    while offset is not None:
        cut = excerpt(text, "/x", 500, offset)
        got += json.loads(cut.text)
        offset = cut.next_offset
    assert got == text


def test_a_list_is_read_page_by_page():
    value = tree([f"item {n} {'x' * 50}" for n in range(100)])
    seen, offset = [], 0
    while offset is not None:
        cut = excerpt(value, "", 900, offset)
        seen += [item for item in json.loads(cut.text) if item.startswith("item")]
        offset = cut.next_offset
    assert [item.split()[1] for item in seen] == [str(n) for n in range(100)]


def test_pointers_are_those_of_rfc_6901():
    value = tree({"a/b": {"m~n": [1, {"": 2}]}})
    assert at_pointer(value, "/a~1b/m~0n/1/") == "2"
    for wrong in ("a", "/a", "/a~1b/m~0n/7", "/a~1b/m~0n/x", "/a~1b/m~0n/0/x"):
        with pytest.raises(KeyError):
            at_pointer(value, wrong)
    assert kinds_of(value) == 'an object of 1 members: "a/b"'


def test_a_deep_value_does_not_recurse_without_end():
    cut = excerpt(tree([[[[1]]]]), "", 100)
    assert json.loads(cut.text) == [[[[1]]]]
    deep = parse("[" * 900 + "]" * 900)
    assert "✂" in excerpt(deep, "", 200).text
