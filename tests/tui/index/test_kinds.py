"""What is a message is decided once: the timeline and the filter call any line the same."""

import json

from hypothesis import given
from hypothesis import strategies as st

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.protocol.model.message import Kind as MessageKind
from mcptap.protocol.model.message import classify
from mcptap.query.row import kind_of as filter_kind
from mcptap.tui.index.describer import kind_of
from mcptap.tui.index.filtering import KIND_WORDS
from mcptap.tui.index.rows import line_row
from tests.diagnosis.sessions import line

WORDS = {
    MessageKind.REQUEST: "request",
    MessageKind.NOTIFICATION: "notification",
    MessageKind.RESPONSE: "answer",
    MessageKind.BATCH: "batch",
    MessageKind.LOG: "stderr",
}

scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([1.5, "", "a", "ping"])
values = scalars | st.sampled_from([[], {}, [{"jsonrpc": "2.0"}], {"isError": True}, {"requestId": 1}])
methods = st.sampled_from(["ping", "tools/call", "notifications/cancelled"])
members = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | scalars,
        "id": values,
        "method": methods | values,
        "params": values,
        "result": values,
        "error": values,
    },
)
json_lines = (members | values | st.lists(members, max_size=2)).map(lambda value: json.dumps(value).encode())
no_json = st.sampled_from([b"", b" \t", b"\x0b", b"hello", b"\xff", b"{", b'{"a":NaN}', b"\xef\xbb\xbf{}"])
channels = st.sampled_from(["c2s", "s2c", "stderr"])


@given(st.lists(st.tuples(channels, json_lines | no_json), max_size=12))
def test_any_line_is_the_same_to_timeline_filter_and_rules(sent):
    diagnosis = Diagnosis()
    for number, (channel, data) in enumerate(sent, 2):
        message = diagnosis.feed(line(number, channel, data))
        kind = kind_of(message)
        assert KIND_WORDS[kind] == filter_kind(message) == WORDS.get(message.kind, "pollution")
        assert line_row(message.line, kind).kind is kind
        assert KIND_WORDS[kind_of(classify(message.line))] == KIND_WORDS[kind]
