"""What the first bytes of a message tell."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.tui.index.folding.beginning import Beginning

CONTENT = {"content": [{"type": "text", "text": "one\ntwo"}]}
RESULT = json.dumps({"jsonrpc": "2.0", "id": 3, "result": CONTENT})
CALL = '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x","id":9,"content":"yyyy"}}'


@pytest.mark.parametrize(
    ("text", "method", "identity", "excerpt"),
    [
        (RESULT[:-6], "", "3", "one⏎tw"),
        (CALL[:-8], "tools/call", "a", '{"name":"x","id":9,"content":'),
        ('{"result":{"id":7,"b":"', "", "", '{"id":7,"b":"'),
        ("Loading mod", "", "", "Loading mod"),
        ("", "", "", ""),
        ('{"jsonrpc"', "", "", '{"jsonrpc"'),
    ],
)
def test_method_id_and_content_are_told_as_far_as_they_have_come(text, method, identity, excerpt):
    beginning = Beginning(text.encode())
    assert (beginning.method, beginning.id, beginning.excerpt[: len(excerpt)]) == (method, identity, excerpt)
    assert beginning.is_message == (text[:1] == "{")


@given(st.integers(0, len(CALL)), st.binary(max_size=20))
def test_wherever_it_breaks_off_nothing_is_told_that_the_whole_does_not_say(at, noise):
    beginning = Beginning(CALL[:at].encode())
    assert beginning.method in ("", "tools/call")
    assert beginning.id in ("", "a")
    assert "\x1b" not in Beginning(noise).excerpt
