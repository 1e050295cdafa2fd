"""The search in a thread."""

import os
import queue
import threading

import pytest

from mcptap.tui.index import finder as module
from mcptap.tui.index.finder import Finder
from mcptap.tui.index.folding.rowmap import Place
from tests.helpers import handshake, record
from tests.tui.screens import indexed

PATIENCE_S = 20
NEEDLES = [5, 7, 9]
"""Indices of the records that hold the text."""


@pytest.fixture
def finder(tmp_path):
    lines = [("s2c", b"needle\n" if i in NEEDLES else b"hay\n") for i in range(5, 12)]
    finder = Finder(indexed(os.fspath(record(tmp_path / "x.jsonl", [*handshake(), *lines]))))
    finder.text = "needle"
    return finder


def found(finder, start, direction):
    told = queue.Queue()
    finder.find(start, direction, told.put)
    return told.get(timeout=PATIENCE_S)


@pytest.mark.parametrize(
    ("start", "direction", "hit"),
    [(0, 1, 5), (5, 1, 5), (6, 1, 7), (11, -1, 9), (9, -1, 9), (8, -1, 7)],
)
def test_the_next_hit_is_found_either_way(finder, start, direction, hit):
    assert found(finder, start, direction) == finder.at == hit


@pytest.mark.parametrize(("start", "direction", "hit"), [(10, 1, 5), (3, -1, 9)])
def test_at_the_end_the_search_goes_on_round_the_other(finder, start, direction, hit):
    assert found(finder, start, direction) == hit


@pytest.mark.parametrize("direction", [1, -1])
def test_a_text_that_is_nowhere_is_told_of(finder, direction):
    finder.text = "thimble"
    assert found(finder, 6, direction) is None


def test_a_part_that_has_no_row_is_no_hit(tmp_path):
    ping = b'{"jsonrpc":"2.0","id":0,"result":{}}'
    steps = [*handshake(), ("s2c", ping), ("s2c", b"\n")]
    finder = Finder(indexed(os.fspath(record(tmp_path / "x.jsonl", steps))))
    assert finder.index.rowmap[5] is Place.HIDDEN
    finder.text = '"id":0,"result":{}'
    assert found(finder, 5, 1) == 6


def test_a_search_that_was_cancelled_tells_nothing(finder, monkeypatch):
    go_on, told = threading.Event(), []

    def held(index, wanted, first):
        go_on.wait(PATIENCE_S)
        yield 5

    monkeypatch.setattr(module, "forward", held)
    finder.find(0, 1, told.append)
    assert finder.is_running
    finder.cancel()
    go_on.set()
    for thread in threading.enumerate():
        if thread.name == "finder":
            thread.join(PATIENCE_S)
    assert not finder.is_running
    assert told == []
