"""Bare JSON-RPC lines: who sent them is taken from their shape, and nothing is guessed."""

import json

from mcptap.recording.format.model import Damaged, Line
from tests.captures.reading import ANSWER, INITIALIZE, LIST, lines, read


def test_bare_lines_take_their_sender_from_the_shape():
    asked = '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}'
    text = "\n".join(
        [
            INITIALIZE,
            ANSWER,
            '{"jsonrpc":"2.0","method":"notifications/initialized"}',
            asked,
            '{"jsonrpc":"2.0","id":1,"result":{"role":"assistant"}}',
            '{"jsonrpc":"2.0","method":"notifications/message","params":{}}',
            LIST,
            '{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}',
        ]
    )
    assert [side for _, side, _ in lines(text)] == ["c2s", "s2c", "c2s", "s2c", "c2s", "s2c", "c2s", "s2c"]


def test_a_bare_line_that_is_no_message_is_blamed_on_nobody():
    source, items = read(f"{INITIALIZE}\nServer ready\n{ANSWER}\n")
    assert [type(i) for i in items] == [Line, Damaged, Line]
    assert not source.evidence.directions
    assert not source.evidence.framing
    assert not source.evidence.whole


def test_bare_messages_may_be_pretty_printed():
    pretty = json.dumps(json.loads(INITIALIZE), indent=2)
    found = lines(f"{pretty}\n{ANSWER}\n")
    assert [number for number, _, _ in found] == [1, pretty.count("\n") + 2]
    assert json.loads(found[0][2]) == json.loads(INITIALIZE)
