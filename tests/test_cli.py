"""Which half of mcptap a command line starts, and what `run` takes of its surroundings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcptap.cli import main

PROGRAM = """
import json, signal, sys
import mcptap.commands, mcptap.shim.run

def answer(half):
    def main(arguments):
        interrupts = signal.getsignal(signal.SIGINT)
        print(json.dumps([half, arguments, interrupts == signal.SIG_DFL, sys.path]))
        return 7
    return main

mcptap.shim.run.main, mcptap.commands.main = answer("run"), answer("command")
from mcptap.cli import main
sys.exit(main())
"""


def started(*arguments: str, **environ: str) -> tuple[str, list[str], bool, list[str]]:
    """The half that was started, its arguments, whether an interrupt ends the process, and its path."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 7, done.stderr
    half, given, ends, path = json.loads(done.stdout)
    return half, given, ends, path


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (["run"], []),
        (["run", "--name", "x", "--", "server", "-v"], ["--name", "x", "--", "server", "-v"]),
        (["--name", "x", "--", "server"], ["--name", "x", "--", "server"]),
        (["--", "server"], ["--", "server"]),
    ],
)
def test_a_server_is_run_for_run_and_for_options_before_its_command(arguments: list[str], given: list[str]):
    assert started(*arguments)[:2] == ("run", given)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["show", "--", "x"], ["check", "run"]])
def test_everything_else_is_a_command(arguments: list[str]):
    assert started(*arguments)[:2] == ("command", arguments)


def test_an_interrupt_ends_run_at_once_and_a_command_in_the_usual_way():
    assert started("run")[2]
    assert not started("show")[2]


def test_an_interrupt_while_a_command_is_imported_ends_it_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
):
    def interrupted(_arguments: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("mcptap.cli._command", interrupted)
    monkeypatch.setattr("sys.argv", ["mcptap", "check"])
    assert main() == 130


def test_run_imports_nothing_from_the_server_s_pythonpath(tmp_path: Path):
    ours = str(Path(__file__).parents[1])
    theirs = os.pathsep.join([str(tmp_path), ours])
    assert str(tmp_path) not in started("run", PYTHONPATH=theirs)[3]
    assert ours in started("run", PYTHONPATH=theirs)[3]
    assert str(tmp_path) in started("show", PYTHONPATH=theirs)[3]
