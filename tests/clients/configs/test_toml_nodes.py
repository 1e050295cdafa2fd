"""TOML with places: every value is where it is said to be, and is what tomllib says it is."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.clients.configs.document import read_document
from mcptap.clients.configs.nodes import Kind, Node, UnreadableDocument, at
from mcptap.clients.configs.toml_nodes import MOST_BYTES
from mcptap.clients.configuration import Syntax

ODD = """\ufeff# é
a.b."c d".e = 1
a.b.f = [1, [2, 'x#]'], \"\"\"m"y
\"\"\", {q = 1, r.s = "é\\u00e9"}, # c
]
t = 1979-05-27 07:32:00
u = 1979-05-27T07:32:00Z # x
n = nan
[[p]]
x = 1
[p.q]
y = '''raw'''
[[p]]
x = 2
[ aa . z ]
k = 1_000
[aa]
w = 0xff
["é"]
"""


def root_of(text: str) -> tuple[bytes, Node]:
    data = text.encode()
    root = read_document(data, Syntax.TOML).root
    assert root is not None
    return data, root


def scalars(node: Node) -> list[Node]:
    inner = [found for member in node.members for found in scalars(member.value)]
    inner += [found for item in node.items for found in scalars(item)]
    return inner if node.kind in (Kind.OBJECT, Kind.ARRAY) else [node]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_way_to_spell_keys_and_values_is_placed(ending):
    data, root = root_of(ODD.replace("\n", ending))
    read = root.value
    assert (read["t"], read["p"]) == ("1979-05-27 07:32:00", [{"x": 1, "q": {"y": "raw"}}, {"x": 2}])
    assert read["a"] == {"b": {"c d": {"e": 1}, "f": [1, [2, "x#]"], 'm"y\n', {"q": 1, "r": {"s": "éé"}}]}}
    inner = at(root, "a", "b", "f", 3, "r", "s")
    assert data[inner.start : inner.end] == '"é\\u00e9"'.encode()
    assert len(scalars(root)) == 15
    for node in scalars(root):
        token = data[node.start : node.end].decode()
        assert str(tomllib.loads(f"v = {token}")["v"]) == str(node.value)


def test_a_key_with_dots_is_the_whole_of_it_and_a_table_begins_at_its_header():
    data, root = root_of(
        'x = 1\n[s.one] # c\ncommand = "a"\n\n[s]\ntwo.command = "b"\nthree = {command = "c"}\n'
    )
    servers = at(root, "s")
    one, two, three = servers.members
    assert data[one.value.start : one.value.end] == b'[s.one] # c\ncommand = "a"'
    assert two.value.start == -1
    inner = two.value.members[0]
    assert data[inner.key_start : inner.key_end] == b"two.command"
    assert data[three.value.start : three.value.end] == b'{command = "c"}'
    keys = [data[one.key_start : one.key_end] for one in servers.members]
    assert keys == [b"one", b"two.command", b"three"]


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)
TABLES = st.dictionaries(TEXT, st.dictionaries(TEXT, VALUES, max_size=3), max_size=3)


def word(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@settings(max_examples=40, deadline=None)
@given(TABLES, st.booleans(), st.sampled_from(("\n", "\r\n")))
def test_what_was_written_is_read_and_placed(tables, inline, ending):
    lines = []
    for name, table in tables.items():
        pairs = [f"{word(key)} = {word(value)}" for key, value in table.items()]
        if inline:
            lines.append(f"{word(name)} = {{{', '.join(pairs)}}} # é")
        else:
            lines += [f"[{word(name)}] # é", *pairs]
    document = read_document(ending.join(lines).encode(), Syntax.TOML)
    assert (document.root.value if document.root else {}) == tables
    for node in scalars(document.root) if document.root else []:
        assert tomllib.loads(f"v = {document.data[node.start : node.end].decode()}")["v"] == node.value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = ", "it is no TOML: invalid value"),
        ("x = 1\n[a", "it is no TOML: expected ']' at the end of a table declaration"),
        ("a = 1\na = 2", "it is no TOML: cannot overwrite a value"),
        ("a = [\n1 2]", "it is no TOML: unclosed array (line 2, column 3)"),
        ("a = " + "[" * 100_000, "its values nest too deep"),
        ("#" * (MOST_BYTES + 1), "it is TOML of more than 1.0 MB, too large for a configuration"),
    ],
)
def test_what_is_no_toml_is_refused(text, words):
    with pytest.raises(UnreadableDocument) as caught:
        read_document(text.encode(), Syntax.TOML)
    assert str(caught.value).startswith(words)


def test_a_file_with_comments_alone_has_no_root():
    assert read_document(b"# nothing\n", Syntax.TOML).root is None
