import os
from dataclasses import replace

import pytest

from tests.helpers import END, call, handshake, notification, record, request, text_result
from tests.tui.screens import fed
from tests.tui.session.tabs.pages import tab, text_of, view_of


def test_the_message_stands_above_its_answer(feed):
    text = text_of(tab("message").render(view_of(feed)))
    assert text.index('"city": "Ulm"') < text.index("sunny")


@pytest.fixture
def several(tmp_path):
    """A failed call (5, 6), noise with an escape (7), stderr (8), a part (9), a cancelled call (10, 11),
    and a request whose answer has words before it (12, 13)."""
    steps = [
        *handshake(),
        ("c2s", call(1, "forecast")),
        ("s2c", text_result(1, "no", is_error=True)),
        ("s2c", b"\x1b[2Jnoise\r\n"),
        ("stderr", b"careful\n"),
        ("s2c", b"half a li"),
        ("c2s", call(2, "forecast")),
        ("c2s", notification("notifications/cancelled", {"requestId": 2})),
        ("c2s", request(3, "ping")),
        ("s2c", b'Result: {"jsonrpc":"2.0","id":3,"result":{}}\n'),
        *END,
    ]
    feed = fed(os.fspath(record(tmp_path / "x.jsonl", steps)))
    yield feed
    feed.close()


@pytest.mark.parametrize(
    ("i", "said"),
    [
        (0, ["command", "python weather.py"]),
        (1, ["spawn", "4242"]),
        (5, ["→ tools/call forecast", "the tool failed (isError)", "answer after 1", "record 7"]),
        (6, ["← answer to tools/call forecast", "the request, answered after", "record 6"]),
        (7, ["▒ not a message of the protocol", "ends with CR LF", "␛[2Jnoise"]),
        (8, ["! stderr", "careful"]),
        (9, ["part of a line", "half a li"]),
        (10, ["cancelled by the one who asked", "record  11"]),
        (11, ["→ notifications/cancelled", "the request that it cancels   record 11"]),
        (12, ["→ ping", "answered in record 14, unreadable for clients", "answer after 1", "record 14"]),
        (13, ["▒ unreadable answer to ping", "the request, answered after 1", "record 13"]),
    ],
)
def test_a_record_is_told_by_what_it_is(several, i, said):
    text = text_of(tab("message").render(view_of(several, i)))
    for words in said:
        assert words in text
    assert "\x1b" not in text


def test_the_answer_is_pending_as_long_as_it_has_not_come(feed):
    view = replace(view_of(feed, now=5), other=None)
    text = text_of(tab("message").render(view))
    assert "pending: no answer so far" in text
    assert "sunny" not in text


def test_a_finding_that_was_chosen_takes_the_place_of_the_record(several):
    finding = several.findings.findings[0]
    text = text_of(tab("message").render(view_of(several, 5, finding=finding)))
    assert finding.rule in text
    assert "forecast" not in text.splitlines()[0]


def test_findings_about_the_record_stand_with_it(several):
    text = text_of(tab("message").render(view_of(several, 7)))
    assert "stdout-not-json" in text


def test_a_long_text_is_cut_and_says_where_the_rest_is(tmp_path):
    path = record(tmp_path / "x.jsonl", [*handshake(), ("s2c", b"x" * 30_000 + b"\n"), *END])
    feed = fed(os.fspath(path))
    text = text_of(tab("message").render(view_of(feed, 5)))
    assert "10,000 more bytes: V opens all in the pager" in text
    feed.close()
