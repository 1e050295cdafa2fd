"""Runs of stderr in one row, and every record in exactly one."""

import os
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.tui.index import indexer as indexer_module
from mcptap.tui.index.finder import Finder
from mcptap.tui.index.folding.rowmap import Place
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import Kind
from mcptap.tui.index.searching import backward, chunks, forward, spellings
from tests.helpers import handshake, record
from tests.tui.screens import indexed

LOG = ("stderr", b"log\n")


def index_of(tmp_path, steps):
    return indexed(record(tmp_path / "x.jsonl", [*handshake(), *steps]))


def rows(index):
    return [index.at_row(row) for row in range(index.rows_to(len(index)))]


def test_a_run_of_stderr_is_the_row_of_its_last_line_and_a_few_lines_are_none(tmp_path):
    index = index_of(tmp_path, [LOG, LOG, LOG, ("c2s", b"{}\n"), *[LOG] * 9, ("c2s", b"{}\n")])
    assert rows(index)[4:] == [4, 5, 6, 7, 8, 17, 18]
    assert index.folds.shown_by(17) == range(9, 18) == index.folds.run_of(12)
    assert index.folds.shown_by(6) is None is index.folds.run_of(6)
    assert index.folds.fold(12, folded=False)
    assert rows(index) == list(range(19))
    assert index.folds.shown_by(17) is None
    assert not index.folds.fold(6, folded=True)
    assert index.folds.fold(17, folded=True)
    assert rows(index)[4:] == [4, 5, 6, 7, 8, 17, 18]


def test_lines_whose_newline_came_by_itself_are_a_run_all_the_same(tmp_path):
    index = index_of(tmp_path, [("stderr", b"log"), ("stderr", b"\n")] * 6)
    assert rows(index)[4:] == [4, 16]
    run = index.folds.shown_by(16)
    assert run is not None
    assert len(index.folds.lines_of(run)) == 6


def test_a_line_with_a_finding_keeps_its_row_and_the_run_goes_on_behind_it(tmp_path):
    index = index_of(tmp_path, [LOG] * 12)
    index.folds.keep([9, 9, 2])
    assert rows(index)[4:] == [4, 8, 9, 16]
    assert [index.folds.shown_by(i) for i in (8, 9, 16)] == [range(5, 9), None, range(10, 17)]
    index.folds.keep([16])
    assert rows(index)[4:] == [4, 8, 9, 15, 16]
    index.folds.fold_all(folded=False)
    assert rows(index) == list(range(17))


@pytest.mark.parametrize("is_unfolded", [False, True])
def test_a_run_that_grows_stays_folded_or_unfolded_as_it_was(tmp_path, monkeypatch, is_unfolded):
    monkeypatch.setattr(indexer_module, "FIRST_BATCH", 10)
    monkeypatch.setattr(indexer_module, "BATCH_SIZE", 3)
    apply, unfolded = RecordIndex.apply, []

    def applied(self, batch):
        apply(self, batch)
        if is_unfolded and not unfolded:
            unfolded.append(self.folds.fold(7, folded=False))

    monkeypatch.setattr(RecordIndex, "apply", applied)
    index = index_of(tmp_path, [LOG] * 30)
    assert rows(index)[5:] == (list(range(5, 35)) if is_unfolded else [34])
    index.folds.fold(20, folded=is_unfolded)
    assert rows(index)[5:] == ([34] if is_unfolded else list(range(5, 35)))


def test_what_is_unfolded_altogether_stays_so_and_can_be_folded_again(tmp_path, monkeypatch):
    monkeypatch.setattr(indexer_module, "FIRST_BATCH", 10)
    index = RecordIndex()
    whole = index_of(tmp_path, [LOG] * 30)
    assert len(rows(whole)) == 6
    whole.folds.fold_all(folded=False)
    whole.folds.fold_all(folded=True)
    assert len(rows(whole)) == 6
    assert not index.folds.fold(0, folded=True)


STEPS = st.lists(
    st.sampled_from(
        [
            LOG,
            LOG,
            ("stderr", b"needle\n"),
            ("stderr", b"need"),
            ("stderr", b"\n"),
            ("s2c", b'{"needle":'),
            ("s2c", b'"hay"'),
            ("s2c", b"}\n"),
            ("s2c", b"x" * 40),
            ("c2s", b'{"method":"needle"}\n'),
            ("c2s", b'{"a":"needle'),
            ("c2s", b'"}\n'),
            ("pause", {"why": "?"}),
        ]
    ),
    max_size=60,
)


SOME = st.sets(st.integers(5, 60), max_size=4)


SOME = st.sets(st.integers(5, 60), max_size=4)


@settings(max_examples=60, deadline=None)
@given(STEPS, st.integers(1, 9), SOME, SOME)
def test_each_record_is_in_one_row_unfolding_shows_all_lines_and_search_finds_the_same(
    steps, size, kept, unfolded
):
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("mcptap.recording.writer.LINE_LIMIT", 20)
        patch.setattr(indexer_module, "FIRST_BATCH", size)
        patch.setattr(indexer_module, "BATCH_SIZE", size)
        index = indexed(record(os.path.join(folder, "x.jsonl"), [*handshake(), *steps]))
        index.folds.keep(kept)
        for i in unfolded:
            index.folds.fold(i, folded=False)
        check_rows(index)
        hits = found_both_ways(index)
        index.folds.fold_all(folded=False)
        check_rows(index)
        assert all(index.rowmap.has_row(i) for i in range(len(index)) if index.kinds[i] == Kind.STDERR)
        assert found_both_ways(index) == hits
        index.folds.fold_all(folded=True)
        check_rows(index)
        lines = [i for i in range(len(index)) if index.kinds[i] == Kind.STDERR]
        assert not any(index.rowmap[i] is Place.FOLDED for i in kept if i in lines)


def check_rows(index):
    """Each record is in one row: its own, that of its run, or that of its line."""
    shown = rows(index)
    for i in range(len(index)):
        row = index.lines.row_of(i)
        if index.rowmap[i] is Place.FOLDED:
            own = [y for y in shown if i in (index.folds.shown_by(y) or ())]
            assert len(own) == 1
            assert index.rows_to(i) == shown.index(own[0])
        elif index.rowmap[row] is not Place.FOLDED:
            assert row in shown
            assert index.rowmap.has_row(i) == (row == i)
    for y in shown:
        run = index.folds.shown_by(y)
        assert run is None or not [i for i in run if i != y and i in shown]


def found_both_ways(index):
    wanted = spellings("needle")
    hits = [i for i in forward(index, wanted, 0) if i is not None]
    assert [i for i in backward(index, wanted, len(index) - 1) if i is not None] == hits[::-1]
    assert [i for _, found in chunks(index, wanted, 0) for i in found] == hits
    assert Finder(index).index is index
    return hits
