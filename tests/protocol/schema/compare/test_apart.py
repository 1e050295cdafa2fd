"""Whether forms exclude each other."""

from mcptap.protocol.schema.compare.apart import are_apart


def tagged(value: str) -> dict[str, object]:
    return {"type": "object", "properties": {"kind": {"const": value}}, "required": ["kind"]}


def test_forms_are_apart_by_type_by_values_or_by_a_member():
    assert are_apart([{"type": "string"}, {"type": "integer"}], {})
    assert are_apart([{"enum": ["a"]}, {"enum": ["b"]}], {})
    assert are_apart([tagged("a"), tagged("b"), tagged("c")], {})


def test_forms_that_one_value_may_fit_are_not_apart():
    assert not are_apart([{"type": "string"}, {"minLength": 1}], {})
    assert not are_apart([{"type": "number"}, {"type": "integer"}], {})
    assert not are_apart([tagged("a"), tagged("a")], {})
    assert not are_apart([{"$ref": "#/nowhere"}, {"type": "string"}], {})
