"""JSON by byte offsets: every value is where it is said to be, whatever stands around it."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.clients.configs.document import read_document
from mcptap.clients.configs.nodes import Document, Kind, Node, UnreadableDocument, at
from mcptap.clients.configuration import Syntax

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=12,
)
SPACE = st.text(" \t\r\n", max_size=3)
COMMENTS = st.sampled_from(("", '// a "b" {\n', "/* , ] } * / // */", "/**/", "//\r\n", '/*"*/'))


@st.composite
def spelled(draw, commented: bool = False, values=VALUES) -> str:
    """A JSON text with odd spaces, and with comments and trailing commas."""
    value = draw(values)

    def gap() -> str:
        return draw(SPACE) + (draw(COMMENTS) if commented else "") + draw(SPACE)

    def word(text: str) -> str:
        return json.dumps(text, ensure_ascii=draw(st.booleans()))

    def last() -> str:
        return "," + gap() if commented and draw(st.booleans()) else ""

    def write(one: object) -> str:
        if isinstance(one, dict):
            inner = [f"{gap()}{word(k)}{gap()}:{gap()}{write(v)}{gap()}" for k, v in one.items()]
            return "{" + (",".join(inner) + last() if inner else gap()) + "}"
        if isinstance(one, list):
            return "[" + (",".join(f"{gap()}{write(v)}{gap()}" for v in one) + last() if one else gap()) + "]"
        return word(one) if isinstance(one, str) else json.dumps(one)

    return gap() + write(value) + gap()


def every(node: Node) -> list[Node]:
    """A node and all below it."""
    inner = [item for member in node.members for item in every(member.value)]
    return [node, *inner, *(found for item in node.items for found in every(item))]


def document(data: bytes, syntax: Syntax = Syntax.JSON) -> Document:
    return read_document(data, syntax)


@settings(max_examples=50, deadline=None)
@given(spelled(), st.booleans())
def test_the_bytes_of_each_node_of_strict_json_are_its_value(text, mark):
    data = (b"\xef\xbb\xbf" if mark else b"") + text.encode()
    read = document(data)
    assert read.root is not None
    assert read.root.value == json.loads(text)
    for node in every(read.root):
        assert json.loads(data[node.start : node.end]) == node.value
        for member in node.members:
            assert json.loads(data[member.key_start : member.key_end]) == member.key
    assert read.violations == ()


@settings(max_examples=50, deadline=None)
@given(spelled(commented=True))
def test_comments_and_trailing_commas_move_nothing(text):
    data = text.encode()
    read = document(data, Syntax.JSONC)
    assert read.root is not None
    for node in every(read.root):
        again = document(data[node.start : node.end], Syntax.JSONC)
        assert again.root is not None
        assert again.root.value == node.value
        assert (again.root.start, again.root.end) == (0, node.end - node.start)
    assert read.violations == ()


def test_members_come_in_file_order_and_a_key_that_stands_twice_twice():
    root = document(b'{"b": 1, "a": {"x": 2}, "b": 3}').root
    assert root is not None
    assert [(member.key, member.value.value) for member in root.members] == [
        ("b", 1),
        ("a", {"x": 2}),
        ("b", 3),
    ]
    assert at(root, "b").value == 3
    assert root.value == {"b": 3, "a": {"x": 2}}


def test_what_a_strict_client_does_not_allow_is_told_with_its_place_and_read_all_the_same():
    data = b'{"a": 1, // "one"\n "b": [2,],\n}'
    strict, commented = document(data), document(data, Syntax.JSON_COMMENTS)
    assert [(one.what, strict.position(one.offset)) for one in strict.violations] == [
        ("a comment", (1, 10)),
        ("a comma behind the last value", (2, 9)),
    ]
    assert [one.what for one in commented.violations] == ["a comma behind the last value"]
    assert document(data, Syntax.JSONC).violations == ()
    assert strict.root.value == {"a": 1, "b": [2]}


def test_signs_of_comments_in_strings_are_no_comments():
    read = document(b'{"a": "http://x/*,]*/", "b": ["\\"//", ","]}')
    assert read.root.value == {"a": "http://x/*,]*/", "b": ['"//', ","]}
    assert read.violations == ()


@pytest.mark.parametrize("text", ["", " \r\n\t", "\ufeff", "\ufeff\n"])
def test_a_file_with_nothing_in_it_has_no_root(text):
    assert document(text.encode()).root is None


def test_a_file_with_comments_alone_has_no_root():
    assert document(b"// nothing\n", Syntax.JSONC).root is None


def test_columns_count_characters_and_lines_end_as_they_do_on_windows_too():
    data = '\ufeff{\r\n "é😀": "x"}'.encode()
    read = document(data)
    assert read.position(at(read.root, "é😀").start) == (2, 8)
    assert read.position(read.root.start) == (1, 1)


def test_numbers_keep_their_places_however_long():
    data = b'{"long": ' + b"9" * 6000 + b', "e": 1E+2, "after": "x"}'
    root = document(data).root
    assert at(root, "after").value == "x"
    assert data[at(root, "e").start : at(root, "e").end] == b"1E+2"
    assert at(root, "long").kind is Kind.NUMBER
    assert at(root, "long").value == float("inf")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"a": 1', "it is no JSON: expecting ',' delimiter (line 1, column 8)"),
        (b'{"a" 1}', "it is no JSON: expecting ':' delimiter (line 1, column 6)"),
        (b'{"a": 1} {', "it is no JSON: more behind the first value (line 1, column 10)"),
        (b'{"a": NaN}', "it is no JSON: NaN is not JSON"),
        (b"{'a': 1}", "it is no JSON: expecting property name enclosed in double quotes (line 1, column 2)"),
        (b'{\n"a": "\n"}', "it is no JSON: invalid control character at (line 2, column 7)"),
        (b'{"a": 1 /* never ends', "it is no JSON: expecting ',' delimiter (line 1, column 9)"),
        (b"[" * 100_000, "its values nest too deep"),
    ],
)
@pytest.mark.parametrize("syntax", [Syntax.JSON, Syntax.JSONC])
def test_what_is_no_json_is_refused_with_its_place(data, words, syntax):
    with pytest.raises(UnreadableDocument) as caught:
        document(data, syntax)
    assert str(caught.value) == words


def nested(depth: int) -> bytes:
    return b'{"a": ' + b"[" * depth + b"]" * depth + b"}"


def test_a_value_that_nests_a_hundred_levels_is_read():
    value = document(nested(100)).root.value["a"]
    for _ in range(99):
        (value,) = value
    assert value == []


@pytest.mark.parametrize("depth", [600, 900, 100_000])
def test_a_value_that_nests_deeper_than_calls_go_is_refused(depth):
    with pytest.raises(UnreadableDocument, match="its values nest too deep"):
        print(document(nested(depth)).root.value)


def test_a_value_is_looked_into_only_when_it_is_asked_for():
    # What the parser in C passes over is not made into nodes: a megabyte has two nodes on the way.
    data = json.dumps({"history": list(string.ascii_letters) * 1000, "servers": {"a": {}}}).encode()
    root = document(data).root
    assert [member.key for member in at(root, "servers").members] == ["a"]
    assert root.members[0].value._inner is None
