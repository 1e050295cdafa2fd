"""A session of one call, for tests of tabs."""

import os

import pytest

from tests.helpers import END, call, handshake, record, text_result
from tests.tui.screens import fed

STEPS = [*handshake(), ("c2s", call(1, "forecast", {"city": "Ulm"})), ("s2c", text_result(1, "sunny")), *END]


@pytest.fixture
def feed(tmp_path):
    feed = fed(os.fspath(record(tmp_path / "x.jsonl", STEPS)))
    yield feed
    feed.close()
