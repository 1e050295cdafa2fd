from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.errors import UserError
from mcptap.recording.library import find, newest_first, recordings
from tests.helpers import START_WALL_US, record


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for recordings in a state directory of the test's own; the temporary one is beside it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(tmp_path / "temp"))
    return tmp_path / "state" / "mcptap" / "recordings"


def test_recordings_are_found_in_the_temporary_folder_as_well(state: Path, tmp_path: Path) -> None:
    from mcptap.recording.paths import default_folders

    first, second = default_folders(
        {"XDG_STATE_HOME": str(tmp_path / "state"), "TMPDIR": str(tmp_path / "temp")}
    )
    assert Path(first) == state
    a = record(Path(first) / "weather" / "20260101T000000.000000Z-1.jsonl", [])
    b = record(Path(second) / "weather" / "20260101T000001.000000Z-2.jsonl", [])
    (state / "weather" / "notes.txt").write_text("no recording")
    assert newest_first() == [str(b), str(a)]
    assert find("latest") == str(b)


def test_a_file_with_a_name_of_its_own_is_ordered_by_its_header(tmp_path: Path) -> None:
    old = record(tmp_path / "zzz.jsonl", [], wall=START_WALL_US - 1)
    new = record(tmp_path / "aaa.jsonl", [], wall=START_WALL_US)
    named = record(tmp_path / "20270101T000000.000000Z-1.jsonl", [])
    (tmp_path / "broken.jsonl").write_text("?")
    assert newest_first([str(tmp_path)]) == [
        str(named),
        str(new),
        str(old),
        str(tmp_path / "broken.jsonl"),
    ]


def test_no_recording_at_all_is_said_with_the_places(state: Path) -> None:
    with pytest.raises(UserError, match=r"there is no recording in .*mcptap run"):
        find("latest")
    assert list(recordings()) == []


def test_a_file_name_stands_for_itself() -> None:
    assert find("some/file.jsonl") == "some/file.jsonl"
