from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcptap.commands import COMMANDS, SUMMARIES, main, module_of
from tests.helpers import record


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "mcptap", *arguments],
        env={**os.environ, **env},
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_every_command_that_the_help_names_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    text = capsys.readouterr().out
    for name in COMMANDS:
        assert f"\n  {name:{max(map(len, COMMANDS))}}  {SUMMARIES[name]}\n" in text
        assert callable(module_of(name).main)
    assert max(map(len, text.splitlines())) <= 80


def test_a_command_that_is_not_there_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shwo"]) == 2
    assert "there is no command 'shwo'" in capsys.readouterr().err


def test_an_output_that_lacks_a_character_gets_an_escape(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", [("s2c", "日\x1b\n".encode())])
    process = run("show", str(path), PYTHONIOENCODING="ascii")
    assert process.returncode == 0
    assert rb"NOT JSON: \u65e5\u241b" in process.stdout


def test_small_commands_load_neither_textual_nor_trio() -> None:
    code = (
        "import sys; from mcptap.commands import main; main(['ls']); "
        "print([m for m in ('textual', 'trio', 'asyncio') if m in sys.modules], file=sys.stderr)"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert process.stderr.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "arguments",
    [
        *([command, "{}"] for command in ("check", "show", "send", "mock", "replay", "rules")),
        *(["{}"], ["check", "--github", "{}"], ["ls", "{}/"], ["diff", "{}", "{}"], ["check", "--{}"]),
        ["probe", "--as", "{}", "--", "x"],
    ],
)
def test_names_are_escaped_on_stderr_whatever_they_are(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    name = "a\n::error::b\x1b[31m\x9b\u202e\u2028c"
    (tmp_path / name).write_text("nothing that is a recording")
    try:
        status = main([word.format(name) for word in arguments])
    except SystemExit as end:
        status = end.code
    out, err = capsys.readouterr()
    assert status == 2
    assert err
    assert (out + err).replace("\n", "").isprintable()
    assert not any(line.startswith("::error::b") for line in (out + err).splitlines())


def test_a_folder_that_is_gone_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone() -> str:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(os, "getcwd", gone)
    assert main(["clients"]) == 2
    assert capsys.readouterr().err == "mcptap: the folder you are in is gone; change to another\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_an_output_that_takes_nothing_is_said_and_a_closed_one_is_let_be() -> None:
    script = f"{sys.executable} -m mcptap --help >/dev/full; echo $? >&2; {sys.executable} -m mcptap man >&-"
    done = subprocess.run(["sh", "-c", script], capture_output=True, check=False, timeout=60)
    assert done.stderr == b"mcptap: what was to be printed can't be written: No space left on device\n2\n"
    assert done.returncode == 0
