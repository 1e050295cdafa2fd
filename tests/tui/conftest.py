"""What the tests of the screen share."""

import os

import pytest

from tests.helpers import (
    END,
    call,
    error,
    handshake,
    record,
    request,
    result,
    text_result,
)
from tests.tui.weather import TOOLS


@pytest.fixture(autouse=True)
def no_clipboard(monkeypatch):
    """What is copied in tests must not land on the clipboard of whoever runs them."""
    for name in ("WAYLAND_DISPLAY", "DISPLAY", "TMUX"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def path(tmp_path):
    """A session whose server prints a line between messages, and leaves a call without an answer."""
    steps = [
        *handshake(),
        ("c2s", request(1, "tools/list")),
        ("s2c", result(1, TOOLS)),
        ("c2s", call(2, "forecast", {"city": "Zürich", "token": "s3cret-s3cret"})),
        ("s2c", b"\x1b[31mLoading model\x1b[0m\n"),
        ("wait", 40_000),
        ("s2c", text_result(2, "first line\nsecond 漢字 🙂 line")),
        ("stderr", b"careful\n"),
        ("c2s", call(3, "forecast", {"city": "Ulm"})),
        ("s2c", error(3, -32602, "Invalid params")),
        ("c2s", call(4, "forecast", {"city": "Bern"})),
        ("wait", 3_000_000),
        *END,
    ]
    return os.fspath(record(tmp_path / "weather.jsonl", steps))
