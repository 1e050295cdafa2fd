"""Whatever happens to the recording: the traffic is exact, and it is said in one sentence."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

from mcptap.recording.reader import State
from tests.shim.conftest import Start
from tests.shim.running import PYTHON, Recording, awkward, eventually

LINES = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % number for number in range(5000))


def words_of_the_tap(err: bytes) -> list[bytes]:
    lines = err.splitlines()
    assert all(line.startswith(b"mcptap: ") for line in lines), err
    return lines


def test_a_full_disk_does_not_disturb_the_traffic(start: Start, tmp_path: Path) -> None:
    tap = start(
        awkward("echo"),
        options=["--record", str(tmp_path / "records/")],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    status, out, err = tap.finish(LINES)
    assert (status, out) == (0, LINES)
    _, trouble = words_of_the_tap(err)
    assert b"File too large; traffic goes on unrecorded" in trouble
    recording = tap.recording()
    assert recording.bytes("c2s") == LINES[: len(recording.bytes("c2s"))]
    assert not [item for item in recording.items if type(item).__name__ == "Damaged"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount a file system")
@pytest.mark.parametrize("options", ["size=64k", "size=64k,ro"])
def test_a_small_or_read_only_file_system_does_not_disturb_the_traffic(
    start: Start, tmp_path: Path, options: str
) -> None:
    place = tmp_path / "disk"
    place.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", place], check=False)
    if mount.returncode:
        pytest.skip("this container may not mount")
    try:
        tap = start(awkward("echo"), options=["--record", str(place)])
        status, out, err = tap.finish(LINES)
        assert (status, out) == (0, LINES)
        # On a slow machine it also says that the echo answers nothing.
        said = [line for line in words_of_the_tap(err) if b"no answer came" not in line]
        assert len(said) == 2
        assert sum(b"traffic goes on unrecorded" in line for line in said) == 1
    finally:
        subprocess.run(["umount", place], check=True)


def test_a_place_that_cannot_be_written_does_not_disturb_the_traffic(start: Start, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    tap = start(awkward("echo"), options=["--record", str(tmp_path / "file" / "x" / "y.jsonl")])
    status, out, err = tap.finish(LINES)
    assert (status, out) == (0, LINES)
    trouble, hello = words_of_the_tap(err)
    assert b"traffic goes on unrecorded" in trouble
    assert b"recording nothing" in hello


def test_without_a_home_the_recording_goes_to_the_temporary_folder(start: Start, tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": "/proc/nowhere", "TMPDIR": str(tmp_path)}
    tap = start(awkward("echo"), options=["--quiet"], env=env, cwd="/")
    assert tap.finish(LINES) == (0, LINES, b"")
    (path,) = tmp_path.rglob("*.jsonl")
    assert path.is_relative_to(tmp_path / f"mcptap-{os.getuid()}" / "recordings")


def test_a_folder_that_is_deleted_while_it_runs_is_made_anew(start: Start, tmp_path: Path) -> None:
    tap = start(awkward("echo"), options=["--record", str(tmp_path / "records/")])
    tap.send(b"one\n")
    assert tap.sees(b"one\n")
    shutil.rmtree(tmp_path / "records")
    count = 1

    def recorded_again() -> bool:
        """The file is looked after once a second; until then lines are lost, and counted."""
        nonlocal count
        tap.send(b"more\n")
        count += 1
        return tap.sees(b"one\n" + b"more\n" * (count - 1)) and (tmp_path / "records").exists()

    assert eventually(recorded_again)
    status, out, err = tap.finish(b"last\n")
    assert (status, out) == (0, b"one\n" + b"more\n" * (count - 1) + b"last\n")
    assert sum(b"was deleted" in line for line in words_of_the_tap(err)) == 1
    recording = tap.recording()
    assert recording.event("gap")["records"] >= 3  # the spawn, and the first line in both directions
    assert recording.bytes("c2s").endswith(b"more\nlast\n")
    assert recording.event("exit")["code"] == 0


def test_a_recording_that_is_emptied_while_it_runs_stays_one(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    tap = start(awkward("echo"), options=["--record", str(path)])
    tap.send(b"one\n")
    assert tap.sees(b"one\n")
    subprocess.run(["sh", "-c", f": > {path}"], check=True)
    tap.send(b"two\n")
    assert tap.sees(b"two\n")
    recording = Recording(path)
    assert recording.header.argv[-1] == "echo"
    assert recording.bytes("c2s") == b"two\n"
    status, out, err = tap.finish()
    assert (status, out) == (0, b"one\ntwo\n")
    assert b"mcptap: the recording %b was cut by another program" % bytes(path) in err
    recording = Recording(path)
    assert recording.state is State.FINISHED
    assert recording.event("gap")["records"] == 3  # the spawn, and the first line in both directions


def test_a_system_without_descriptors_to_spare_runs_the_server_unrecorded(start: Start) -> None:
    """The tap needs more descriptors than the server does; it steps aside then."""
    tap = start(
        [*PYTHON, "-c", "print('served')"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (7, 7)),
    )
    status, out, err = tap.finish()
    assert (status, out) == (0, b"served\n")
    assert b"Traceback" not in err
