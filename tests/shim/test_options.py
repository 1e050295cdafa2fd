"""The command line of `run`, its short form, and what stands behind `--`."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.errors import UserError
from mcptap.shim.options import Options
from tests.shim.conftest import Start
from tests.shim.running import MCPTAP, Recording, environment


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["--", "server"], ["server"]),
        (["--", "server", "--", "x"], ["server", "--", "x"]),
        (["--", "server", "--help", "--quiet", ""], ["server", "--help", "--quiet", ""]),
        (["--", "--", "x"], ["--", "x"]),
        (["--", "--help"], ["--help"]),
        (["--quiet", "server", "--name", "x"], ["server", "--name", "x"]),
        (["server", "--", "x"], ["server", "--", "x"]),
        (["--", ""], [""]),
    ],
)
def test_everything_behind_the_dashes_belongs_to_the_server(words: list[str], command: list[str]) -> None:
    options = Options(words)
    assert options.command == command
    assert not options.name
    assert not options.help


@pytest.mark.parametrize("words", [["--name", "x"], ["--name=x"]])
def test_values_may_be_given_in_two_ways(words: list[str]) -> None:
    assert Options([*words, "--", "server"]).name == "x"


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--"],
        ["--quiet", "--"],
        ["--name", "--", "x"],
        ["--name=", "--", "x"],
        ["--record"],
        ["--verbose", "--", "x"],
        ["--quiet=yes", "--", "x"],
        ["--record", "a", "--no-record", "--", "x"],
    ],
    ids=str,
)
def test_a_mistake_is_refused(words: list[str]) -> None:
    with pytest.raises(UserError):
        Options(words)


def test_a_mistake_is_one_sentence_and_status_2(start: Start) -> None:
    tap = start(["echo", "hi"], options=["--verbose"])
    assert tap.status() == 2
    assert tap.stdout() == b""
    assert tap.stderr().startswith(b"mcptap: run has no option '--verbose'")
    assert tap.stderr().count(b"\n") == 1


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}], ids=str)
def test_help_can_be_shown_in_any_locale(start: Start, tmp_path: Path, locale: dict[str, str]) -> None:
    tap = start([*MCPTAP, "run", "--help"], direct=True, env=environment(tmp_path, **locale))
    status, out, err = tap.finish()
    assert (status, err) == (0, b"")
    assert out.startswith(b"usage: mcptap run")


def test_the_short_form_runs_as_well(start: Start, tmp_path: Path) -> None:
    for words in (["--"], ["--quiet", "--name", "shorty", "--"]):
        tap = start([*MCPTAP, *words, "sh", "-c", 'echo "$@"', "sh", "run", "--", "--help"], direct=True)
        status, out, err = tap.finish()
        assert (status, out) == (0, b"run -- --help\n")
        assert (err == b"") == ("--quiet" in words)
    assert list((tmp_path / "state").rglob("shorty/*.jsonl"))


def test_the_recording_lies_in_the_state_folder_by_the_servers_name(start: Start, tmp_path: Path) -> None:
    assert start(["echo", "hi"], options=["--quiet"]).finish()[0] == 0
    assert start(["echo", "hi"], options=["--quiet", "--name", "my ../server"]).finish()[0] == 0
    folder = tmp_path / "state" / "mcptap" / "recordings"
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["echo", "my-..-server"]
    (path,) = (folder / "echo").iterdir()
    assert Recording(path).header.name == "echo"


def test_a_folder_takes_the_recording(start: Start, tmp_path: Path) -> None:
    (tmp_path / "existing.d").mkdir()
    for folder in ("existing.d", "new", "new.d/", "a/b/c"):
        assert start(["echo"], options=["--quiet", "--record", folder]).finish()[0] == 0
        (path,) = (tmp_path / folder).iterdir()
        assert path.name.startswith("echo-")


def test_a_file_is_never_overwritten(start: Start, tmp_path: Path) -> None:
    for name in ("my.jsonl", "no-suffix"):
        (tmp_path / name).write_text("precious")
        for _ in range(2):
            assert start(["echo"], options=["--quiet", "--record", name]).finish()[0] == 0
        assert (tmp_path / name).read_text() == "precious"
        stem, dot, suffix = name.partition(".")
        for number in (1, 2):
            assert Recording(tmp_path / f"{stem}.{number}{dot}{suffix}").event("exit")["code"] == 0


def test_a_file_named_by_one_relative_word_is_made_in_the_working_directory(
    start: Start, tmp_path: Path
) -> None:
    assert start(["echo"], options=["--quiet", "--record", "one.jsonl"]).finish()[0] == 0
    assert Recording(tmp_path / "one.jsonl").event("exit")["code"] == 0


def test_no_record_makes_no_file(start: Start, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert start(["echo", "hi"], options=["--no-record"]).finish()[:2] == (0, b"hi\n")
    assert sorted(tmp_path.rglob("*")) == before
