import os

from mcptap.recording.reader import State
from mcptap.tui.recordings.collection import Collection
from tests.helpers import END, handshake, record


def test_recordings_are_summed_up_then_judged(tmp_path):
    record(tmp_path / "good.jsonl", [*handshake(), *END])
    record(tmp_path / "bad.jsonl", [*handshake(), ("s2c", b"noise\n"), *END])
    (tmp_path / "other.jsonl").write_text("no recording\n")
    collection = Collection([os.fspath(tmp_path)])
    assert not collection.is_loaded
    judged = []
    collection.look(lambda: judged.append([s.problems is not None for s in collection.summaries]))
    assert judged == [[False, False], [True, False], [True, True]]
    assert collection.is_loaded
    assert collection.unreadable == 1
    errors = {os.path.basename(s.path): s.problems["error"] for s in collection.summaries}
    assert errors == {"good.jsonl": 0, "bad.jsonl": 1}


def test_what_did_not_change_is_not_read_again_and_what_was_deleted_goes(tmp_path):
    path = record(tmp_path / "a.jsonl", [*handshake(), *END])
    collection = Collection([os.fspath(tmp_path)])
    collection.look(lambda: None)
    (before,) = collection.summaries
    assert before.state is State.FINISHED
    collection.look(lambda: None)
    assert collection.summaries[0] is before
    path.unlink()
    collection.look(lambda: None)
    assert collection.summaries == []
