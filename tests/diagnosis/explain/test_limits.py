"""What a recording, or a capture of another tool, can't tell."""

from mcptap.captures.evidence import COMPLETE, Evidence
from mcptap.diagnosis.explain.limits import is_capture, is_cut, limits
from mcptap.protocol.model.session import Session
from mcptap.recording.format.model import Damaged, Header
from tests.diagnosis.sessions import event, line, message

BARE = Evidence(origin="bare lines", times=False, process=False, whole=False)
START_WALL_US = 1_795_987_023_103_145


def session(state: str = "finished") -> Session:
    made = Session(Header({"wall": START_WALL_US}))
    made.feed(line(2, "c2s", message(id=1, method="ping"), 5_250_000))
    made.state = state
    made.close()
    return made


def test_a_recording_that_was_finished_lacks_nothing():
    finished = session()
    finished.feed(event(3, "exit", 6_000_000, code=0))
    assert limits(finished, COMPLETE) == ""
    assert not is_cut(finished, COMPLETE)


def test_of_a_tap_that_was_killed_the_time_is_told():
    assert limits(session("crashed"), COMPLETE) == (
        "The recording ends in the middle: the tap was killed at 2026-11-29 21:17:08 UTC or later, "
        "or this is a copy of a live recording; the last record is 5.25 s after the start."
    )


def test_of_a_recording_without_a_lock_only_the_missing_end_is_known():
    assert limits(session("unknown"), COMPLETE) == (
        "The recording has no end: whether the session went on is not known."
    )


def test_a_live_session_is_not_cut():
    live = Session(None)
    live.state = "live"
    assert not is_cut(live, COMPLETE)
    assert limits(live, COMPLETE) == ""


def test_records_that_are_missing_or_damaged_are_counted_by_the_reason():
    broken = session("crashed")
    for number in (3, 4):
        broken.feed(event(number, "gap", 7_000_000, records=3, why="disk full"))
    broken.feed(Damaged(5, b"x", "it is not a JSON object"))
    assert limits(broken, COMPLETE).endswith(
        " 6 records are missing 7.00 s after the start: disk full. "
        "1 record took no part in this: it is not a JSON object."
    )


def test_a_capture_says_how_many_of_its_lines_were_read():
    assert limits(session("unknown"), BARE, 1204, 3).startswith(
        "Read as bare lines: 1,204 lines, 3 of them passed over. "
    )
    assert limits(session("unknown"), BARE, 1).startswith("Read as bare lines: 1 line. ")


def test_a_capture_says_what_it_is_and_what_it_is_without():
    captured = session("unknown")
    captured.feed(Damaged(3, b"x", "it is no message"))
    assert is_capture(BARE)
    assert not is_capture(Evidence(whole=False))
    assert limits(captured, BARE) == (
        "Read as bare lines. It does not tell times, how it ended and whether it is the whole session; that "
        "was not judged. 1 line took no part in this: it is no message."
    )
