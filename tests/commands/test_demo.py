"""The newcomer's first minute: the whole demonstration, with real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcptap.recording.format.model import Line
from mcptap.recording.reader import Reader, State


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    """The demonstration's output, and the state directory in which it recorded."""
    state = tmp_path_factory.mktemp("state")
    names = dict.fromkeys(("XDG_STATE_HOME", "LOCALAPPDATA", "HOME"), str(state))
    process = subprocess.run(
        [sys.executable, "-m", "mcptap", "demo"],
        env={**os.environ, **names},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=state,
    )
    return process, state


def test_the_agent_hangs_and_check_says_why(played: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    process, _ = played
    assert process.returncode == 0, process.stderr
    assert process.stderr == ""
    out = process.stdout
    assert "call warnings   No warnings for Oslo." in out
    assert "call forecast   no answer; gave up after" in out
    assert "--> tools/call forecast #5" in out
    assert "GLUED TEXT: fetching forecast for Oslo..." in out
    assert "stdout-glued" in out
    assert "mcptap check latest" in out
    assert out.rstrip().endswith("mcptap replay latest")
    assert all(
        next_step in out for next_step in ("mcptap probe --", "mcptap send latest", "mcptap mock latest")
    )


def test_its_own_words_fit_80_columns(played: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    from mcptap.commands import demo

    text = "\n".join((demo.INTRODUCTION, demo.SILENCE, demo.RECORDED, demo.NEXT))
    assert max(map(len, text.splitlines())) <= 80
    before_check = played[0].stdout.partition("The recording has")[0]
    assert max(map(len, before_check.splitlines())) <= 80


def test_the_session_was_recorded_by_the_real_tap(
    played: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    process, state = played
    [path] = state.rglob("*.jsonl")
    assert str(path)[len(str(state)) :] in process.stdout
    with Reader(str(path)) as reader:
        items = list(reader.items())
        assert reader.header.name == "mcptap-demo"
        assert reader.state() is State.FINISHED
    asked = [item.value for item in items if isinstance(item, Line) and item.channel == "c2s"]
    assert [message["method"] for message in asked] == [
        "initialize",
        "notifications/initialized",
        "tools/list",
        "prompts/list",
        "tools/call",
        "tools/call",
        "notifications/cancelled",
    ]
