"""`mcptap export` as a user runs it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mcptap.commands import main
from tests.export.sessions import SECRETS, with_secrets


@pytest.fixture
def session(tmp_path):
    return with_secrets(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("name", "begins"), [("x.md", b"## "), ("x.html", b"<!doctype"), ("x.jsonl", b'{"mcptap"')]
)
def test_the_form_is_told_by_the_name_and_secrets_are_masked_unless_they_are_wanted(
    session, tmp_path, capsys, name, begins
):
    target = tmp_path / name
    assert main(["export", session, "-o", str(target)]) == 0
    made = target.read_bytes()
    assert made.startswith(begins)
    assert not [secret for secret in SECRETS if secret.encode() in made]
    assert f"{target}: written" in capsys.readouterr().err
    assert main(["export", session, "-o", str(target)]) == 2
    assert "--force" in capsys.readouterr().err
    assert main(["export", session, "-o", str(target), "--force", "--unmasked"]) == 0
    assert [secret for secret in SECRETS if secret.encode() in target.read_bytes()] == list(SECRETS)


def test_standard_output_gets_it_alone(session, capsysbinary):
    assert main(["export", session, "--format", "jsonl", "--filter", "stderr"]) == 0
    kinds = [json.loads(line)["k"] for line in capsysbinary.readouterr().out.splitlines()]
    assert kinds[:2] == ["header", "line"]
    assert len(kinds) < 5


def test_several_recordings_go_into_a_folder_each(session, tmp_path, capsys):
    (tmp_path / "out").mkdir()
    with_secrets(tmp_path / "b.jsonl")
    (tmp_path / "c.txt").write_text("no capture\n")
    args = ["export", str(tmp_path), "--format", "jsonl"]
    assert main([*args, "-o", str(tmp_path / "one.jsonl")]) == 2
    assert "need a folder" in capsys.readouterr().err
    assert main([*args, "-o", str(tmp_path / "out")]) == 0
    assert sorted(os.listdir(tmp_path / "out")) == ["a.masked.jsonl", "b.masked.jsonl"]


def test_what_can_t_be_used_is_told_and_the_rest_exported(session, tmp_path, capsys):
    (tmp_path / "c.txt").write_text("")
    assert main(["export", session, str(tmp_path / "c.txt")]) == 2
    said = capsys.readouterr()
    assert said.out.startswith("## weather")
    assert "c.txt" in said.err


@pytest.mark.parametrize("form", ["md", "html", "jsonl"])
@pytest.mark.parametrize("content", ["", "{", "nothing that is known\n" * 3])
def test_a_foreign_file_is_refused_in_a_sentence_and_leaves_nothing(tmp_path, capsys, form, content):
    path = tmp_path / "x.bin"
    path.write_text(content)
    target = tmp_path / "target"
    status = main(["export", str(path), "--format", form, "-o", str(target)])
    said = capsys.readouterr().err
    if status == 2:
        assert said.startswith("mcptap: ")
        assert os.listdir(tmp_path) == ["x.bin"]
    assert "Traceback" not in said


@pytest.mark.parametrize("form", ["md", "html", "jsonl"])
def test_a_recording_that_was_cut_is_exported_as_what_it_is(session, tmp_path, form):
    data = Path(session).read_bytes()
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(data[: len(data) * 2 // 3])
    target = tmp_path / f"x.{form}"
    assert main(["export", str(cut), "-o", str(target)]) == 0
    if form != "jsonl":
        assert "The recording ends in the middle" in target.read_text()


def test_a_capture_is_exported_as_far_as_it_shows(tmp_path):
    log = tmp_path / "x.txt"
    log.write_text('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
    target = tmp_path / "x.md"
    assert main(["export", str(log), "-o", str(target)]) == 0
    assert "Read as bare JSON-RPC lines" in target.read_text()
