"""The screens as pictures, compared with those that somebody looked at.

    MCPTAP_UPDATE_SNAPSHOTS=1 pytest tests/tui/test_snapshots.py

draws them anew; look at the SVG files in `snapshots/` before committing them. A new version of
Textual may draw the same screen in other words: then they are drawn anew as well.
"""

import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Input

from mcptap.captures.summary import summarise
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.tui.app import TapApp
from mcptap.tui.recordings import rows as sessions_view
from mcptap.tui.recordings import screen as sessions
from mcptap.tui.recordings.screen import SessionsScreen
from mcptap.tui.theme.palettes import Depth
from tests.helpers import END, START_WALL_US, call, error, handshake, record, request, result, text_result
from tests.tui.screens import fed, opened, played, settled, shown, typed, until

FOLDER = Path(__file__).parent / "snapshots"
UPDATE = bool(os.environ.get("MCPTAP_UPDATE_SNAPSHOTS"))
TOOLS = {
    "tools": [
        {"name": "forecast", "description": "The weather of a day.", "inputSchema": {"type": "object"}},
        {"name": "history", "description": "The weather of a year.", "inputSchema": {"type": "object"}},
    ]
}


@pytest.fixture(autouse=True)
def _fixed_time_and_terminal(monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.delenv("NO_COLOR", raising=False)
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def path(tmp_path):
    steps = [
        *handshake(),
        ("c2s", request(1, "tools/list")),
        ("s2c", result(1, TOOLS)),
        (
            "c2s",
            call(2, "forecast", {"city": "Zürich", "days": 3, "units": {"temperature": "C", "wind": "km/h"}}),
        ),
        ("s2c", b"\x1b[33mLoading model weights...\x1b[0m done\n"),
        ("wait", 180_000),
        ("s2c", text_result(2, "Tomorrow: sunny ☀\n漢字 and 🙂 are two columns wide")),
        ("stderr", b"WARN retrying upstream (attempt 2)\n"),
        ("c2s", call(3, "forecast", {"city": "Ulm"})),
        ("wait", 1_700_000),
        ("s2c", error(3, -32602, "Invalid params")),
        ("c2s", call(4, "history", {"city": "Bern"})),
        ("s2c", text_result(4, "no such city", is_error=True)),
        ("c2s", call(5, "history", {"city": "Basel"})),
        ("wait", 12_000_000),
        *END,
    ]
    return os.fspath(record(tmp_path / "weather.jsonl", steps))


def with_fixed_words(path):
    """The feed of a recording with findings of our own: the wording of the rules is not what is compared."""
    feed = fed(path)
    findings = [
        Finding(
            "stdout-not-json",
            Level.ERROR,
            9,
            "Line 9 on stdout is not a message.",
            "The client drops it.",
            "Print to stderr.",
            records=[9],
        ),
        Finding("request-slow", Level.WARNING, 12, "forecast took 1.7 s.", records=[12], count=3),
    ]
    feed.findings = replace(feed.findings, findings=findings, verdict="The server prints to stdout.")
    return feed


def compare(pilot, name):
    """Compare the screen with its picture, or draw it anew."""
    svg = re.sub(r"terminal-\d+-", "terminal-", pilot.app.export_screenshot(title="mcptap"))
    # The picture names a font server; the tests need none, and neither does who looks at them.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    file = FOLDER / f"{name}.svg"
    if UPDATE:
        FOLDER.mkdir(exist_ok=True)
        file.write_text(svg)
    assert file.exists(), f"{file} is missing; see the head of this file"
    assert svg == file.read_text(), f"the screen differs from {file}; see the head of this file"


@pytest.mark.parametrize(
    ("name", "size"), [("80x24", (80, 24)), ("120x40", (120, 40)), ("200x50", (200, 50))]
)
def test_session_in_three_sizes(path, name, size):
    async def play():
        async with opened(with_fixed_words(path), size) as (pilot, _):
            compare(pilot, f"session-{name}")

    played(play())


def test_session_in_light(path):
    async def play():
        async with opened(with_fixed_words(path), (120, 40), light=True) as (pilot, _):
            compare(pilot, "session-light")

    played(play())


@pytest.mark.parametrize("light", [False, True], ids=["dark", "light"])
def test_session_with_sixteen_colours(path, light):
    async def play():
        depth = Depth.FEW
        async with opened(with_fixed_words(path), (80, 24), light=light, depth=depth) as (pilot, _):
            compare(pilot, f"session-16-{'light' if light else 'dark'}")

    played(play())


def test_palette(path):
    async def play():
        async with opened(with_fixed_words(path), (80, 24)) as (pilot, _):
            await pilot.press("ctrl+p")
            await until(pilot, lambda: any("go to a record (120)" in line for line in shown(pilot)))
            await settled(pilot)
            pilot.app.screen.query_one(Input).cursor_blink = False
            await settled(pilot)
            compare(pilot, "palette")

    played(play())


def test_message_with_its_answer(path):
    async def play():
        async with opened(with_fixed_words(path), (120, 50)) as (pilot, screen):
            screen.cursor.go_to(7)
            await pilot.press("enter")
            await until(pilot, lambda: screen.pane.loaded is not None and screen.pane.loaded.index == 7)
            await settled(pilot)
            compare(pilot, "message")

    played(play())


@pytest.mark.parametrize("tab", ["bytes", "launch", "capabilities", "statistics", "tools"])
def test_tabs(path, tab):
    async def play():
        async with opened(with_fixed_words(path), (120, 50)) as (pilot, screen):
            screen.cursor.go_to(8)
            screen.action_tab(tab)
            await settled(pilot)
            await until(pilot, lambda: screen.pane.loaded is not None and screen.pane.loaded.index == 8)
            await settled(pilot)
            compare(pilot, f"tab-{tab}")

    played(play())


def test_calls(path):
    async def play():
        async with opened(with_fixed_words(path), (120, 24)) as (pilot, _):
            await pilot.press("c")
            await until(pilot, lambda: not pilot.app.screen.running.is_busy)
            await settled(pilot)
            compare(pilot, "calls")

    played(play())


def test_wrong_filter(path):
    async def play():
        async with opened(with_fixed_words(path), (100, 24)) as (pilot, screen):
            screen.prompt.input.cursor_blink = False
            await pilot.press("f")
            await typed(pilot, "kind:stderr tol:forecast")
            await settled(pilot)
            compare(pilot, "filter-wrong")

    played(play())


def test_playing(path):
    async def play():
        async with opened(with_fixed_words(path), (120, 24)) as (pilot, screen):
            await pilot.press("]")
            screen.play.playback.to_record(8)
            screen.play.show_moment()
            await settled(pilot)
            compare(pilot, "playing")

    played(play())


class FixedJudging:
    """Finds the same in every recording."""

    def __init__(self, judged):
        self._judged = judged

    def __call__(self, path, is_probe):
        return replace(summarise(path), **self._judged)

    def close(self):
        pass


def test_recordings(tmp_path, monkeypatch):
    judged = {"problems": {"error": 1, "warning": 2, "info": 0}, "outcome": "broken"}
    judged |= {"verdict": "The server printed text on stdout.", "remedy": "Print it to stderr."}
    monkeypatch.setattr(sessions, "Judging", lambda: FixedJudging(judged))
    monkeypatch.setattr(sessions_view, "when", lambda us: time.strftime("%H:%M:%S", time.gmtime(us // 10**6)))
    monkeypatch.setattr(
        sessions, "default_folders", lambda _: ["/home/someone/.local/state/mcptap/recordings"]
    )
    for number, (name, steps) in enumerate(
        (
            ("weather", [*handshake(), *END]),
            ("files", [*handshake(client="other"), ("s2c", b"noise\n"), *END]),
            ("search-engine", handshake()),
        )
    ):
        record(tmp_path / f"{name}.jsonl", steps, name=name, wall=START_WALL_US + number * 60_000_000)

    async def play():
        screen = SessionsScreen([os.fspath(tmp_path)])
        async with TapApp(screen).run_test(size=(120, 22)) as pilot:
            await until(pilot, lambda: screen.collection.is_loaded)
            await until(pilot, lambda: all(e.summary.problems is not None for e in screen.list.entries))
            screen.collection.folders = None
            screen.redraw()
            await pilot.pause()
            compare(pilot, "recordings")

    played(play())
