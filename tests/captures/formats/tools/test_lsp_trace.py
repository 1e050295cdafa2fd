"""Traces as editors write them, beside the samples."""

from mcptap.recording.format.lines import OUTLINE
from tests.captures.reading import read


def test_a_failed_answer_has_its_error_and_data():
    text = (
        "[Trace - 9:26:53 AM] Received response 'tools/list - (a-1)' in 3ms. Request failed: no (-32601).\n"
        'Error data: {\n  "x": 1\n}\n'
    )
    _, items = read(text)
    error = {"code": -32601, "message": "no", "data": {"x": 1}}
    assert [item.value for item in items] == [{"jsonrpc": "2.0", "id": "a-1", "error": error}]


def test_an_answer_without_a_result_has_an_empty_one():
    text = "[Trace - 9:26:53 AM] Sending response 'roots/list - (1)'.\nNo result returned.\n"
    _, items = read(text)
    assert [(item.channel, item.value["result"]) for item in items] == [("c2s", {})]


def test_a_message_without_what_it_says_is_an_outline():
    text = "[Trace - 9:26:53 AM] Sending request 'tools/call - (1)'.\n"
    assert [item.known for item in read(text + text)[1]] == [OUTLINE, OUTLINE]
