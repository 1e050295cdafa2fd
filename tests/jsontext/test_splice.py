"""Member spans agree with a JSON parser, whatever the spelling."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.splice import member_span

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), VALUES, min_size=1), st.booleans(), st.sampled_from([None, 1]), st.data())
def test_a_span_holds_the_member_s_value_and_nothing_else(message, ascii_only, indent, data):
    name = data.draw(st.sampled_from(sorted(message)))
    line = json.dumps(message, ensure_ascii=ascii_only, indent=indent).encode(errors="surrogatepass")
    span = member_span(line, name)
    if span is None:  # a lone surrogate is no UTF-8
        assert "\\ud" in ascii(message)
        return
    assert json.loads(line[slice(*span)]) == message[name]


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_have_a_span_or_none_and_never_an_error(data):
    assert member_span(data, "id") is None or b"id" in data or b"\\u" in data


def test_of_a_repeated_name_the_last_counts_as_for_parsers():
    line = b'{"id": 1, "id" : 22}'
    assert member_span(line, "id") == (17, 19)


def test_a_path_leads_inward():
    line = '{"é": 1, "params": {"_meta": {"t": "x"}}}'.encode()
    span = member_span(line, "params", "_meta", "t")
    assert span is not None
    assert line[slice(*span)] == b'"x"'
    assert member_span(line, "params", "t") is None
