import json

from hypothesis import given
from hypothesis import strategies as st

from mcptap.agent import messages
from mcptap.protocol.revisions import names

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_what_is_encoded_is_read_as_the_same_and_stands_on_one_line(value):
    encoded = messages.encode(value)
    assert json.loads(encoded) == value
    assert b"\n" not in encoded


def test_codes_are_those_of_the_protocol():
    for name in (
        "PARSE_ERROR",
        "INVALID_REQUEST",
        "METHOD_NOT_FOUND",
        "INVALID_PARAMS",
        "UNSUPPORTED_VERSION",
    ):
        assert getattr(messages, name) == getattr(names, name)


def test_an_error_has_data_only_if_there_is_some():
    assert json.loads(messages.error(None, -32600, "no")) == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32600, "message": "no"},
    }
    assert json.loads(messages.error("a", 1, "no", {"x": []}))["error"]["data"] == {"x": []}
