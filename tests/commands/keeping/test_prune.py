"""`mcptap prune` says what is over a limit, and deletes nothing unless told to."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from mcptap.commands import main
from mcptap.commands.keeping import prune
from mcptap.recording.retention import Candidate
from mcptap.text.terminal import Terminal
from tests.helpers import END, START_WALL_US, Step, Tape, call, handshake, record

CLEAN: list[Step] = [*handshake(), *END]
POLLUTED: list[Step] = [*handshake(), ("s2c", b"ready\n"), ("c2s", call(1, "x")), *END]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The default folder for recordings, in a state directory of the test's own; and no settings."""
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(tmp_path / "temp"))
    return tmp_path / "mcptap" / "recordings"


def keep(
    library: Path, second: int, name: str = "weather", steps: list[Step] = CLEAN, **header: object
) -> Path:
    """A recording that was last written to on 29 November 2026."""
    file = library / name / f"20261129T2117{second:02}.000000Z-{second}.jsonl"
    path = record(file, steps, name=name, wall=START_WALL_US + second * 1_000_000, **header)
    os.utime(path, ns=(0, (START_WALL_US + second * 1_000_000) * 1000))
    return path


def test_it_says_what_would_go_and_deletes_only_if_told_to(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [keep(library, second) for second in (1, 2, 3)]
    assert main(["prune", "--keep", "1"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[1].endswith(f"not among the newest 1  {paths[0]}")
    assert "2 of 3 recordings" in out.splitlines()[-1]
    assert out.endswith(" would go; --yes deletes them, for good\n")
    assert all(path.exists() for path in paths)
    assert main(["prune", "--keep", "1", "--yes"]) == 0
    assert capsys.readouterr().out.endswith(" deleted\n")
    assert [path.exists() for path in paths] == [False, False, True]


def test_on_a_narrow_terminal_each_recording_has_one_line() -> None:
    candidate = Candidate("/r/weather/20261129T211701.000000Z-1.jsonl", "weather", START_WALL_US, 10**9)
    going = [(candidate, "not among the newest 20")]
    for width in (40, 60, 80):
        terminal = Terminal(io.StringIO())
        terminal.width = width
        assert max(map(len, prune._table(going, terminal))) <= width


def test_one_server_at_a_time(library: Path) -> None:
    weather, files = keep(library, 1), keep(library, 2, "files")
    assert main(["prune", "--server", "WEA*", "--keep", "0", "--yes"]) == 0
    assert (weather.exists(), files.exists()) == (False, True)


def test_by_age(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = keep(library, 1), keep(library, 40)
    monkeypatch.setattr(prune.time, "time_ns", lambda: (START_WALL_US + 90 * 1_000_000) * 1000)
    assert main(["prune", "--older-than", "1m", "--yes"]) == 0
    assert (old.exists(), new.exists()) == (False, True)


def test_by_size_and_what_a_problem_was_found_in_stays(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [keep(library, 1, steps=POLLUTED), keep(library, 2), keep(library, 3)]
    assert main(["prune", "--max-size", "0B", "--keep-findings", "--yes"]) == 0
    assert [path.exists() for path in paths] == [True, False, False]
    assert "stays though over the limit: 1 with findings" in capsys.readouterr().err


def test_what_mcptap_probe_recorded(library: Path) -> None:
    probe, session = keep(library, 1, probe="as agent"), keep(library, 2)
    assert main(["prune", "--probes", "--yes"]) == 0
    assert (probe.exists(), session.exists()) == (False, True)


def test_probes_do_not_count_among_the_newest_sessions(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session, *probes = [keep(library, 1), *(keep(library, second, probe="as agent") for second in (2, 3))]
    assert main(["prune", "--keep", "1", "--save"]) == 0
    capsys.readouterr()
    assert main(["prune", "--yes"]) == 0
    assert [path.exists() for path in (session, *probes)] == [True, False, True]


def test_what_is_live_or_of_unknown_state_stays(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unknown = keep(library, 1, steps=handshake(), lock=False)
    with Tape(library / "live" / "20261129T211702.000000Z-2.jsonl") as tape:
        assert main(["prune", "--keep", "0", "--yes"]) == 0
        assert "stays though over the limit: 1 live, 1 of unknown state" in capsys.readouterr().err
        assert os.path.exists(tape.path)
    assert unknown.exists()


def test_what_is_no_recording_is_left_alone(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(library, 1)
    note, link = library / "weather" / "notes.jsonl", library / "weather" / "link.jsonl"
    note.write_text("{}\n")
    link.symlink_to(keep(library, 2))
    assert main(["prune", "--keep", "0", "--yes"]) == 0
    assert "left alone: " in capsys.readouterr().err
    assert note.exists()
    assert link.is_symlink()


def test_what_changes_meanwhile_is_said(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = keep(library, 1)
    real = prune.delete

    def touched(listed: object) -> str:
        os.utime(path)
        return real(listed)  # type: ignore[arg-type]

    monkeypatch.setattr(prune, "delete", touched)
    assert main(["prune", "--keep", "0", "--yes"]) == 1
    assert "stays: it changed since it was listed" in capsys.readouterr().err
    assert path.exists()


def test_without_a_limit_nothing_is_done(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(library, 1)
    assert main(["prune", "--yes"]) == 2
    assert "there is no standing limit" in capsys.readouterr().err


def test_the_standing_limit_is_saved_gone_by_and_forgotten(
    library: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    paths = [keep(library, second) for second in (1, 2)]
    assert main(["prune", "--keep", "1", "--save"]) == 0
    assert all(path.exists() for path in paths)
    assert main(["prune"]) == 0
    said = capsys.readouterr()
    assert "--keep 1" in said.err
    assert "1 of 2 recordings" in said.out
    assert main(["prune", "--yes"]) == 0
    assert [path.exists() for path in paths] == [False, True]
    assert main(["prune", "--forget"]) == 0
    assert main(["prune"]) == 2


def test_forgetting_goes_with_nothing_else(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = keep(library, 1)
    for more in (["--yes"], ["--keep", "0"], ["--keep-findings"], ["--server", "x"], ["--save"]):
        assert main(["prune", "--forget", *more]) == 2
    assert path.exists()
    assert main(["prune", "--forget"]) == 0
    assert capsys.readouterr().out == "there was no standing limit\n"


@pytest.mark.parametrize("more", [["--yes"], ["--server", "x"], ["--probes"], []])
def test_only_a_limit_for_all_can_stand(
    library: Path, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    limit = ["--keep", "1"] if more else []
    assert main(["prune", "--save", *limit, *more]) == 2
    assert "--save keeps a limit for all recordings" in capsys.readouterr().err


def test_a_projects_settings_set_no_limit(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(library, 1)
    project = tmp_path / "project"
    project.mkdir()
    for name in (".mcptap.toml", "pyproject.toml", "settings.toml"):
        (project / name).write_text("[recordings]\nkeep = 0\n[tool.mcptap.recordings]\nkeep = 0\n")
    monkeypatch.chdir(project)
    monkeypatch.setenv("XDG_CONFIG_HOME", ".")
    assert main(["prune", "--yes"]) == 2


@pytest.mark.parametrize("arguments", [["--older-than", "soon"], ["--max-size", "big"], ["--keep", "-1"]])
def test_a_limit_that_is_none_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["prune", *arguments])
    assert "is no" in capsys.readouterr().err
