"""A probe in a process of its own, and the session that it was made for."""

import os
from pathlib import Path

import pytest

from mcptap.captures.siblings import has_sibling
from mcptap.recording.reader import Reader
from tests.helpers import END, START_WALL_US, handshake, record, request

PROBE = [("c2s", request("server-discover-probe-1", "server/discover")), *END]
PARENT = {"pid": 4000, "name": "agent", "argv": []}


def probe(tmp_path: Path) -> bool:
    path = record(tmp_path / "probe.jsonl", PROBE, session="p")
    with Reader(str(path)) as reader:
        return has_sibling(str(path), reader.header, 10_000)


def test_a_session_that_follows_at_once_is_its_sibling(tmp_path: Path):
    record(tmp_path / "b.jsonl", handshake(), session="s", wall=START_WALL_US + 1_000_000)
    assert probe(tmp_path)


@pytest.mark.parametrize(
    "other",
    [
        {"wall": START_WALL_US + 6_000_000},
        {"wall": START_WALL_US - 1},
        {"wall": START_WALL_US + 1, "name": "other"},
        {"wall": START_WALL_US + 1, "parent": {**PARENT, "pid": 4001}},
        {"wall": START_WALL_US + 1, "session": "p"},
    ],
)
def test_another_session_is_not(tmp_path: Path, other):
    record(tmp_path / "b.jsonl", handshake(), **{"session": "s", **other})
    (tmp_path / "broken.jsonl").write_bytes(b"\xff\n")
    assert not probe(tmp_path)


def test_without_a_known_parent_nothing_is_a_sibling(tmp_path: Path):
    record(tmp_path / "b.jsonl", handshake(), session="s", wall=START_WALL_US + 1, parent=None)
    path = record(tmp_path / "probe.jsonl", PROBE, session="p", parent=None)
    with Reader(str(path)) as reader:
        assert not has_sibling(str(path), reader.header, 10_000)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes")
def test_a_pipe_beside_a_recording_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "b.jsonl")
    assert not probe(tmp_path)
