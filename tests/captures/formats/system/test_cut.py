"""Messages of which only the beginning was kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.formats.system.cut import ends_in_message, members_of


@pytest.mark.parametrize(
    ("begun", "members"),
    [
        (b'{"jsonrpc":"2.0","id":1,"result":{"to', {"jsonrpc": "2.0", "id": 1, "result": {}}),
        (b'{"jsonrpc":"2.0","id":0,"result"', {"jsonrpc": "2.0", "id": 0, "result": {}}),
        (b'{"result":{"a":[1]},"id":"x","js', {"result": {}, "id": "x"}),
        (b'{"id":2,"error":{"code":-1,"message":"}"},"jso', {"id": 2, "error": {"code": -1, "message": "}"}}),
        (b'{"method":"tools/call","id":3,"params":{"na', {"method": "tools/call", "id": 3, "params": {}}),
        (b'{"method":"notifications/x","params":{', {"method": "notifications/x", "params": {}}),
        (b'{"method":"initialize","params":', None),
        (b'{"id":2,"error":{"code":-1,"mess', None),
        (b'{"jsonrpc":"2.0","id":12', None),
        (b'{"jsonrpc":"2.0', None),
        (b"harbour data", None),
        (b"[{", None),
        (b"", None),
    ],
)
def test_what_is_known_of_a_message_is_what_stands_whole_at_its_outer_level(begun: bytes, members: object):
    assert members_of(begun) == members


@given(st.integers(0, 80))
def test_wherever_a_message_is_cut_it_is_not_taken_for_another(at: int):
    whole = {"jsonrpc": "2.0", "id": 7, "result": {"tools": [{"name": 'a}"', "n": 1}]}, "method2": None}
    found = members_of(json.dumps(whole).encode()[:at])
    assert found is None or found in (
        {"jsonrpc": "2.0", "id": 7, "result": {}},
        {"jsonrpc": "2.0", "id": 7, "result": {}, "method2": None},
    )


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (b'reading store... {"jsonrpc":"2.0","id":2,"result":{}}\n', True),
        (b'{"jsonrpc":"2.0","id":2,"result":{}}\n', False),
        (b'"inner":{"jsonrpc":"2.0","id":2,"result":{}}}\n', False),
        (b'text \\"{\\"jsonrpc\\":\\"2.0\\"}"}\n', False),
        (b"harbour data\n", False),
    ],
)
def test_text_in_front_of_a_whole_message_is_glued_to_it_whatever_stood_before(text: bytes, ends: bool):
    assert ends_in_message(text) is ends
