"""YAML with places, as YAML 1.2 reads it; what hangs on anchors and aliases is told."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.clients.configs.document import read_document
from mcptap.clients.configs.nodes import Document, Kind, Node, UnreadableDocument, at
from mcptap.clients.configs.yaml_nodes import MOST_BYTES
from mcptap.clients.configuration import Syntax

pytest.importorskip("yaml")

ODD = """\ufeff# é
a:   # comment
    yes: no
    'é 😀': "x\\u00e9"   # quoted
    list:
    - one
    -   - 2
        - 0o17

    empty:
    flow: [1.5, {k: ~}]
    text: |
        two
        lines

last: true
"""


def document(text: str) -> Document:
    return read_document(text.encode(), Syntax.YAML)


def every(node: Node) -> list[Node]:
    inner = [found for member in node.members for found in every(member.value)]
    return [node, *inner, *(found for item in node.items for found in every(item))]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_way_to_spell_values_is_placed(ending):
    read = document(ODD.replace("\n", ending))
    assert read.root.value == {
        "a": {
            "yes": "no",
            "é 😀": "xé",
            "list": ["one", [2, 15]],
            "empty": None,
            "flow": [1.5, {"k": None}],
            "text": "two\nlines\n",
        },
        "last": True,
    }
    bytes_of = {
        tuple(path): read.data[node.start : node.end].decode()
        for path in (("a", "yes"), ("a", "é 😀"), ("a", "list"), ("a", "list", 1), ("a", "flow"), ("last",))
        if (node := at(read.root, *path)) is not None
    }
    assert list(bytes_of.values()) == [
        "no",
        '"x\\u00e9"',
        f"- one{ending}    -   - 2{ending}        - 0o17",
        f"- 2{ending}        - 0o17",
        "[1.5, {k: ~}]",
        "true",
    ]
    keys = [read.data[one.key_start : one.key_end].decode() for one in at(read.root, "a").members]
    assert keys[:3] == ["yes", "'é 😀'", "list"]


def test_a_key_that_stands_twice_stands_twice():
    root = document("a: 1\na: 2\n").root
    assert [member.value.value for member in root.members] == [1, 2]


TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\ufeff\ufffe\uffff")
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=30, deadline=None)
@given(VALUES, st.sampled_from((None, 2)))
def test_json_is_yaml_and_every_value_is_placed(value, indent):
    read = document(json.dumps(value, indent=indent, ensure_ascii=False) + "  # é")
    assert read.root.value == value
    for node in every(read.root):
        assert json.loads(read.data[node.start : node.end]) == node.value


def test_anchors_aliases_and_merge_keys_are_told_by_their_places():
    text = "a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n"
    read = document(text)
    assert [text[offset] for offset in read.references] == ["&", "*", "<", "*"]
    assert document("a: '&x'\nb: \"*\"\nc: 1 # *x").references == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [", "it is no YAML: expected the node content, but found '<stream end>' (line 1, column 5)"),
        ("x: 1\na: b: c", "it is no YAML: mapping values are not allowed here (line 2, column 5)"),
        ("---\na: 1\n---\nb: 2", "it is no YAML: but found another document (line 3, column 1)"),
        ("[" * 400, "its values nest too deep"),
        ("a: \x01", "it is no YAML: unacceptable character #x0001"),
        ("#" * (MOST_BYTES + 1), "it is YAML of more than 262 kB, too large for a configuration"),
        (
            "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)),
            "its aliases stand for more values than any configuration has",
        ),
        ("a: &a [*a]", "its aliases stand for more values than any configuration has"),
    ],
)
def test_what_is_no_yaml_or_would_never_end_is_refused(text, words):
    with pytest.raises(UnreadableDocument) as caught:
        document(text)
    assert str(caught.value).startswith(words)


def test_without_the_package_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(UnreadableDocument, match="pip install PyYAML"):
        document("a: 1")


def test_words_mean_what_yaml_1_2_says():
    kinds = [
        item.kind
        for item in document("[yes, on, 1_000, 012, 1e3, .5, 2026-01-01, ~, 'null', TRUE]").root.items
    ]
    text, number = Kind.STRING, Kind.NUMBER
    assert kinds == [text, text, text, number, number, number, text, Kind.NULL, text, Kind.TRUE]
