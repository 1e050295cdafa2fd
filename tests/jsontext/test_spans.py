import json

from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.spans import SAME, change_values, rename_members, spans

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def at(value, path):
    for step in path:
        value = value[step]
    return value


@given(values, st.sampled_from([None, 1]))
def test_every_span_is_the_text_of_its_value(value, indent):
    text = json.dumps(value, indent=indent)
    seen = list(spans(text))
    for span in seen:
        assert json.loads(text[span.start : span.end]) == at(value, span.path)
        if span.name_start >= 0:
            assert text[span.name_start : span.start].startswith(json.dumps(span.path[-1]))
    assert seen[-1].path == ()


@given(values)
def test_changing_nothing_keeps_every_byte(value):
    data = json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")
    assert change_values(data, lambda path, value: SAME) == data


@given(st.binary())
def test_bytes_that_are_no_json_stay_as_they_are(data):
    assert change_values(data, lambda path, value: SAME) == data


def test_one_value_is_changed_and_spelling_around_it_kept():
    data = b'{ "a" : 1.0e2, "params":{"cursor":"old\\u0041", "x":[ ]} }'
    changed = change_values(data, lambda path, value: "new" if path == ("params", "cursor") else SAME)
    assert changed == b'{ "a" : 1.0e2, "params":{"cursor":"new", "x":[ ]} }'


def test_only_members_of_the_named_object_get_new_names():
    data = b'{"k":1,"params":{"k":2,"inputResponses":{"k":{"k":3}, "other":4}}}'
    renamed = rename_members(data, ("params", "inputResponses"), {"k": "fresh"})
    assert renamed == b'{"k":1,"params":{"k":2,"inputResponses":{"fresh":{"k":3}, "other":4}}}'
