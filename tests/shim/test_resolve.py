"""Which file is started, and the sentence if none can be."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from mcptap.shim.resolve import NOT_EXECUTABLE, NOT_FOUND, candidates, explain, find_program


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    for name, mode, content in (
        ("server", 0o755, "#!/bin/sh\n"),
        ("plain", 0o644, "#!/bin/sh\n"),
        ("lost", 0o755, "#!/no/such/python -u\n"),
        ("dos", 0o755, "#!/bin/sh\r\n"),
    ):
        (tmp_path / name).write_text(content, newline="")
        (tmp_path / name).chmod(mode)
    return tmp_path


def test_a_name_is_looked_for_on_the_path_and_a_path_is_taken_as_it_is(path: Path) -> None:
    environ = {b"PATH": b"/nowhere::" + os.fsencode(path)}
    assert candidates(b"server", environ) == [b"/nowhere/server", b"./server", os.fsencode(path / "server")]
    assert candidates(b"./server", environ) == [b"./server"]
    assert candidates(b"", environ) == []
    assert find_program(b"server", environ) == os.fsencode(path / "server")
    assert find_program(b"folder", environ) is None


@pytest.mark.parametrize(
    ("program", "code", "sentence", "status"),
    [
        ("/folder", errno.EACCES, "it is a folder, not a program", NOT_EXECUTABLE),
        ("/plain", errno.EACCES, "it is not executable (chmod +x it)", NOT_EXECUTABLE),
        (
            "/lost",
            errno.ENOENT,
            "names the interpreter '/no/such/python', which does not exist",
            NOT_EXECUTABLE,
        ),
        ("/dos", errno.ENOENT, r"names the interpreter '/bin/sh\\r', which does not exist", NOT_EXECUTABLE),
        ("/server", errno.ENOMEM, "Cannot allocate memory", NOT_EXECUTABLE),
        ("/none", errno.ENOENT, "there is no such file", NOT_FOUND),
        ("/server --flag", errno.ENOENT, "give each argument as an item of its own", NOT_FOUND),
    ],
)
def test_why_a_program_cannot_be_started(
    path: Path, program: str, code: int, sentence: str, status: int
) -> None:
    said, gave = explain(os.fsencode(f"{path}{program}"), {}, code)
    assert sentence in said
    assert said.startswith("cannot start '")
    assert gave == status


def test_a_name_that_is_nowhere_is_explained_with_the_path_that_was_searched() -> None:
    said, status = explain(b"npx", {b"PATH": b"/nowhere"}, errno.ENOENT)
    assert "there is no such program on the PATH that the client passed on (/nowhere)" in said
    assert status == NOT_FOUND
    assert explain(b"", {}, errno.ENOENT) == ("cannot start '': the command is empty", NOT_FOUND)
