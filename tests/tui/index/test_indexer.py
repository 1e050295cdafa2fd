import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.tui.index.batch import batch_from_wire
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.indexer import Indexer
from mcptap.tui.index.kinds import Kind
from tests.helpers import END, call, handshake, record, text_result
from tests.tui.screens import indexed


def test_the_indexer_ends_with_the_screen_even_if_that_is_killed(path):
    feed = Feed(os.fspath(path))
    feed.start()
    process = feed._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()  # what the kernel does when the screen's process is killed
    assert process.wait(20) == 0
    feed.close()


def test_a_damaged_record_in_the_middle_is_one_damaged_record(session):
    lines = session.read_bytes().split(b"\n")
    lines[6] = b'{"n":7,"k":"li\xff'
    session.write_bytes(b"\n".join(lines))
    index = indexed(session)
    assert index.kinds[6] == Kind.DAMAGED
    assert index.kinds[7] == Kind.REQUEST
    assert len(index) == index.described == len(lines) - 1


def test_a_cut_end_is_left_out_until_it_is_whole(session):
    data = session.read_bytes()
    session.write_bytes(data[:-20])
    assert len(indexed(session)) == data.count(b"\n") - 1


@settings(max_examples=30, deadline=None)
@given(cuts=st.lists(st.integers(0, 4000), max_size=6))
def test_a_file_that_grows_is_indexed_as_if_at_once(tmp_path_factory, cuts):
    folder = tmp_path_factory.mktemp("growth")
    steps = [*handshake(), ("c2s", call(1, "a")), ("s2c", b"noise\n"), ("s2c", text_result(1, "b")), *END]
    data = record(folder / "whole.jsonl", steps).read_bytes()
    growing = folder / "growing.jsonl"
    growing.write_bytes(b"")
    whole, pieces = [], []
    at_once = Indexer(os.fspath(folder / "whole.jsonl"), whole.append)
    at_once.step()
    at_once.close()
    indexer = Indexer(os.fspath(growing), pieces.append)
    done = 0
    for cut in [*sorted(cuts), len(data)]:
        with open(growing, "ab") as file:
            file.write(data[done : max(done, cut)])
        done = max(done, min(cut, len(data)))
        indexer.step()
    indexer.close()
    assert columns(pieces) == columns(whole)


def columns(reports):
    """What an index holds after these reports."""
    index = RecordIndex()
    for kind, what in reports:
        if kind == "names":
            index.add_names(what)
        elif kind == "batch":
            index.apply(batch_from_wire(what))
    names = [(index.name(m), index.name(t)) for m, t in zip(index.methods, index.tools, strict=True)]
    return list(index.times), index.refs, index.sizes, index.kinds, index.channels, names


@pytest.fixture
def reports():
    return []


@pytest.fixture
def indexer(session, reports):
    indexer = Indexer(os.fspath(session), reports.append)
    yield indexer
    indexer.close()


def kinds_of(reports):
    """All but the findings so far, which come in between where the machine is slow."""
    return [kind for kind, _ in reports if kind != "findings"]


def test_the_places_of_all_records_come_first_and_names_before_their_batch(indexer, reports):
    assert indexer.step()
    assert kinds_of(reports) == ["offsets", "names", "batch"]
    assert not indexer.step()
    assert kinds_of(reports) == ["offsets", "names", "batch"]


def test_a_state_is_reported_when_it_is_another_one(indexer, reports):
    indexer.step()
    reports.clear()
    for _ in range(2):
        indexer.report_status(complete=True, live=True)
    indexer.report_status(complete=True, live=False, trouble="deleted")
    assert [what["trouble"] for _, what in reports] == ["", "deleted"]
    assert all(what["exited"] and what["ended_us"] for _, what in reports)


def test_the_last_judgement_comes_once_the_session_is_over(indexer, reports):
    indexer.step()
    indexer.judge(live=True)
    indexer.judge(live=False)
    indexer.judge(live=False)
    judged = [what for kind, what in reports if kind == "findings"]
    assert [judgement.final for judgement in judged] == [False, True]
    assert "cancelled-then-answered" in {finding.rule for finding in judged[-1].findings}
    assert (judged[-1].client, judged[-1].revision) == ("agent 1.2.3", "2025-11-25")
    assert judged[-1].counts["tools/call"] == 4


def test_of_a_recording_whose_end_is_damaged_it_is_not_said_that_the_tap_was_killed(session, reports):
    *_, end, nothing = session.read_bytes().split(b"\n")
    session.write_bytes(session.read_bytes().replace(end, b'{"n":99,"k":"exit","t":9,"wall":9,"code":"0"}'))
    indexer = Indexer(os.fspath(session), reports.append)
    indexer.step()
    indexer.judge(live=False)
    indexer.close()
    verdict = [what for kind, what in reports if kind == "findings"][-1].verdict
    assert nothing == b""
    assert "killed" not in verdict


def test_a_file_that_is_replaced_ends_the_indexer_with_the_reason(session, tmp_path, reports):
    indexer = Indexer(os.fspath(session), reports.append)
    indexer.step()
    os.replace(record(tmp_path / "other.jsonl", handshake()), session)
    indexer.run()
    indexer.close()
    status = [what for kind, what in reports if kind == "status"]
    assert status[-1]["trouble"] == "replaced"


def test_a_file_that_is_cut_ends_the_indexer_with_the_reason(session, reports):
    indexer = Indexer(os.fspath(session), reports.append)
    indexer.step()
    os.truncate(session, 100)
    indexer.run()
    indexer.close()
    assert [what for kind, what in reports if kind == "status"][-1]["trouble"] == "truncated"


def test_a_header_that_cannot_be_read_is_a_header_all_the_same(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"no header\n")
    assert list(indexed(path).kinds) == [Kind.HEADER]
