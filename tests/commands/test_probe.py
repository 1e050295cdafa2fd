"""`mcptap probe` as a command."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mcptap.clients.table import CLIENTS
from mcptap.commands import main
from mcptap.commands import probe as command
from mcptap.play.server.process_tree import all_processes
from tests.helpers import Tape
from tests.play.probing import LETTER, SMALL


def test_the_command_prints_json_and_its_status_says_whether_all_is_well(tmp_path, capsys):
    arguments = ["--json", "--record", f"{tmp_path}/", "--"]
    assert command.main([*arguments, *SMALL]) == 0
    good = json.loads(capsys.readouterr().out)
    assert good["server"]["info"]["name"] == "small"
    assert command.main([*arguments, *SMALL, "greets"]) == 1
    bad = json.loads(capsys.readouterr().out)
    assert "stdout-not-json" in [f["rule"] for f in bad["findings"]]


def test_a_server_is_probed_as_a_recording_says_it_was_started(tmp_path, capsys):
    (tmp_path / "small_data.txt").write_text("here")
    env = {"names": ["MY_API_KEY", "PATH"], "values": {"MY_API_KEY": "x", "PATH": os.environ["PATH"]}}
    argv = [*SMALL, "needs-key", "needs-file"]
    with Tape(tmp_path / "old.jsonl", argv=argv, cwd=str(tmp_path), env=env):
        pass
    arguments = [
        "--json",
        "--record",
        f"{tmp_path}/new/",
        "--like",
        str(tmp_path / "old.jsonl"),
        "--run-recorded",
    ]
    assert command.main(arguments) == 0
    assert command.main([*arguments, "--as", "codex"]) == 1
    _, told = json.loads(f"[{capsys.readouterr().out.replace('}' + chr(10) + '{', '},{')}]")
    assert "MY_API_KEY" in told["client"]["cause"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "--like"),
        (["--as", "no-such-client", "--", "x"], "--as list"),
        (["--call", "add", "[1]", "--", "x"], "JSON object"),
        (["--call", "add", "{", "--", "x"], "no JSON"),
        (["--env", "X", "--", "x"], "NAME=VALUE"),
        (["--", "no-such-command-at-all"], "no-such-command-at-all"),
    ],
)
def test_what_cannot_be_probed_is_one_sentence(tmp_path, capsys, arguments, word):
    assert main(["probe", "--record", f"{tmp_path}/", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert word in err


def test_every_client_is_listed(capsys):
    assert command.main(["--as", "list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(CLIENTS)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_probe_ends_its_server_and_says_so_in_a_sentence(tmp_path, number):
    command = [sys.executable, "-m", "mcptap", "probe", "--record", f"{tmp_path}/r/", "--", *SMALL, "silent"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        server = wait_for_server_of(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert out == b""
    assert err.count(b"\n") == 1
    assert server not in {p.pid for p in all_processes()}


def wait_for_server_of(probe: subprocess.Popen[bytes]) -> int:
    """The pid of the server, once it runs: before that, and for others, a child looks like the probe."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and probe.poll() is None:
        for child in [p.pid for p in all_processes() if p.parent == probe.pid]:
            try:
                words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[1:2] == [SMALL[1].encode()]:
                return child
    raise AssertionError("no server came")


def test_sessions_that_could_not_be_recorded_are_not_called_clean(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["probe", "--record", f"{tmp_path}/file/", "--", *LETTER]) == 1
    shown = capsys.readouterr().out
    assert "\nsessions that could not be recorded were not judged; no tool was called." in shown
    assert "nothing is wrong" not in shown
