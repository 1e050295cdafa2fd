"""A session as a whole: where it records, and what it does where it can't stand in between."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from mcptap.recording.reader import State
from tests.shim.conftest import Start
from tests.shim.running import Recording, awkward, eventually


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


FEW_THREADS = """
import _thread, sys
from mcptap.cli import main
left, real = {left}, _thread.start_new_thread
def start(*arguments):
    global left
    if not left:
        raise RuntimeError("can't start new thread")
    left -= 1
    return real(*arguments)
_thread.start_new_thread = start
sys.exit(main())
"""


@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_server_runs_by_itself_where_there_may_be_no_more_threads(
    start: Start, tmp_path: Path, left: int
) -> None:
    records = str(tmp_path / "records/")
    tap = [sys.executable, "-c", FEW_THREADS.format(left=left), "run", "--record", records, "--", "cat"]
    running = start(tap, direct=True)
    said = b"mcptap: cannot stand in between (can't start new thread); the server runs unrecorded\n"
    assert running.finish(b"every byte") == (0, b"every byte", said)
    recording = running.recording()
    assert recording.state is State.FINISHED
    assert recording.event("gap")["rest"] is True
    assert not recording.events("spawn")


def test_which_relative_paths_of_the_command_line_were_there_is_recorded(
    start: Start, tmp_path: Path
) -> None:
    (tmp_path / "server.py").write_text("")
    tap = start(["sh", "-c", "cat", "sh", "server.py", "--settings", "../none/x.toml", "/etc/passwd"])
    eventually(lambda: b'"k":"paths"' in tap.recording_begun().read_bytes())
    assert tap.finish(b"x\n") == (0, b"x\n", b"")
    paths = tap.recording().event("paths")
    assert (paths["found"], paths["missing"]) == ([4], [6])


def test_a_command_line_without_relative_paths_has_no_record_of_them(start: Start) -> None:
    tap = start(["sh", "-c", "cat", "sh", "/etc/passwd", "-y", "@scope/server"])
    assert tap.finish(b"x\n") == (0, b"x\n", b"")
    assert not tap.recording().events("paths")


HUNG_MOUNT = """
import os, sys, time
from mcptap.cli import main
real = os.stat
def stat(path, *rest, **more):
    if path == b"mount/server.py":
        time.sleep(1e6)
    return real(path, *rest, **more)
os.stat = stat
sys.exit(main())
"""


def test_a_path_that_hangs_holds_neither_start_nor_traffic_nor_end(start: Start, tmp_path: Path) -> None:
    records = str(tmp_path / "records/")
    tap = [sys.executable, "-c", HUNG_MOUNT, "run", "--quiet", "--record", records, "--"]
    running = start([*tap, "sh", "-c", "cat", "sh", "mount/server.py"], direct=True)
    assert running.finish(b"every byte\n") == (0, b"every byte\n", b"")
    assert not running.recording().events("paths")


def run_loud(start: Start, server: list[str], data: bytes = b"", **popen: Any) -> list[str]:
    tap = start(server, options=["--no-record"], **popen)
    _, _, err = tap.finish(data)
    return err.decode().splitlines()


def test_the_start_line_says_what_runs_where_and_where_it_records(start: Start, tmp_path: Path) -> None:
    tap = start(["sh", "-c", "exit 0", "a b", "\x1b[31m"], options=["--record", str(tmp_path / "x.jsonl")])
    assert tap.status() == 0
    (line, *_) = tap.stderr().decode().splitlines()
    assert line.startswith("mcptap: started sh -c exit 0 ")
    assert "␛[31m" in line
    assert f" in {tmp_path}" in line
    assert line.endswith(f"recording to {tmp_path}/x.jsonl")


def test_a_flood_of_pollution_is_one_line_on_stderr(start: Start) -> None:
    lines = run_loud(start, ["sh", "-c", "yes 'log line' | head -n 50000"])
    assert len([line for line in lines if "is not a message" in line]) == 1
    assert len(lines) <= 3


def test_quiet_removes_every_word(start: Start) -> None:
    tap = start(["sh", "-c", "echo log; echo err >&2; exit 3"], options=["--quiet", "--no-record"])
    assert (tap.status(), tap.stdout(), tap.stderr()) == (3, b"log\n", b"err\n")


def test_a_death_that_nobody_asked_for_is_told_and_one_that_was_is_not(start: Start) -> None:
    crash = run_loud(start, awkward("die", int(signal.SIGSEGV)))
    assert any("the server was killed by SIGSEGV" in line for line in crash)
    tap = start(awkward("stubborn"), options=["--no-record"])
    tap.pid_from_first_line()
    tap.signal(signal.SIGTERM)
    tap.status()
    assert b"killed" not in tap.stderr()


def test_a_folder_open_to_others_is_closed_and_that_is_said_once(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "state" / "mcptap" / "recordings" / "cat"
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    said = [start(["cat"], options=[]).finish(b"x\n") for _ in range(2)]
    assert [out for _, out, _ in said] == [b"x\n"] * 2
    assert [err.count(b"others had rights on ") for _, _, err in said] == [1, 0]
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)
    assert start(["cat"], options=["--quiet"]).finish()[2] == b""
    assert folder.stat().st_mode & 0o777 == 0o700
