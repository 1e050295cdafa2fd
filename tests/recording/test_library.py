from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

from mcptap.errors import UserError
from mcptap.recording.library import beside, find, search
from mcptap.recording.paths import make_private_folder, temporary_folder
from tests.helpers import START_WALL_US, header, record


def quiet(sentence: str) -> None:
    raise AssertionError(sentence)


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
    assert search().paths == [str(b), str(a)]
    assert find("latest", quiet) == str(b)


def test_a_file_with_a_name_of_its_own_is_ordered_by_its_header(tmp_path: Path) -> None:
    old = record(tmp_path / "zzz.jsonl", [], wall=START_WALL_US - 1)
    new = record(tmp_path / "aaa.jsonl", [], wall=START_WALL_US)
    named = record(tmp_path / "20270101T000000.000000Z-1.jsonl", [])
    (tmp_path / "broken.jsonl").write_text("?")
    assert search([str(tmp_path)]).paths == [
        str(named),
        str(new),
        str(old),
        str(tmp_path / "broken.jsonl"),
    ]


def test_no_recording_at_all_is_said_with_the_places(state: Path) -> None:
    with pytest.raises(UserError, match=r"there is no recording in .*mcptap run"):
        find("latest", quiet)
    assert search().paths == []


def test_probes_have_a_row_of_their_own(state: Path) -> None:
    folder = state / "mcptap" / "recordings" / "s"
    kinds: dict[str, dict[str, Any]] = {
        "old probe": {"parent": {"pid": 1, "name": "mcptap probe"}},
        "first": {},
        "second": {},
        "probe": {"probe": "questions"},
    }
    paths = {
        name: str(record(folder / f"20261129T2117{second:02}.000000Z-1.jsonl", [], **fields))
        for second, (name, fields) in enumerate(kinds.items())
    }
    found = [find(target, quiet) for target in ("latest", "latest~1", "latest-probe", "latest-probe~1")]
    assert found == [paths[name] for name in ("second", "first", "probe", "old probe")]
    with pytest.raises(UserError, match=r"no latest~2: .* 2 of them"):
        find("latest~2", quiet)
    for name in ("first", "second"):
        Path(paths[name]).unlink()
    with pytest.raises(UserError, match=r"no recording in .* but 2 of mcptap probe \(latest-probe\)"):
        find("latest", quiet)
    for name in ("probe", "old probe"):
        Path(paths[name]).unlink()
    with pytest.raises(UserError, match="no recording of mcptap probe"):
        find("latest-probe", quiet)


def test_a_file_name_stands_for_itself() -> None:
    assert find("some/file.jsonl", quiet) == "some/file.jsonl"


OTHER = 65534
"""A user that is not the one who runs the tests as root."""

as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives files away")


def planted(folder: Path) -> Path:
    """A recording that would be the newest."""
    make_private_folder(str(folder))
    for part in (folder, *list(folder.parents)[:2]):
        part.chmod(0o700)
    return record(folder / "20990101T000000.000000Z-1.jsonl", [])


def latest() -> tuple[str, list[str]]:
    """What `latest` is, and what was said."""
    said: list[str] = []
    return find("latest", said.append), said


@pytest.fixture
def own(state: Path) -> str:
    return str(record(state / "weather" / "20260101T000000.000000Z-1.jsonl", []))


@as_root
@pytest.mark.parametrize("foreign", ["file", "weather", "recordings", "."])
def test_what_another_user_owns_in_the_temporary_directory_is_ignored_and_said(
    own: str, tmp_path: Path, foreign: str
) -> None:
    root = tmp_path / "temp" / temporary_folder()
    trap = planted(root / "recordings" / "weather")
    what = {"file": trap, "weather": trap.parent, "recordings": trap.parent.parent, ".": root}[foreign]
    assert latest() == (str(trap), [])
    os.chown(what, OTHER, OTHER)
    found, said = latest()
    assert found == own
    assert len(said) == 1
    assert f"ignored, since it is not yours or no regular file: {what};" in said[0]


@as_root
@pytest.mark.parametrize("foreign", ["file", "weather", "recordings", "mcptap"])
def test_the_same_holds_in_the_state_directory(state: Path, foreign: str) -> None:
    trap = planted(state / "weather")
    what = {"file": trap, "weather": trap.parent, "recordings": state, "mcptap": state.parent}[foreign]
    os.chown(what, OTHER, OTHER)
    found = search()
    assert (found.paths, found.ignored) == ([], [str(what)])


@as_root
def test_a_folder_that_is_named_is_no_exception_but_a_sticky_one_is_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    mine, theirs = record(folder / "mine.jsonl", []), record(folder / "theirs.jsonl", [])
    os.chown(theirs, OTHER, OTHER)
    os.chown(folder, OTHER, OTHER)
    assert search([str(folder)]).ignored == [str(folder)]
    folder.chmod(0o1777)
    found = search([str(folder)])
    assert (found.paths, found.ignored) == ([str(mine)], [str(theirs)])


