import json
import os

import pytest

from mcptap.jsontext.diff import ABSENT
from mcptap.recording.format.model import RecordingError
from mcptap.tui.index.kinds import Kind
from mcptap.tui.run.resent import lines_to_send, old_answer, read_resent
from tests.helpers import END, call, error, handshake, record, result, text_result
from tests.tui.run.servers import (
    CALL,
    taped,
)
from tests.tui.screens import fed, indexed


def test_an_edited_line_stands_in_its_place_also_within_the_opening(place):
    feed = fed(taped(place))
    initialize = next(i for i in range(len(feed.index)) if feed.index.kinds[i] == Kind.REQUEST)

    def sent(i):
        return [json.loads(line).get("method", "edited") for line in lines_to_send(feed.index, i, b'{"a":1}')]

    assert sent(CALL) == ["initialize", "notifications/initialized", "edited"]
    assert sent(initialize) == ["edited", "notifications/initialized"]
    feed.close()


PING = b'{"jsonrpc":"2.0","id":7,"method":"ping"}'


def resent(tmp_path, *steps):
    path = record(tmp_path / "new.jsonl", [*handshake(), *steps, *END])
    return read_resent(os.fspath(path), PING + b"\n")


def test_the_answer_is_read_without_its_envelope(tmp_path):
    came = resent(tmp_path, ("c2s", PING + b"\n"), ("wait", 4_000), ("s2c", result(7, {"a": 1})))
    assert came.sent
    assert came.answer == {"result": {"a": 1}}
    assert came.latency_us == 5_000
    assert "exited with status 0" in came.end


def test_of_two_answers_the_first_counts(tmp_path):
    came = resent(tmp_path, ("c2s", PING + b"\n"), ("s2c", error(7, 1, "x")), ("s2c", result(7)))
    assert came.answer == {"error": {"code": 1, "message": "x"}}


def test_an_answer_to_something_else_is_none(tmp_path):
    came = resent(tmp_path, ("s2c", result(7)), ("c2s", PING + b"\n"), ("s2c", result(8)))
    assert came.answer is ABSENT
    assert came.latency_us is None
    assert came.sent


def test_lines_that_are_no_message_are_counted(tmp_path):
    came = resent(tmp_path, ("s2c", b"Loading\n"), ("s2c", b"\n"), ("s2c", b"5\n"))
    assert came.pollution == 2
    assert not came.sent


def test_a_recording_that_is_not_there_is_refused(tmp_path):
    with pytest.raises((OSError, RecordingError)):
        read_resent(os.fspath(tmp_path / "none.jsonl"), PING)


def test_the_recorded_answer_is_found_by_its_request(tmp_path):
    steps = [*handshake(), ("c2s", call(1, "a")), ("wait", 1_000), ("s2c", text_result(1, "x")), *END]
    index = indexed(record(tmp_path / "x.jsonl", [*steps[:-4], ("c2s", call(2, "a")), *END]))
    assert old_answer(index, 5).answer["result"]["content"][0]["text"] == "x"
    assert old_answer(index, 5).latency_us == 2_000
    assert old_answer(index, 7).answer is ABSENT
