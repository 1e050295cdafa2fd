"""What a launch stands for, and why one failed, without starting anything."""

import errno
import os
import stat

import pytest

from mcptap.play.server.launch import Launch


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "bin" / "server"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_without_an_environment_the_server_gets_ours(monkeypatch):
    monkeypatch.setenv("MCPTAP_TEST", "x")
    assert Launch(["server"]).environment["MCPTAP_TEST"] == "x"
    assert dict(Launch(["server"], env={}).environment) == {}


def test_a_program_is_searched_on_the_path_that_the_server_gets(program):
    assert Launch(["server"], env={"PATH": str(program.parent)}).program == str(program)
    assert Launch(["server"], env={"PATH": "/no/such/folder"}).program is None


def test_a_relative_program_is_searched_from_the_server_s_folder(program):
    assert Launch(["bin/server"], cwd=str(program.parents[1])).program == str(program)
    assert Launch(["bin/server"], cwd="/").program is None


@pytest.mark.parametrize(
    ("launch", "error", "words", "status"),
    [
        (
            Launch(["x"], cwd="/no/such"),
            FileNotFoundError(errno.ENOENT, ""),
            "directory '/no/such' is no",
            126,
        ),
        (Launch(["x\0"]), ValueError("embedded null byte"), "embedded null byte", 126),
        (Launch(["x"], env={"PATH": "/nowhere"}), FileNotFoundError(errno.ENOENT, ""), "(/nowhere)", 127),
        (Launch(["/nowhere/x"]), FileNotFoundError(errno.ENOENT, ""), "no such file", 127),
        (Launch([os.sep]), PermissionError(errno.EACCES, ""), "it is a folder", 126),
    ],
)
def test_a_failed_start_is_explained_in_one_sentence_with_the_status_of_a_shell(launch, error, words, status):
    sentence, number = launch.why_not_started(error)
    assert words in sentence
    assert sentence.startswith("cannot start ")
    assert "\n" not in sentence
    assert number == status
