"""What a command records that plays a client lies where the tap's recordings lie, and says who played."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from mcptap.play.server.launch import Launch
from mcptap.play.server.recording import open_recording
from mcptap.recording.paths import recording_paths
from mcptap.recording.reader import Reader


@pytest.mark.parametrize("target", [None, "folder/", "one.jsonl"])
def test_a_played_run_is_recorded_where_the_tap_would(
    target: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    launch = Launch(["python", "weather.py"])
    recorder, file = open_recording(launch, target, "send", pytest.fail)
    recorder.close()
    assert file.path is not None
    with Reader(file.path) as reader:
        header = reader.header
    places = recording_paths(target, "weather", header.start_wall_us * 1000)
    assert file.path == os.path.abspath(places[0])
    assert (header.parent["pid"], header.parent["name"]) == (os.getpid(), "mcptap send")
    assert header.stdio == dict.fromkeys(("stdin", "stdout", "stderr"), "pipe")


def test_files_in_a_folder_that_was_named_say_whose_they_are() -> None:
    assert recording_paths("x.jsonl", "weather", 0) == ["x.jsonl"]
    (path,) = recording_paths("records/", "weather", 1_795_987_023_103_145_000)
    assert re.fullmatch(r"records/weather-20261129T211703\.103145Z-\d+\.jsonl", path)