def test_to_somebody_else_all_of_it_is_foreign(
    own: str, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    found = search()
    assert (found.paths, found.ignored) == ([], [str(state.parent)])
    assert search([str(state)]).ignored == [str(state)]


def test_pipes_and_other_things_that_are_no_files_are_ignored_and_never_opened(own: str, state: Path) -> None:
    os.mkfifo(state / "weather" / "20990101T000000.000000Z-1.jsonl")
    os.mkfifo(state / "unnamed.jsonl")
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.getcwd()
        os.chdir(state)  # the name of a socket has to be short
        try:
            listener.bind("socket.jsonl")
        finally:
            os.chdir(here)
    (state / "null.jsonl").symlink_to("/dev/null")
    (state / "nowhere.jsonl").symlink_to("nowhere")
    found, said = latest()
    assert found == own
    assert "and 4 more" in said[0]


@as_root
def test_a_link_counts_if_it_and_what_it_leads_to_are_the_users(state: Path, tmp_path: Path) -> None:
    mine, theirs = planted(tmp_path / "mine"), planted(tmp_path / "theirs")
    os.chown(theirs, OTHER, OTHER)
    state.mkdir(parents=True)
    for name, target in [("a", mine), ("b", theirs), ("c", mine)]:
        (state / f"{name}.jsonl").symlink_to(target)
    os.lchown(state / "c.jsonl", OTHER, OTHER)
    found = search()
    assert found.paths == [str(state / "a.jsonl")]
    assert sorted(found.ignored) == [str(state / "b.jsonl"), str(state / "c.jsonl")]


@pytest.mark.parametrize("link", ["state", "state/mcptap", "state/mcptap/recordings"])
def test_the_path_of_the_state_folder_may_have_links_in_it(own: str, tmp_path: Path, link: str) -> None:
    (tmp_path / link).rename(tmp_path / "elsewhere")
    (tmp_path / link).symlink_to(tmp_path / "elsewhere")
    assert latest() == (own, [])


def test_a_link_in_place_of_the_folder_in_the_temporary_directory_is_ignored(
    own: str, tmp_path: Path
) -> None:
    planted(tmp_path / "elsewhere" / "recordings" / "weather")
    (tmp_path / "temp").mkdir()
    (tmp_path / "temp" / temporary_folder()).symlink_to(tmp_path / "elsewhere")
    found, said = latest()
    assert found == own
    assert temporary_folder() in said[0]


@pytest.mark.parametrize("trap", ["file of another", "pipe"])
def test_a_trap_called_latest_where_the_user_stands_is_ignored(
    own: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trap: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if trap == "pipe":
        os.mkfifo("latest")
    elif os.geteuid() != 0:
        pytest.skip("gives files away")
    else:
        record("latest", [])
        assert find("latest", quiet) == "latest"
        os.chown("latest", OTHER, OTHER)
    found, said = latest()
    assert (found, len(said)) == (own, 1)


@as_root
def test_another_user_really_plants_and_the_user_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without rights of root: a process of the other user makes all that it can in a sticky directory."""
    with tempfile.TemporaryDirectory(dir="/tmp") as shared:
        Path(shared).chmod(0o1777)
        for name in ("XDG_STATE_HOME", "HOME"):
            monkeypatch.setenv(name, f"{shared}/nothing")
        monkeypatch.setenv("TMPDIR", shared)
        folder = f"{shared}/{temporary_folder()}/recordings/weather"
        trap = f"{folder}/20990101T000000.000000Z-1.jsonl"
        script = 'mkdir -p "$1" && cat > "$2" && mkfifo "$1/x.jsonl" && chmod -R 777 "$3"'
        subprocess.run(
            ["sh", "-c", script, "sh", folder, trap, f"{shared}/{temporary_folder()}"],
            input=header(argv=["sh", "-c", "touch /tmp/pwned"]), user=OTHER, group=OTHER, extra_groups=[],
            check=True,
        )  # fmt: skip
        said: list[str] = []
        with pytest.raises(UserError, match="there is no recording"):
            find("latest", said.append)
        assert temporary_folder() in said[0]


def test_beside_a_recording_lie_those_of_its_folder_oldest_first_without_probes(tmp_path: Path) -> None:
    late = record(tmp_path / "a.jsonl", [], wall=START_WALL_US + 9)
    early = record(tmp_path / "b.jsonl", [], wall=START_WALL_US)
    probe = record(tmp_path / "c.jsonl", [], wall=START_WALL_US + 5, probe="an opening")
    record(tmp_path / "below" / "d.jsonl", [])
    (tmp_path / "other.jsonl").write_text("{}\n")
    assert beside(str(late)) == [str(early), str(late)]
    assert beside(str(probe)) == [str(early), str(probe), str(late)]
    assert beside(str(tmp_path / "nowhere" / "x.jsonl")) == []
