"""Values are those of the parser, but for what nests deep and what is large."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext import bounded
from mcptap.jsontext.bounded import MAX_DEPTH, Omitted, Outline, parse
from tests.jsontext.values import VALUES

ARRAY = ("[", "0", "]")
OBJECT = ('{"a":', "0", "}")


def nested(depth: int, kind: tuple[str, str, str]) -> str:
    begin, inner, end = kind
    return begin * depth + inner + end * depth


def levels(value: Any) -> tuple[int, Any]:
    """How deep a value nests that has one member at each level, and what is innermost."""
    depth = 0
    while isinstance(value, dict | list):
        value = value["a"] if isinstance(value, dict) else value[0]
        depth += 1
    return depth, value


@given(VALUES)
def test_a_value_is_that_of_the_parser(value: Any):
    assert parse(json.dumps(value).encode()) == value


@pytest.mark.parametrize("kind", [ARRAY, OBJECT])
@pytest.mark.parametrize("depth", [1, MAX_DEPTH - 1, MAX_DEPTH])
def test_what_does_not_nest_deep_is_a_value_to_its_last_level(depth: int, kind: tuple[str, str, str]):
    assert levels(parse(nested(depth, kind).encode())) == (depth, 0)


@pytest.mark.parametrize("kind", [ARRAY, OBJECT])
@pytest.mark.parametrize("depth", [300, 990, 1024, 1025, 5000, 100_000])
def test_what_nests_deep_stands_in_the_value_as_its_text(depth: int, kind: tuple[str, str, str]):
    text = nested(depth, kind)
    found, inner = levels(parse(text.encode()))
    assert (found, inner) == (MAX_DEPTH, nested(depth - MAX_DEPTH, kind))


@pytest.mark.parametrize("depth", [300, 1025, 5000])
@pytest.mark.parametrize(
    ("begin", "end"), [("[", "}"), ("[", ""), ("[", "]]"), ("[0 0", "]"), ('["', "]"), ("[NaN", "]")]
)
def test_what_nests_deep_and_is_not_json_is_none(depth: int, begin: str, end: str):
    with pytest.raises(ValueError, match=r"."):
        parse(("[" * depth + begin + end + "]" * depth).encode())


def test_brackets_within_texts_do_not_nest():
    value = {"a": "[" * 5000, "b": ["\\", '"{', 'x"]']}
    assert parse(json.dumps(value).encode()) == value


@given(st.lists(st.sampled_from(["[", "]", '{"a":', "}", "0", ",", '"]"', '"\\"{"', " "]), max_size=40))
def test_pieces_of_json_are_judged_as_by_the_parser(pieces: list[str]):
    text = "".join(pieces)
    deep = "[" * 600 + text + "]" * 600
    try:
        expected = json.loads("[" + text + "]")
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            parse(deep.encode())
    else:
        found, inner = levels(parse(deep.encode()))
        assert (found, json.loads(inner)) == (
            MAX_DEPTH,
            json.loads("[" * 349 + json.dumps(expected) + "]" * 349),
        )


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "MAX_BYTES", 1000)
    monkeypatch.setattr(bounded, "SMALL", 50)
    monkeypatch.setattr(bounded, "BLOCK", 64)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("space", ["", " ", "\n\t "])
@pytest.mark.parametrize("filling", ['"x\\"]}', '{"a":[1,"}"]},', "[[]],", "12.5e3,", "[" * 300])
def test_of_a_large_object_there_is_an_outline(filling: str, space: str):
    if filling.startswith('"'):
        large = filling + "y" * 2000 + '"'
    elif filling.endswith(","):
        large = "[" + filling * 400 + "0]"
    else:
        large = filling + "]" * 300 + " " * 1000
    text = f'{{"id":123456789012345678901,"result":{{"isError":true,"content":{large}}},"jsonrpc":"2.0"}}'
    value = parse((space + text.replace(":", f":{space}").replace("}", f"{space}}}") + space).encode())
    assert isinstance(value, Outline)
    assert (value["jsonrpc"], value["result"]["isError"]) == ("2.0", True)
    content = value["result"]["content"]
    assert isinstance(content, Omitted)
    assert "bytes" in json.loads(json.dumps(content))


@pytest.mark.usefixtures("small")
def test_what_an_outline_leaves_out_is_told_apart_by_its_bytes():
    one, same, other = (parse(f'{{"a":"{"x" * 2000}{end}"}}'.encode()) for end in "zzy")
    assert one == same
    assert one != other


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("cut", [-1, 2, 6, 900])
def test_a_large_object_that_is_cut_is_not_json(cut: int):
    text = f'{{"a":"{"x" * 2000}","b":{{}}}}'.encode()
    with pytest.raises(ValueError, match=r"."):
        parse(text[:cut] if cut < 0 else text[:cut] + text[-3:])


def test_an_object_of_very_many_values_is_large(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bounded, "MAX_VALUES", 100)
    monkeypatch.setattr(bounded, "SMALL", 50)
    assert isinstance(parse(b'{"a":[' + b"0," * 200 + b"0]}"), Outline)
    assert type(parse(b'{"a":"' + b"0," * 200 + b'"}')) is dict
