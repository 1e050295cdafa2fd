"""JSON lines that name the sender of each line."""

import json

import pytest

from mcptap.recording.format.model import RecordingError
from tests.captures.reading import INITIALIZE, lines, read


def test_tagged_lines_keep_their_exact_text():
    text = "\n".join(
        json.dumps({"dir": side, "raw": raw})
        for side, raw in [("s2c", "\ufeffStarting"), ("c2s", INITIALIZE), ("stderr", "loading"), ("s2c", "")]
    )
    assert lines(text) == [
        (1, "s2c", "\ufeffStarting".encode()),
        (2, "c2s", INITIALIZE.encode()),
        (3, "stderr", b"loading"),
        (4, "s2c", b""),
    ]


def test_a_direction_that_depends_on_who_wrote_it_is_refused():
    with pytest.raises(RecordingError, match="does not tell the sender"):
        read(json.dumps({"dir": "out", "raw": INITIALIZE}))


def test_of_a_parsed_and_a_raw_member_the_one_that_is_not_null_is_the_line():
    pairs = [
        {"frame": {"jsonrpc": "2.0", "id": 1, "method": "ping"}, "raw": None},
        {"frame": None, "raw": "Hi"},
    ]
    text = "\n".join(json.dumps({"dir": "c2s", **pair}) for pair in pairs)
    assert [data for _, _, data in lines(text)] == [b'{"jsonrpc":"2.0","id":1,"method":"ping"}', b"Hi"]


def test_a_line_that_the_recorder_could_not_parse_is_its_text():
    text = json.dumps({"dir": "server->client", "msg": {"_raw": "Listening", "_unparsed": True}})
    assert lines(text) == [(1, "s2c", b"Listening")]


@pytest.mark.parametrize("side", ["client->server", "req"])
def test_messages_that_were_taken_apart_are_refused_rather_than_blamed_for_what_they_lack(side):
    with pytest.raises(RecordingError, match="taken apart"):
        read(json.dumps({"ts": 1, "dir": side, "method": "ping", "id": 1}))
