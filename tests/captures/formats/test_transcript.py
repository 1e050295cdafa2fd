"""Transcripts with arrows: lines, and remarks that are none."""

import json

import pytest

from mcptap.recording.format.model import Damaged, Line, RecordingError
from tests.captures.reading import ANSWER, INITIALIZE, LIST, lines, read


def test_arrows_tell_the_sender_whatever_stands_before_them():
    text = f"# by hand\n  0.001  --> {INITIALIZE}\n[12:00:01] <-- Server ready\n<-- {ANSWER}\nexit code: 0\n"
    assert lines(text) == [
        (2, "c2s", INITIALIZE.encode()),
        (3, "s2c", b"Server ready"),
        (4, "s2c", ANSWER.encode()),
    ]


def test_a_message_below_its_arrow_is_put_together():
    pretty = json.dumps(json.loads(INITIALIZE), indent=2)
    found = lines(f"--> {pretty}\nsome note\n<-- {ANSWER}\n")
    assert [(side, json.loads(data)["id"]) for _, side, data in found] == [("c2s", 1), ("s2c", 1)]


def test_a_remark_behind_an_arrow_is_no_line():
    found = lines(f"--> {INITIALIZE}\n<-- (no answer)\n<-- … 30 more\n<--\n<-- {ANSWER}\n")
    assert [data for _, _, data in found] == [INITIALIZE.encode(), ANSWER.encode()]


def test_a_shortened_message_is_not_taken_for_a_broken_one():
    _, items = read(f'--> {LIST}\n<-- {{"result":{{"tools":[…]}},"id":2,"jsonrpc":"2.0"}}\n')
    assert [type(i) for i in items] == [Line, Damaged]


def test_a_message_with_a_cut_value_is_left_out():
    _, items = read(
        f'--> {LIST}\n<-- {{"jsonrpc":"2.0","id":2,"result":{{"tools":[{{"name":"get_cur…"}}]}}}}\n'
    )
    assert [type(i) for i in items] == [Line, Damaged]


def test_a_summary_with_arrows_is_refused():
    with pytest.raises(RecordingError, match="no capture"):
        read("--> initialize\n<-- result\n--> tools/list\n")
