"""Whether a command that stands in a recording is run: at once, after a question, or not at all."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands.pseudo_terminal import ATTACH, shown_by
from tests.helpers import END, call, handshake, record, text_result

MARK = "import pathlib; pathlib.Path('ran').touch()"
STEPS = [*handshake(), ("c2s", call(1, "x")), ("s2c", text_result(1, "y")), *END]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def foreign(folder: Path, **fields: Any) -> str:
    """A recording that another installation made."""
    environment = {"names": ["PATH"], "values": {"PATH": os.environ["PATH"]}, "placeholders": {}}
    launch = {"argv": [sys.executable, "-c", MARK], "cwd": str(folder), "env": environment, **fields}
    return str(record(folder / "foreign.jsonl", STEPS, **launch))


def mcptap(*arguments: str, answer: str | None = None) -> tuple[int, str, str]:
    """Exit status, stderr, and what stood on the terminal, where `answer` is typed (None: no terminal)."""
    if answer is None:
        command = [sys.executable, "-m", "mcptap", *arguments]
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        ) as process:  # fmt: skip
            _, err = process.communicate(timeout=60)
        return process.returncode, err, ""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", ATTACH, os.ttyname(theirs), *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        os.write(ours, answer.encode())
        _, err = process.communicate(timeout=60)
    return process.returncode, err, shown_by(ours, theirs).decode()


PLAYS = pytest.mark.parametrize(
    "command", [["send"], ["probe", "--timeout", "1", "--like"]], ids=["send", "probe"]
)


@PLAYS
def test_without_a_terminal_nothing_is_run_and_that_is_one_sentence(folder: Path, command: list[str]) -> None:
    status, err, _ = mcptap(*command, foreign(folder))
    assert status == 2
    assert err.count("\n") == 1
    assert "--run-recorded" in err
    assert not (folder / "ran").exists()


@PLAYS
def test_the_option_says_yes(folder: Path, command: list[str]) -> None:
    status, err, _ = mcptap(*command, foreign(folder), "--run-recorded")
    assert status == 1, err
    assert (folder / "ran").exists()


@pytest.mark.parametrize(
    ("command", "answer", "runs"),
    [
        (["send"], "y\n", True),
        (["send"], "YES\n", True),
        (["send"], "n\n", False),
        (["send"], "\n", False),
        (["probe", "--timeout", "1", "--like"], "y\n", True),
        (["probe", "--timeout", "1", "--like"], "\n", False),
    ],
)
def test_on_a_terminal_it_is_asked_there(folder: Path, command: list[str], answer: str, runs: bool) -> None:
    status, err, asked = mcptap(*command, foreign(folder), answer=answer)
    assert "foreign.jsonl was not made by this installation" in asked
    assert "[y/N]" in asked
    assert (folder / "ran").exists() is runs
    if not runs:
        assert (status, err) == (2, "mcptap: nothing was started\n")


def test_the_question_shows_all_that_the_recording_says_and_nothing_of_it_is_obeyed(folder: Path) -> None:
    odd = folder / "a\u202eb"
    odd.mkdir()
    names = ["PATH", "LD_PRELOAD", "HOLE\x1b[2J"]
    values = {"PATH": os.environ["PATH"], "LD_PRELOAD": "/tmp/\x9bx.so"}
    environment = {"names": names, "values": values, "placeholders": {"HOLE\x1b[2J": "${HOLE}"}}
    path = foreign(folder, argv=["sh", "-c", "echo \x1b[8m; evil\nmore"], cwd=str(odd), env=environment)
    _, _, asked = mcptap("send", path, answer="n\n")
    assert "sh -c 'echo ␛[8m; evil␊more'" in asked
    assert "a<U+202E>b" in asked
    assert "LD_PRELOAD=/tmp/<U+009B>x.so" in asked
    assert "HOLE␛[2J=${HOLE}" in asked
    assert "as here: PATH" in asked
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]", asked)


def test_what_this_installation_recorded_is_run_at_once_until_it_is_changed(folder: Path) -> None:
    plain = folder / "client"
    plain.write_text('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    path = folder / "own.jsonl"
    answer = """; input(); print('{"jsonrpc":"2.0","id":1,"result":{}}')"""
    server = [sys.executable, "-c", MARK + answer]
    status, err, _ = mcptap("send", str(plain), "--record", str(path), "--", *server)
    assert status == 0, err
    (folder / "ran").unlink()
    assert mcptap("send", str(path))[0] == 0
    assert (folder / "ran").exists()
    (folder / "ran").unlink()
    head, rest = path.read_bytes().split(b"\n", 1)
    fields = json.loads(head)
    fields["env"]["values"]["PATH"] = "/tmp"
    path.write_bytes(json.dumps(fields, separators=(",", ":")).encode() + b"\n" + rest)
    assert mcptap("send", str(path))[0] == 2
    assert not (folder / "ran").exists()


def test_a_command_of_the_users_needs_no_question(folder: Path) -> None:
    status, err, _ = mcptap("send", foreign(folder, argv=["evil"]), "--", sys.executable, "-c", MARK)
    assert status == 1, err
    assert (folder / "ran").exists()


@pytest.mark.parametrize("command", ["send", "probe"])
def test_a_recorded_environment_for_a_command_of_the_users_does(folder: Path, command: str) -> None:
    path = foreign(folder, argv=["evil"])
    plain = folder / "client"
    plain.write_text('{"jsonrpc":"2.0","method":"x"}\n')
    what = [str(plain)] if command == "send" else []
    status, err, _ = mcptap(command, *what, "--like", path, "--", sys.executable, "-c", MARK)
    assert (status, err.count("\n")) == (2, 1)
    assert not (folder / "ran").exists()


def test_a_capture_of_another_tool_needs_the_question(folder: Path) -> None:
    sample = Path(__file__).parents[2] / "recordings" / "clean-handshake.jsonl"
    status, err, _ = mcptap("send", str(sample), "--cwd", str(folder))
    assert (status, err.count("\n")) == (2, 1)
