import os

import pytest

from mcptap.errors import UserError
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.indexer import Indexer
from mcptap.tui.index.kinds import State
from mcptap.tui.index.opening import feed_of, holds_recording
from tests.helpers import END, call, handshake, record

SHOWN = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    b'"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n'
    b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"f"}}\n'
)


def test_a_capture_is_shown_as_a_recording_of_it_that_goes_with_the_screen(tmp_path):
    capture = tmp_path / "log.txt"
    capture.write_bytes(SHOWN)
    feed = feed_of(os.fspath(capture))
    assert feed.name == "log.txt"
    assert feed.path != os.fspath(capture)
    assert os.stat(feed.path).st_mode & 0o777 == 0o600
    indexer = Indexer(feed.path, feed.take)
    indexer.step()
    indexer.report_status(complete=True, live=False)
    indexer.close()
    assert feed.index.described == 3
    assert not feed.status.end_known
    # What the log does not hold may have come all the same.
    assert feed.index.state(2) == State.NONE
    assert not feed.index.open_requests
    feed.close()
    assert not os.path.exists(feed.path)
    assert capture.read_bytes() == SHOWN


def test_a_recording_is_shown_itself(tmp_path):
    path = os.fspath(record(tmp_path / "x.jsonl", [*handshake(), ("c2s", call(1, "f", {})), *END]))
    feed = feed_of(path)
    assert (feed.path, feed.made_of) == (path, "")
    feed.close()
    assert os.path.exists(path)


def test_what_is_neither_is_refused_in_a_sentence_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", os.fspath(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    other = tmp_path / "x"
    other.write_text("hello\n")
    for path in (other, tmp_path / "nowhere", f"{other}#2"):
        with pytest.raises(UserError, match=r"is no capture|cannot be opened"):
            feed_of(os.fspath(path))
    assert list((tmp_path / "temporary").iterdir()) == []
    assert not holds_recording(os.fspath(other))


def test_a_capture_is_read_again_under_the_same_name_and_stays_if_it_can_not_be(tmp_path, monkeypatch):
    monkeypatch.setattr(Feed, "start", lambda feed: None)
    capture = tmp_path / "log.txt"
    capture.write_bytes(SHOWN)
    feed = feed_of(os.fspath(capture))
    feed.preview()
    path, index = feed.path, feed.index
    capture.write_bytes(SHOWN + b'{"jsonrpc":"2.0","id":7,"result":{}}\n')
    feed.restart()
    assert (feed.path, feed.made_of, len(feed.index)) == (path, os.fspath(capture), len(index) + 1)
    capture.write_bytes(b"hello\n")
    with pytest.raises(UserError):
        feed.restart()
    assert feed.index.read(3).endswith(b"\n")
    feed.close()
    assert not os.path.exists(path)
