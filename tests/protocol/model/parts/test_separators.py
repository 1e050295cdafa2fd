"""Characters that some readers take for the end of a line, and what goes lost by them."""

import pytest

from mcptap.protocol.model.parts.separators import REMEMBERED, SEPARATORS
from tests.helpers import error, notification, request, text_result
from tests.protocol.fed import Fed

REFUSAL = error(None, -32700, "Parse error")


def gives_up(id, reason="Request timed out"):
    return notification("notifications/cancelled", {"requestId": id, "reason": reason})


@pytest.mark.parametrize("raw", SEPARATORS)
def test_each_of_them_is_found_where_it_stands_raw(raw):
    fed = Fed()
    fed.client(b'{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"b' + raw + b'c"}}')
    assert fed.session.separators.first == {"c2s": (2, SEPARATORS[raw])}
    assert fed.session.separators.losses == {}


def test_an_escaped_one_and_other_letters_are_none():
    fed = Fed()
    fed.client(b'{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"b\\u2028c"}}')
    fed.server("ünïcödé 日本語".encode())
    assert fed.session.separators.first == {}


@pytest.mark.parametrize(("reason", "lost"), [("Request timed out", True), ("the user went on", False)])
def test_a_client_that_gives_up_as_timed_out_what_was_answered_lost_it(reason, lost):
    fed = Fed()
    fed.client(request(1, "tools/call", {"name": "t"}))
    fed.server(b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a\xe2\x80\xa8b"}]}}')
    fed.client(gives_up(1, reason))
    losses = fed.session.separators.losses
    assert ([(loss.number, loss.shown_by) for loss in losses.values()] == [(3, 4)]) is lost


def test_an_answer_without_one_went_lost_for_another_reason():
    fed = Fed()
    fed.client(request(1, "tools/call", {"name": "t"}))
    fed.server(text_result(1, "a b"))
    fed.client(gives_up(1))
    assert fed.session.separators.losses == {}


@pytest.mark.parametrize(("refusals", "lost"), [(1, False), (2, True), (3, True)])
def test_two_refusals_of_one_line_show_that_it_was_read_as_two(refusals, lost):
    fed = Fed()
    fed.client(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"b\xe2\x80\xa9c"}}')
    for _ in range(refusals):
        fed.server(REFUSAL)
    assert ("c2s" in fed.session.separators.losses) is lost


def test_refusals_of_a_later_line_say_nothing_about_it():
    fed = Fed()
    fed.client(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"b\xe2\x80\xa9c"}}')
    fed.client(b"not JSON")
    fed.server(REFUSAL)
    fed.server(REFUSAL)
    assert fed.session.separators.losses == {}


def test_only_the_last_lines_are_remembered():
    fed = Fed()
    for n in range(REMEMBERED + 1):
        fed.client(request(n, "tools/call", {"name": "t"}))
        fed.server(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"\xc2\x85"}]}}' % n)
    fed.client(gives_up(0))
    assert fed.session.separators.losses == {}
