import os

import pytest

from mcptap.tui.index.batch import batch_from_wire
from mcptap.tui.index.folding.rowmap import Place
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.indexer import Indexer
from mcptap.tui.index.kinds import Kind, State
from tests.helpers import END, call, error, handshake, record, request, result
from tests.tui.screens import indexed
from tests.tui.weather import CALL, FAILURE


def states(index, now=None):
    return [index.state(i, now) for i in range(len(index))]


def test_each_record_has_its_kind(session):
    index = indexed(session)
    kinds = [Kind(k).name for k in index.kinds]
    assert kinds[:5] == ["HEADER", "EVENT", "REQUEST", "RESULT", "NOTIFICATION"]
    assert kinds[5:10] == ["REQUEST", "RESULT", "REQUEST", "ERROR", "REQUEST"]
    assert kinds[10:15] == ["NOTIFICATION", "RESULT", "REQUEST", "TOOL_ERROR", "REQUEST"]
    assert kinds[15:] == ["EVENT"] * 4


def test_requests_and_answers_find_each_other(session):
    index = indexed(session)
    assert (index.partner(5), index.partner(6)) == (6, 5)
    assert index.latency(5) == index.latency(6) == 51_000
    assert index.partner(0) is None
    assert index.name(index.tools[6]) == "good"
    assert index.name(index.methods[6]) == "tools/call"


def test_what_became_of_each_request_is_told(session):
    said = states(indexed(session))
    assert said[5] == said[6] == State.ANSWERED
    assert said[7] == said[8] == State.ERROR
    assert (said[9], said[11]) == (State.CANCELLED, State.LATE)
    assert said[12] == said[13] == State.TOOL_ERROR
    assert said[14] == State.UNANSWERED


def test_before_its_answer_a_request_is_pending(session):
    index = indexed(session)
    assert index.state(5, 5) == State.PENDING
    assert index.state(9, 9) == State.PENDING
    assert index.state(14, 14) == State.PENDING
    assert index.state(14, len(index) - 1) == State.UNANSWERED
    assert index.latency(5, 5) is None


def test_requests_pending_at_a_moment_are_counted(session):
    index = indexed(session)
    assert [index.pending_at(i) for i in range(15)] == [0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1]


def test_totals_and_open_requests_are_kept(session):
    index = indexed(session)
    assert (index.errors, index.tool_errors, index.pollution) == (1, 1, 0)
    assert list(index.open_requests) == [14]


def test_an_answer_to_nothing_and_a_second_answer_are_told_apart(tmp_path):
    steps = [
        *handshake(),
        ("s2c", result(77)),
        ("c2s", request(1, "ping")),
        ("s2c", result(1)),
        ("s2c", result(1)),
    ]
    said = states(indexed(record(tmp_path / "x.jsonl", [*steps, *END])))
    assert said[5] == State.UNASKED
    assert (said[6], said[7], said[8]) == (State.ANSWERED, State.ANSWERED, State.REPEATED)


def test_pollution_stderr_and_parts_are_no_messages(tmp_path):
    steps = [
        *handshake(),
        ("s2c", b"Loading\n"),
        ("stderr", b"warn\n"),
        ("s2c", b"\n"),
        ("s2c", b"10%"),
        *END,
    ]
    index = indexed(record(tmp_path / "x.jsonl", steps))
    kinds = [Kind(k) for k in index.kinds[5:9]]
    assert kinds == [Kind.POLLUTION, Kind.STDERR, Kind.BLANK, Kind.PART]


def test_batches_that_do_not_follow_each_other_are_refused(session):
    sent = []
    indexer = Indexer(os.fspath(session), sent.append)
    indexer.step()
    indexer.close()
    batch = batch_from_wire(next(what for kind, what in sent if kind == "batch"))
    index = RecordIndex()
    index.apply(batch)
    with pytest.raises(ValueError, match="expected"):
        index.apply(batch)


def test_a_time_finds_the_last_record_before_it(session):
    index = indexed(session)
    assert index.at_time(0) == 0
    assert index.at_time(index.times[6]) == 6
    assert index.at_time(index.times[6] + 1) == 6
    assert index.at_time(10**12) == len(index) - 1


def test_ten_thousand_pending_requests_are_all_open(tmp_path):
    steps = [("c2s", b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % n for n in range(10_000)))]
    index = indexed(record(tmp_path / "x.jsonl", [*handshake(), *steps]))
    assert len(index.open_requests) == index.pending_at(len(index) - 1) == 10_000


def test_parts_that_a_whole_line_replaces_have_no_row(tmp_path):
    ping = b'{"jsonrpc":"2.0","id":0,"result":{}}'
    steps = [
        *handshake(),
        ("s2c", ping[:9]),
        ("c2s", b"{"),
        ("s2c", ping[9:]),
        ("s2c", b"\n"),
        ("s2c", b"> "),
    ]
    index = indexed(record(tmp_path / "x.jsonl", steps))
    rows = [index.at_row(row) for row in range(index.rows_to(len(index)))]
    assert [i for i in range(len(index)) if index.rowmap[i] is Place.HIDDEN] == [5, 7]
    assert rows == [0, 1, 2, 3, 4, 6, 8, 9]
    assert [index.rows_to(i) for i in rows] == list(range(8))
    assert [Kind(index.kinds[i]) for i in (6, 9)] == [Kind.PART, Kind.PART]


def test_where_the_clients_side_was_not_recorded_no_answer_is_unasked_and_no_request_unanswered(tmp_path):
    steps = [("s2c", result(1)), ("s2c", error(2, -32601, "no")), ("s2c", request(3, "roots/list")), *END]
    index = indexed(record(tmp_path / "x.jsonl", steps, unrecorded=["c2s"]))
    assert states(index)[1:4] == [State.ANSWERED, State.ERROR, State.NONE]
    assert not index.open_requests
    assert index.pending_at(len(index) - 1) == 0


def test_the_totals_of_a_moment_are_those_of_the_records_that_had_come(path):
    index = indexed(path)
    assert index.totals() == (1, 1, 0, 1)
    assert index.totals(CALL) == (0, 0, 0, 1)
    assert index.totals(FAILURE) == (1, 1, 0, 0)
    assert index.totals(len(index) - 1) == index.totals()


def test_where_a_recording_breaks_off_nobody_knows_whether_an_answer_came(tmp_path):
    cut = indexed(record(tmp_path / "x.jsonl", [*handshake(), ("c2s", call(1, "slow"))]))
    assert cut.is_cut
    assert cut.state(len(cut) - 1) == State.PENDING
    ended = indexed(record(tmp_path / "y.jsonl", [*handshake(), ("c2s", call(1, "slow")), *END]))
    assert not ended.is_cut
    assert State.UNANSWERED in {ended.state(i) for i in range(len(ended))}
