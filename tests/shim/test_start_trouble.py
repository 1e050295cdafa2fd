"""A server that can't be started: one sentence, a status, and a recording that says so."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from mcptap.recording.reader import State
from tests.shim.conftest import Start
from tests.shim.running import environment


def _file(path: Path, content: str = "", mode: int = 0o755) -> str:
    path.write_text(content)
    path.chmod(mode)
    return str(path)


def _cases(folder: Path) -> dict[str, tuple[str | bytes, int, str]]:
    """Command, exit status, and what the sentence has to tell."""
    folder.mkdir()
    (folder / "a-folder").mkdir()
    return {
        "missing path": (str(folder / "nope"), 127, "no such file"),
        "missing relative path": ("./nope", 127, "no such file from /"),
        "missing name": ("no-such-server-1234", 127, "PATH that the client passed on (/usr/bin:/bin:"),
        "empty": ("", 127, "the command is empty"),
        "a whole command line": ("npx -y some-server", 127, "each argument as an item of its own"),
        "a folder": (str(folder / "a-folder"), 126, "it is a folder"),
        "not executable": (_file(folder / "plain", "echo hi\n", 0o644), 126, "chmod +x"),
        "a bad interpreter": (
            _file(folder / "script", "#!/nowhere/python\n"),
            126,
            "names the interpreter '/nowhere/python', which does not exist",
        ),
        "an interpreter with CR": (_file(folder / "dos", "#!/bin/sh\r\necho hi\r\n"), 126, "/bin/sh\\\\r"),
        "a path through a file": (str(folder / "plain" / "x"), 127, "no such file"),
        "not UTF-8": (os.fsencode(folder) + b"/\xff\xfe", 127, "no such file"),
        "escapes in the name": (str(folder / "\x1b[31mred"), 127, "\\x1b[31mred"),
        "a binary of no known kind": (_file(folder / "binary", "\0\1\2\3"), 126, "Exec format error"),
    }


NAMES = [
    "missing path", "missing relative path", "missing name", "empty", "a whole command line", "a folder",
    "not executable", "a bad interpreter", "an interpreter with CR", "a path through a file", "not UTF-8",
    "escapes in the name", "a binary of no known kind",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("quiet", [True, False])
def test_a_failed_start_says_why_and_is_recorded(
    start: Start, tmp_path: Path, name: str, quiet: bool
) -> None:
    command, status, reason = _cases(tmp_path / "it")[name]
    options = ["--quiet"] * quiet + ["--record", str(tmp_path / "records/")]
    env = {**environment(tmp_path), "PATH": f"/usr/bin:/bin:{tmp_path}"}
    tap = start([command, "argument"], options=options, env=env)
    assert tap.status() == status
    assert tap.stdout() == b""
    said = tap.stderr().decode()
    assert re.fullmatch(r"mcptap: cannot start .+\n", said), said
    assert reason in said
    assert said.isprintable() or said.rstrip("\n").isprintable()
    recording = tap.recording()
    spawn = recording.event("spawn")
    assert spawn["status"] == status
    assert said == f"mcptap: {spawn['error']}\n"
    assert spawn["errno"] > 0
    assert recording.state is State.FINISHED


def test_a_folder_on_the_path_does_not_hide_a_program_behind_it(start: Start, tmp_path: Path) -> None:
    (tmp_path / "first" / "server").mkdir(parents=True)
    (tmp_path / "second").mkdir()
    _file(tmp_path / "second" / "server", "#!/bin/sh\necho found\n")
    path = f"{tmp_path}/first:{tmp_path}/second"
    tap = start(["server"], env={**environment(tmp_path), "PATH": path})
    assert tap.finish()[:2] == (0, b"found\n")


def test_a_file_on_the_path_that_is_not_executable_does_not_hide_one_that_is(
    start: Start, tmp_path: Path
) -> None:
    for folder, mode in (("first", 0o644), ("second", 0o755)):
        (tmp_path / folder).mkdir()
        _file(tmp_path / folder / "server", "#!/bin/sh\necho found\n", mode)
    path = f"{tmp_path}/first:{tmp_path}/second"
    tap = start(["server"], env={**environment(tmp_path), "PATH": path})
    assert tap.finish()[:2] == (0, b"found\n")


def test_a_failed_start_says_nothing_on_stdout_when_stderr_is_closed(start: Start) -> None:
    tap = start(["/nope"], preexec_fn=lambda: os.close(2))
    assert tap.status() == 127
    assert tap.stdout() == b""
