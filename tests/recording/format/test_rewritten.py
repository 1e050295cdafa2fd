"""Recordings that another program rewrote: bytes and value of a record stay one thing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.recording.format.decode import decode_header, decode_record
from mcptap.recording.format.model import NOT_JSON, Damaged, Line

PLAIN = b'{"n":3,"k":"line","t":5,"wall":7,"ch":"c2s","msg":%b}'
MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "ping"}

names = st.sampled_from(["msg", "n", "t", "ch", "a", '"msg":', "}"]) | st.text(max_size=4)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)


def spelled(members: list[tuple[str, Any]], separators: tuple[str, str]) -> bytes:
    """An object with these members, in this order, also if a name stands there twice."""
    between, behind = separators
    pairs = [json.dumps(k) + behind + json.dumps(v, separators=separators) for k, v in members]
    return ("{" + between.join(pairs) + "}").encode()


def line(raw: bytes) -> Line:
    record = decode_record(raw, 3)
    assert isinstance(record, Line)
    return record


@given(
    value=values,
    other=st.lists(st.tuples(st.sampled_from(["msg", "n", "new", "wall"]), values), max_size=2),
    separators=st.sampled_from([(",", ":"), (", ", ": "), (",", " : "), (" ,", ":")]),
    data=st.data(),
)
def test_the_bytes_of_a_line_are_the_value_of_its_record(
    value: Any, other: list[tuple[str, Any]], separators: tuple[str, str], data: st.DataObject
) -> None:
    own = [("n", 3), ("k", "line"), ("t", 5), ("wall", 7), ("ch", "c2s"), ("msg", value), *other]
    raw = spelled(data.draw(st.permutations(own)), separators)
    record = decode_record(raw, 3)
    if isinstance(record, Line):
        assert json.loads(record.data) == json.loads(raw)["msg"]
        assert record.value == json.loads(record.data)
        assert not record.is_exact or raw.endswith(b'"msg":' + record.data + b"}")
    else:
        assert isinstance(record, Damaged)


@pytest.mark.parametrize("value", [MESSAGE, {"msg": {"msg": 1}}, [], 10**40, "\ud800", {"a": '"msg":'}])
@pytest.mark.parametrize("rewrite", ["sorted", "spaced", "first", "not last"])
def test_a_rewritten_message_is_encoded_anew_and_marked(value: Any, rewrite: str) -> None:
    fields = {"n": 3, "k": "line", "t": 5, "wall": 7, "ch": "c2s", "msg": value}
    raw = {
        "sorted": lambda: json.dumps(fields, sort_keys=True, separators=(",", ":")),
        "spaced": lambda: json.dumps(fields),
        "first": lambda: json.dumps({"msg": value, **fields}, separators=(",", ":")),
        "not last": lambda: json.dumps({**fields, "n2": 1}, separators=(",", ":")),
    }[rewrite]()
    found = line(raw.encode())
    assert not found.is_exact
    assert json.loads(found.data) == value
    assert b" " not in found.data.replace(b": 1", b"")


def test_the_last_of_two_messages_counts_as_for_every_reader_of_json() -> None:
    found = line(PLAIN % b'{"id":1},"msg":{"id":2}')
    assert (found.data, found.value, found.is_exact) == (b'{"id":2}', {"id": 2}, False)


def test_a_field_that_stands_twice_does_not_become_part_of_the_message() -> None:
    found = line(PLAIN % b'{"id":1},"n":3,"t":13733')
    assert (found.data, found.t_us, found.is_exact) == (b'{"id":1}', 13733, False)


def test_an_unknown_field_in_front_of_the_message_leaves_its_bytes_exact() -> None:
    raw = b'{"n":3,"k":"line","t":5,"wall":7,"ch":"c2s","new":[1],"msg":{"id": 1.00}}'
    assert (line(raw).data, line(raw).is_exact) == (b'{"id": 1.00}', True)


@pytest.mark.parametrize("data", [b' {"id" : 1.00}\t', b'{"id":1,"id":2}', b'"\\ud800"', b"1e400"])
def test_the_spelling_of_the_wire_is_exact(data: bytes) -> None:
    found = line(PLAIN % data)
    assert (found.data, found.is_exact) == (data, True)
    assert found.value is not NOT_JSON


@pytest.mark.parametrize("depth", [900, 5000])
def test_a_message_that_nests_too_deep_for_a_parser_is_exact(depth: int) -> None:
    data = b'{"[":' * depth + b'"]"' + b"}" * depth
    found = line(PLAIN % data)
    assert (found.data, found.is_exact) == (data, True)


@pytest.mark.parametrize(
    "more",
    [
        b'%b,"msg":%b' % (b"[" * 2000 + b"]" * 2000, b"[" * 2000 + b"]" * 2000),
        b"1e400,\"n\":3",
        b"NaN",
        b"",
        b'{"id":1}}',
        b'1,"text":"1"',
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_damage(more: bytes) -> None:
    assert isinstance(decode_record(PLAIN % more, 3), Damaged)


def test_a_header_with_sorted_names_is_a_header() -> None:
    assert decode_header(b'{"argv":["x"],"k":"header","mcptap":1,"n":1,"name":"weather"}').name == "weather"
