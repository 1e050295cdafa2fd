"""Opening what may be a recording or a capture: from a file, or from standard input."""

import subprocess
import sys
from pathlib import Path

import pytest

from mcptap.captures.evidence import COMPLETE
from mcptap.captures.open import open_source
from mcptap.recording.format.model import RecordingError
from tests.captures.reading import ANSWER, INITIALIZE


def test_a_recording_of_mcptap_knows_everything(tmp_path: Path):
    path = tmp_path / "session.jsonl"
    path.write_text('{"mcptap":1,"n":1,"k":"header","t":0,"wall":0}\n')
    source = open_source(str(path))
    assert source.evidence is COMPLETE
    assert not COMPLETE.unknown
    source.close()


@pytest.mark.parametrize(
    "text", ["", "\n\n", "hello\n", "[]\n", "{}\n", "42\n", '{"name":"x","version":"1"}\n']
)
def test_what_is_no_capture_is_refused_with_a_sentence(tmp_path: Path, text: str):
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(RecordingError, match=str(path)):
        open_source(str(path))


@pytest.mark.parametrize("path", ["no/such/file", "/", "a\0b"])
def test_what_cannot_be_opened_is_one_sentence(path: str):
    with pytest.raises(RecordingError, match="cannot be"):
        open_source(path)


def test_standard_input_is_read_as_a_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "in"
    path.write_text(f"{INITIALIZE}\n{ANSWER}\n")
    with path.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        source = open_source("-")
        assert source.path == "standard input"
        assert [i.channel for i in source.items()] == ["c2s", "s2c"]


def test_a_recording_that_standard_input_was_redirected_from_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "session.jsonl"
    path.write_text('{"mcptap":1,"n":1,"k":"header","t":0,"wall":0}\n')
    with path.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        source = open_source("-")
        assert source.path == "standard input"
        assert list(source.items()) == []
        assert source.header.number == 1


def test_closed_standard_input_is_one_sentence():
    command = [sys.executable, "-m", "mcptap", "check", "-"]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot be opened" in done.stderr


def test_sessions_are_numbered_from_one(tmp_path):
    log = tmp_path / "log.txt"
    log.write_text(f"{INITIALIZE}\n")
    with pytest.raises(RecordingError, match="holds 1 session"):
        open_source(f"{log}#0")
