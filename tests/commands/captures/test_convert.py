"""`mcptap convert` as a user runs it."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from mcptap.commands import main
from mcptap.recording.reader import Reader

INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}'


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    path = tmp_path / "trace.txt"
    path.write_text(f"{INITIALIZE}\n{ANSWER}\n")
    return path


def test_a_capture_becomes_a_recording_that_says_what_it_does_not_know(capture, tmp_path, capsys):
    target = tmp_path / "new.jsonl"
    assert main(["convert", str(capture), "-o", str(target)]) == 0
    with Reader(str(target)) as reader:
        assert "times" in reader.header.capture["unknown"]
        assert len(list(reader.items())) == 2
    if os.name != "nt":
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
    said = capsys.readouterr().err
    assert f"{target}: from bare JSON-RPC lines. It does not tell times" in said
    assert "assumed: who sent a message" in said


def test_standard_output_gets_the_recording_alone(capture, capsys, monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=written, flush=lambda: None))
    assert main(["convert", str(capture), "-o", "-"]) == 0
    kinds = [json.loads(line)["k"] for line in written.getvalue().splitlines()]
    assert kinds == ["header", "line", "line"]


def test_a_file_that_is_there_stays_as_it_is(capture, tmp_path, capsys):
    target = tmp_path / "mine.jsonl"
    target.write_text("precious")
    assert main(["convert", str(capture), "-o", str(target)]) == 2
    assert target.read_text() == "precious"
    assert "is there already" in capsys.readouterr().err


def test_a_folder_gets_a_file_for_each_session_and_none_is_replaced(capture, tmp_path, capsys):
    folder = tmp_path / "out"
    folder.mkdir()
    for _ in range(2):
        assert main(["convert", str(capture), "-o", str(folder)]) == 0
    assert sorted(os.listdir(folder)) == ["trace-1.2.jsonl", "trace-1.jsonl"]


def test_what_is_no_capture_leaves_nothing_behind(tmp_path, capsys):
    odd = tmp_path / "odd.txt"
    odd.write_text("once upon a time\n")
    assert main(["convert", str(odd), "-o", str(tmp_path / "new.jsonl")]) == 2
    assert "is no capture" in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == ["odd.txt"]
