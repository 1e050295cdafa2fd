"""A run of three servers: one is well, one prints on its stdout, one leaves a call without an answer."""

import pytest

from mcptap.tui.runs import member
from tests.helpers import END, START_WALL_US, call, handshake, record, text_result
from tests.tui.screens import InProcessFeed

PARENT = {"pid": 7, "name": "agent"}
GOOD = [*handshake(), ("c2s", call(1, "read")), ("s2c", text_result(1, "fine")), ("wait", 60_000), *END]
NOISY = [*handshake(), ("s2c", b"noise\n"), ("wait", 60_000), *END]
HANGING = [*handshake(), ("c2s", call(1, "forecast")), ("wait", 5_000_000), *END]


def start(folder, name, steps, at_us=0):
    return record(folder / f"{name}.jsonl", steps, name=name, wall=START_WALL_US + at_us, parent=PARENT)


@pytest.fixture
def run_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(member, "feed_of", InProcessFeed)
    start(tmp_path, "files", GOOD)
    start(tmp_path, "search", NOISY, 1_000)
    start(tmp_path, "weather", HANGING, 2_000)
    return tmp_path
