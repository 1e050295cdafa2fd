"""What one line is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.model import message as m
from mcptap.protocol.model.ids import OddId
from mcptap.protocol.model.message import classify
from tests.diagnosis.sessions import line


def kind(data: bytes, channel: str = "s2c") -> str:
    return classify(line(1, channel, data)).kind


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', m.REQUEST),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', m.REQUEST),
        (b'{"jsonrpc":"2.0","method":"ping"}', m.NOTIFICATION),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', m.RESPONSE),
        (b'{"jsonrpc":"2.0","id":1,"error":{}}', m.RESPONSE),
        (b'{"jsonrpc":"2.0","id":1}', m.MALFORMED),
        (b'{"jsonrpc":"2.0","id":1,"method":3}', m.MALFORMED),
        (b"{}", m.MALFORMED),
        (b"[]", m.BATCH),
        (b"42", m.SCALAR),
        (b"null", m.SCALAR),
        (b"", m.BLANK),
        (b" \t", m.BLANK),
        (b"Server ready", m.TEXT),
        (b'{"a":NaN}', m.TEXT),
        (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}', m.TEXT),
        (b"\xe9", m.BYTES),
    ],
)
def test_a_line_is_told_by_its_shape(data, wanted):
    assert kind(data) == wanted


def test_stderr_is_never_a_message():
    assert kind(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', "stderr") == m.LOG


@pytest.mark.parametrize(
    ("members", "flaws"),
    [
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, ()),
        ({"id": 1, "result": {}, "jsonrpc": "2.0"}, ()),
        ({"id": 1, "result": {}}, (m.Flaw.BAD_VERSION,)),
        ({"jsonrpc": 2.0, "id": 1, "result": {}}, (m.Flaw.BAD_VERSION,)),
        ({"jsonrpc": "2.0", "id": 1, "result": {}, "took": 3}, (m.Flaw.EXTRA_MEMBER,)),
        ({"jsonrpc": "2.0", "id": 1, "result": {}, "error": None}, (m.Flaw.NULL_MEMBER,)),
        ({"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}}, (m.Flaw.RESULT_AND_ERROR,)),
        ({"jsonrpc": "2.0", "id": None, "error": {}}, (m.Flaw.NO_ID,)),
        ({"jsonrpc": "2.0", "result": {}}, (m.Flaw.NO_ID,)),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, (m.Flaw.NULL_ID,)),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, (m.Flaw.BAD_ID,)),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, (m.Flaw.BAD_ID,)),
        ({"jsonrpc": "2.0", "id": {}, "method": "ping"}, (m.Flaw.BAD_ID,)),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, (m.Flaw.BAD_PARAMS,)),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}, "result": {}}, (m.Flaw.EXTRA_MEMBER,)),
    ],
)
def test_what_is_odd_about_a_message_is_noted(members, flaws):
    assert classify(line(1, "s2c", json.dumps(members).encode())).flaws == flaws


@given(st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans())
def test_an_id_is_kept_as_it_was_written(value):
    data = json.dumps({"jsonrpc": "2.0", "id": value, "method": "ping"}).encode()
    key = classify(line(1, "c2s", data)).id
    if isinstance(value, bool | float):
        assert key == OddId(value)
    else:
        assert key == value
        assert type(key) is type(value)


@given(st.binary(max_size=60), st.sampled_from(["c2s", "s2c", "stderr"]))
def test_any_bytes_are_something(data, channel):
    assert kind(data, channel) in m.Kind
