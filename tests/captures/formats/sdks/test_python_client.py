"""Messages as Python writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.formats.sdks.python_client import parsed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("JSONRPCNotification(method='a', params=None, jsonrpc='2.0')", {"method": "a", "jsonrpc": "2.0"}),
        ("JSONRPCRequest(method='a', params={'b': [1, True, None]}, id='x')",
         {"method": "a", "params": {"b": [1, True, None]}, "id": "x"}),
        ("JSONRPCError(jsonrpc='2.0', id=1, error=ErrorData(code=-32601, message='it\\'s', data=None))",
         {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "it's", "data": None}}),
        ("JSONRPCError(id=None)", {"id": None}),
        ("JSONRPCRequest(method=open('x'))", {"method": {}}),
        ("JSONRPCRequest(method=a.b)", None),
        ("JSONRPCRequest(params={1: 2})", None),
        ("JSONRPCRequest(", None),
        ("[1]", None),
    ],
)  # fmt: skip
def test_a_call_of_literals_is_a_message(text: str, value: object):
    assert parsed(text) == value


def test_what_nests_deep_is_none():
    assert parsed("JSONRPCRequest(a=" + "[" * 500 + "]" * 500 + ")") is None


@given(st.text(max_size=60))
def test_any_text_is_a_message_or_none(text: str):
    assert parsed(f"JSONRPCRequest(a={text})") is None or isinstance(
        parsed(f"JSONRPCRequest(a={text})"), dict
    )
