"""What a recording does not hold comes from a variable, or from the terminal; else nothing is started."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from mcptap.commands.secrets import fill_in
from mcptap.errors import UserError
from mcptap.play.server.relaunch import relaunch
from mcptap.recording.format.model import Header
from tests.commands.pseudo_terminal import ATTACH, shown_by
from tests.helpers import END, call, handshake, record, text_result

S = "Plnt3dS3cret9x"
MARK = """
import sys, pathlib
sys.stdin.readline()
pathlib.Path('ran').write_text(repr(sys.argv[1:]))
print('{"jsonrpc":"2.0","id":1,"result":{}}')
"""
STEPS = [*handshake(), ("c2s", call(1, "x")), ("s2c", text_result(1, "y")), *END]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def tapped(folder: Path, *options: str) -> str:
    """A recording of the real tap; its server leaves its arguments in the file `ran`."""
    path = folder / "own.jsonl"
    command = [sys.executable, "-c", MARK, "--token", S, f"https://h/?key={S}2"]
    line = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    run = [sys.executable, "-m", "mcptap", "run", *options, "--record", str(path), "--", *command]
    subprocess.run(run, input=line, check=True, capture_output=True)
    assert (folder / "ran").read_text() == repr(command[3:])
    (folder / "ran").unlink()
    return str(path)


def mcptap(*arguments: str, answer: str | None = None, **variables: str) -> tuple[int, str, str]:
    """Exit status, stderr, and what stood on the terminal, where `answer` is typed (None: no terminal)."""
    ours, theirs = pty.openpty()
    attach = ["-m", "mcptap"] if answer is None else ["-c", ATTACH, os.ttyname(theirs)]
    with subprocess.Popen(
        [sys.executable, *attach, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **variables},
    ) as process:
        if answer is not None:
            os.write(ours, answer.encode())
        out, err = process.communicate(timeout=60)
    asked = shown_by(ours, theirs).decode()
    return process.returncode, out + err, asked if answer is not None else ""


def ran(folder: Path) -> str:
    return (folder / "ran").read_text() if (folder / "ran").exists() else ""


def test_the_server_of_a_masked_recording_gets_its_exact_arguments_again(folder: Path) -> None:
    path = tapped(folder)
    assert S not in Path(path).read_text()
    given = ["--secret", "token=ONE", "--secret", "key=TWO"]
    status, said, _ = mcptap("send", path, *given, ONE=S, TWO=f"{S}2")
    assert status == 0, said
    assert ran(folder) == repr(["--token", S, f"https://h/?key={S}2"])
    assert S not in said
    new = next((folder / "state").rglob("*.jsonl"))
    assert S not in new.read_text()


def test_without_a_value_and_a_terminal_nothing_is_started(folder: Path) -> None:
    status, said, _ = mcptap("send", tapped(folder), "--secret", "token=ONE", ONE=S)
    assert (status, said.count("\n")) == (2, 1)
    assert "--secret key=VARIABLE" in said
    assert ran(folder) == ""
    assert len(list(folder.rglob("*.jsonl"))) == 1


def test_what_is_missing_is_asked_for_on_the_terminal_and_is_not_seen_there(folder: Path) -> None:
    status, said, asked = mcptap("send", tapped(folder), "--secret", "5=ONE", answer=f"{S}\n", ONE="q")
    assert status == 0, said
    assert "value of --token (word 4), recorded as ‹masked:" in asked
    assert ran(folder) == repr(["--token", S, "https://h/?key=q"])


def test_a_probe_as_in_a_recording_needs_them_too(folder: Path) -> None:
    path = tapped(folder)
    assert mcptap("probe", "--timeout", "1", "--like", path)[0] == 2
    assert ran(folder) == ""
    given = ["--secret", "token=ONE", "--secret", "key=TWO"]
    said = mcptap("probe", "--timeout", "1", "--like", path, *given, ONE=S, TWO="other")[1]
    assert ran(folder) == repr(["--token", S, "https://h/?key=other"])
    assert S not in said


def test_a_recording_that_keeps_its_secrets_needs_none(folder: Path) -> None:
    path = tapped(folder, "--record-secrets")
    assert S in Path(path).read_text()
    assert mcptap("send", path)[0] == 0
    assert ran(folder) == repr(["--token", S, f"https://h/?key={S}2"])


def test_the_question_about_a_strange_recording_never_shows_a_secret(folder: Path) -> None:
    env = {"names": ["PATH"], "values": {"PATH": os.environ["PATH"]}, "placeholders": {}}
    argv = [sys.executable, "-c", MARK, "--token", S, "--pw", "$(rm x)"]
    old = str(record(folder / "old.jsonl", STEPS, argv=argv, cwd=str(folder), env=env))
    status, said, asked = mcptap("send", old, answer="y\n")
    assert status == 1, said
    assert S not in asked + said
    assert "$(rm x)" in asked, "what may be a script is shown"
    assert ran(folder) == repr(argv[3:])
    (folder / "ran").unlink()
    fields = json.loads(Path(tapped(folder)).read_text().split("\n")[0])
    masked = {name: fields[name] for name in ("argv", "masked")}
    path = str(record(folder / "masked.jsonl", STEPS, **masked, cwd=str(folder), env=env))
    status, said, asked = mcptap(
        "send", path, "--secret", "key=ONE", "--secret", "token=ONE", answer="y\n", ONE=S
    )
    assert ran(folder) == repr(["--token", S, f"https://h/?key={S}"]), said
    assert S not in asked + said


def test_changed_positions_make_a_recording_a_strange_one(folder: Path) -> None:
    path = Path(tapped(folder))
    text = path.read_text()
    masked = json.loads(text.split("\n")[0])["masked"]
    assert len(masked) == 2
    path.write_text(text.replace(f'"masked":[[{masked[0][0]},', '"masked":[[1,0,2],[4,', 1))
    status, said, _ = mcptap("send", str(path), "--secret", "token=ONE", ONE=S)
    assert status == 2
    assert "was not made by this installation" in said
    assert ran(folder) == ""


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("token", "takes NAME=VARIABLE"),
        ("token=", "takes NAME=VARIABLE"),
        ("nope=ONE", "there is --token (word 1)"),
        ("token=NO_SUCH_VARIABLE", "no environment variable NO_SUCH_VARIABLE"),
    ],
)
def test_a_wrong_option_is_one_sentence(given: str, words: str) -> None:
    header = Header({"mcptap": 1, "argv": ["x", "--token=‹masked:abcdef›"], "masked": [[1, 8, 27]]})
    plan = relaunch(header, [], None, {})
    with pytest.raises(UserError) as caught:
        fill_in(plan, [given])
    assert words in str(caught.value)


def test_the_screens_own_variables_go_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    header = Header({"mcptap": 1, "argv": ["x", "--token=‹masked:abcdef›"], "masked": [[1, 8, 27]]})
    monkeypatch.setenv("MCPTAP_SECRET_0", S)
    assert fill_in(relaunch(header, [], None, {}), ["1=MCPTAP_SECRET_0"]).argv == ["x", f"--token={S}"]
    assert "MCPTAP_SECRET_0" not in os.environ
