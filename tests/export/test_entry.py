"""A record as it is shown."""

from __future__ import annotations

from mcptap.captures.evidence import COMPLETE
from mcptap.export.entry import MOST_MASKED, entry_of, gist_of, left_out_words
from mcptap.masking.masker import Masker
from mcptap.protocol.model.session import Session
from mcptap.recording.format.model import Damaged, Event, Line


def line(data: bytes, channel: str = "s2c", number: int = 5) -> Line:
    return Line(number, channel, data, b"\n", 2_000, 2_000, 0)


def shown(item, most=1_000, masker=None):
    session = Session()
    message = session.feed(item)
    return entry_of(gist_of(item, message, session, COMPLETE), item, masker or Masker(), most)


def test_a_message_is_json_over_lines_and_in_its_line_only_what_it_says():
    entry = shown(line(b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\xe2\x80\xae"}}'))
    assert (entry.head, entry.gist.lane) == ("ping #7", "server")
    assert entry.line == '{"a":"<U+202E>"}'
    assert entry.body.splitlines()[-2:] == ["  }", "}"]
    assert "\\u202e" in entry.body


def test_a_secret_is_masked_in_body_line_and_head():
    entry = shown(line(b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"password":"hunter22"}}'))
    assert "hunter22" not in entry.body + entry.line
    assert "masked:" in entry.body
    assert "masked:" in entry.line


def test_pollution_is_marked_and_kept_as_text():
    entry = shown(line(b"ready\ttoken=abcd1234efgh"))
    assert entry.mark == "NOT JSON:"
    assert entry.gist.is_bad
    assert entry.body.startswith("ready␉token=‹masked:")


def test_what_is_cut_is_counted():
    entry = shown(line(b"x" * 50), most=20)
    assert entry.body == "x" * 20
    assert left_out_words(entry) == "… 30 B more"


def test_of_a_long_line_only_the_beginning_is_masked_and_a_secret_that_is_cut_there_is_known():
    data = b"x " * (MOST_MASKED // 2 - 5) + b"ghp_" + b"A1b2C3d4" * 5
    entry = shown(line(data), most=1 << 20)
    assert "ghp_A" not in entry.body
    assert entry.left_out > 30


def test_events_and_damage_are_shown_in_words():
    event = shown(Event(9, "exit", 5, 0, {"code": 3}))
    assert (event.body, event.gist.lane, event.gist.is_bad) == ("server exited with status 3", "event", True)
    damaged = shown(Damaged(4, b'{"password":"hunter22"', "it is not a JSON object"))
    assert damaged.body.startswith("it is not a JSON object: ")
    assert "hunter22" not in damaged.body


def test_a_line_that_was_diverted_says_so():
    stray = line(b"hello")
    stray.diverted = 5
    assert "DIVERTED TO STDERR" in shown(stray).mark
