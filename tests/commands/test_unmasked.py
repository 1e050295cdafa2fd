"""Secrets in command lines and quotations: masked in every output, unless exact is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptap.commands import main
from tests.helpers import END, call, handshake, record, text_result

SECRETS = ("abcd1234efgh", "hunter22", "hunter33")


def recorded(path: Path, word: str = "abcd1234efgh", answer: str = "x") -> str:
    """A session with secrets in its command line, and in a line of stdout that is no message."""
    steps = [
        *handshake(),
        ("s2c", b"ready, password=hunter22 for abcd1234efgh\n"),
        ("c2s", call(1, "login", {"api_key": "hunter33"})),
        ("s2c", text_result(1, answer)),
        *END,
    ]
    return str(record(path, steps, argv=["srv", "--token", word]))


@pytest.mark.parametrize(
    "command",
    [
        ["check"],
        ["check", "--json"],
        ["check", "--sarif"],
        ["check", "--github"],
        ["ls", "--json"],
    ],
    ids=" ".join,
)
def test_secrets_are_masked_unless_exact_is_asked_for(tmp_path, capsys, command):
    file = recorded(tmp_path / "a.jsonl")
    place = [str(tmp_path) + "/"] if command[0] == "ls" else [file]
    main([*command, *place])
    masked = capsys.readouterr().out
    assert not [secret for secret in SECRETS if secret in masked]
    assert "masked:" in masked
    main([*command, *place, "--unmasked"])
    exact = capsys.readouterr().out
    assert "abcd1234efgh" in exact
    assert "masked:" not in exact


def test_show_masks_command_line_and_findings_and_shows_messages_as_they_are(tmp_path, capsys):
    file = recorded(tmp_path / "a.jsonl")
    main(["show", file])
    lines = capsys.readouterr().out.splitlines()
    told = [line for line in lines if line.startswith(("!!!", "weather"))]
    assert len(told) >= 2
    assert not [line for line in told for secret in SECRETS if secret in line]
    assert any("hunter33" in line for line in lines)
    main(["show", file, "--unmasked"])
    assert "--token abcd1234efgh" in capsys.readouterr().out


def test_show_raw_is_exact(tmp_path, capfdbinary):
    main(["show", recorded(tmp_path / "a.jsonl"), "--raw", "s2c"])
    assert b"password=hunter22 for abcd1234efgh" in capfdbinary.readouterr().out


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_diff_masks_what_differs(tmp_path, capsys, form):
    old = recorded(tmp_path / "a.jsonl", "abcd1234efgh", "token=hunter44")
    new = recorded(tmp_path / "b.jsonl", "other5678abc", "token=hunter55")
    secrets = ("abcd1234efgh", "other5678abc", "hunter44", "hunter55", "hunter33")
    assert main(["diff", old, new, *form]) == 1
    masked = capsys.readouterr().out
    assert not [secret for secret in secrets if secret in masked]
    main(["diff", old, new, *form, "--unmasked"])
    exact = capsys.readouterr().out
    assert all(secret in exact for secret in secrets[:4])


def test_fingerprints_of_findings_stay_the_same_from_one_check_to_the_next(tmp_path, capsys):
    argv = ["srv", "--x", "${HOME}/?token=abc12345"]
    file = str(record(tmp_path / "a.jsonl", [*handshake(), *END], argv=argv))
    prints = []
    for _ in range(2):
        main(["check", "--sarif", file])
        results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
        prints.append([result["partialFingerprints"] for result in results])
    assert prints[0] == prints[1]
    assert "abc12345" not in str(prints)
