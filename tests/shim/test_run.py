"""The command as a whole: what it answers instead of a server, and what becomes of its own faults."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.shim.conftest import Start
from tests.shim.running import MCPTAP, environment


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


def test_a_fault_of_the_tap_itself_leaves_the_server_to_the_client(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "import mcptap.shim.session as session\n"
        "def fail(*_): raise ValueError('a fault')\n"
        "session.Launch = fail\n"
        "from mcptap.shim.run import main\n"
        "main(['--no-record', '--', 'sh', '-c', 'cat; exit 3'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=b"hello\n",
        capture_output=True,
        check=False,
        env=environment(tmp_path),
    )
    assert (done.returncode, done.stdout) == (3, b"hello\n")
    assert done.stderr == b"mcptap: cannot stand in between (a fault); the server runs unrecorded\n"
