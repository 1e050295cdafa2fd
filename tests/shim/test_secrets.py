"""No secret of the command line in what the tap says and stores; the server gets all of it."""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

import pytest

from mcptap.commands import main
from mcptap.masking.masker import Masker
from tests.masking.planting import any_secret, argv_with
from tests.shim.conftest import Start
from tests.shim.running import PYTHON

S = "Plnt3dS3cret9x"
TELL = [*PYTHON, "-c", "import sys, os; print(sys.argv[1:], os.environ.get('FOO'))"]
COMMANDS = [
    [*TELL, f"--token={S}"],
    [*TELL, "--token", S],
    [*TELL, "--header", f"Authorization: Bearer {S}"],
    [*TELL, f"https://user:{S}@host/?key={S}&x=1"],
    [*TELL, f'{{"env":{{"API_KEY":"{S}"}},"args":["--pw","{S}"]}}'],
    [*TELL, "--password", f"{S}\udcff"],
    ["env", f"FOO={S}", f"API_KEY={S}", *TELL],
    ["sh", "-c", f"TOKEN={S} exec cat"],
    [f"API_KEY={S} cat"],
    ["no-such-program", "--token", S],
    ["uvx", "--token", S, "some-server"],
]


def everything(folder: Path) -> bytes:
    """All names and contents of files below the state folder, but for the key."""
    files = [path for path in (folder / "state").rglob("*") if path.is_file() and path.name != "key"]
    return b"\0".join(os.fsencode(path) + b"\0" + path.read_bytes().split(b"\n")[0] for path in files)


@pytest.mark.parametrize("command", COMMANDS, ids=range(len(COMMANDS)))
def test_what_the_tap_says_and_stores_has_no_secret_and_the_server_gets_it(
    start: Start, tmp_path: Path, command: list[str]
) -> None:
    direct = start(command, direct=True).finish(b"x\n") if command[0] in (*PYTHON, "env", "sh") else None
    tap = start(command, options=[])
    status, out, err = tap.finish(b"x\n")
    if direct is not None:
        assert (status, out) == direct[:2]
    assert S.encode() not in err + everything(tmp_path)
    assert "‹masked:".encode() in err + everything(tmp_path)
    if command[0] in (*PYTHON, "env"):
        assert S.encode() in out


def test_a_line_that_the_tap_quotes_is_quoted_without_its_secrets(start: Start, tmp_path: Path) -> None:
    lines = (f"api_key={S} of https://u:{S}@host", f'token={S} {{"jsonrpc":"2.0","id":1,"result":{{}}}}')
    _, out, err = start([*PYTHON, "-c", f"print({lines[0]!r}); print({lines[1]!r})"], options=[]).finish(b"")
    assert out.count(S.encode()) == 3
    assert err.count(b"mcptap: stdout line ") == 2
    assert S.encode() not in err


def header_in(folder: Path) -> dict[str, object]:
    (path,) = folder.rglob("*.jsonl")
    fields: dict[str, object] = json.loads(path.read_bytes().split(b"\n")[0])
    return fields


def test_the_header_says_where_masks_stand(start: Start, tmp_path: Path) -> None:
    command = [*TELL, "a", f"ü--token={S}", "--pw", "\udcff\udcfe"]
    tap = start(command)
    tap.finish()
    fields = header_in(tmp_path)
    words, masked = fields["argv"], fields["masked"]
    assert isinstance(words, list)
    assert isinstance(masked, list)
    assert [at for at, _, _ in masked] == [len(command) - 3, len(command) - 1]
    for at, start_, end in masked:
        piece = words[at].encode()[start_:end].decode()
        assert piece.startswith("‹masked:")
        assert piece.endswith("›")


def test_secrets_are_kept_only_if_asked_for_and_not_told_even_then(start: Start, tmp_path: Path) -> None:
    tap = start([*TELL, "--token", S], options=["--record-secrets"])
    assert S.encode() not in tap.finish()[2]
    fields = header_in(tmp_path)
    assert S in json.dumps(fields["argv"])
    assert "masked" not in fields


def test_equal_secrets_look_equal_in_all_recordings_of_a_user(start: Start, tmp_path: Path) -> None:
    for name, word in (("one", S), ("two", S), ("three", f"{S}2")):
        start([*TELL, "--token", word], options=["--name", name]).finish()
    heads = {}
    for path in (tmp_path / "state").rglob("*.jsonl"):
        fields = json.loads(path.read_bytes().split(b"\n")[0])
        heads[fields["name"]] = fields["argv"][-1]
    assert heads["one"] == heads["two"] != heads["three"]


def test_names_and_parents_have_no_secrets(start: Start, tmp_path: Path) -> None:
    shell = f"{sys.executable} -m mcptap run --name token={S} -- cat --token={S}; true TOKEN={S}"
    start(["sh", "-c", shell, "--password", S], direct=True).finish()
    stored = everything(tmp_path)
    assert b'"masked":[[' in stored
    assert S.encode() not in stored


def test_a_folder_with_a_secret_in_its_name_is_not_told(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / f"api_key={S}"
    folder.mkdir()
    script = f"cd '{folder}' && exec {sys.executable} -m mcptap run -- pwd"
    _, out, err = start(["sh", "-c", script], direct=True).finish()
    assert out.decode().strip() == str(folder)
    assert S.encode() not in err + everything(tmp_path)


def test_a_password_between_percent_signs_is_no_placeholder(start: Start, tmp_path: Path) -> None:
    from tests.shim.running import environment

    variables = {**environment(tmp_path), "PW": f"%{S}%", "API_KEY": "%API_KEY%", "X": "%GITHUB_TOKEN%"}
    tap = start(["cat"], env=variables)
    tap.finish()
    fields = header_in(tmp_path)
    env = fields["env"]
    assert isinstance(env, dict)
    assert env["placeholders"] == {"API_KEY": "%API_KEY%", "X": "%GITHUB_TOKEN%"}


def test_the_tap_and_what_shows_a_command_line_mask_the_same(tmp_path, monkeypatch) -> None:
    from mcptap.recording.made_here import installation_key, masker
    from mcptap.shim.launch import Launch

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert installation_key()
    chance = random.Random(7)
    for _ in range(1500):
        argv = argv_with(chance, any_secret(chance))
        launch = Launch([os.fsencode(word) for word in argv], None, {}, "x")
        shown = [os.fsdecode(word) for word in launch.shown]
        assert shown == masker().argv(argv)
        assert Masker().argv(shown) == shown


@pytest.mark.parametrize("command", ["check", "check --json", "show", "ls --json"])
def test_of_planted_secrets_none_is_in_any_output(tmp_path, monkeypatch, capsys, command) -> None:
    from mcptap.shim.launch import Launch

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    chance = random.Random(command)
    for number in range(60):
        secret = any_secret(chance)
        argv = argv_with(chance, secret)
        launch = Launch([os.fsencode(word) for word in argv], None, {}, "")
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(launch.header(locked=False))
        main([*command.split(), f"{tmp_path}/" if command.startswith("ls") else str(path)])
        out = capsys.readouterr().out + path.read_text()
        assert secret not in out
