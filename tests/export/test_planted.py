"""Secrets all over a session: none comes through any form of an export, nor of what check says of it."""

from __future__ import annotations

import random

import pytest

from mcptap.commands import main
from tests.helpers import END, SPAWN, handshake, record
from tests.masking.planting import message_with, spellings

MANY = 120


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A session, and the secrets that stand in it: in messages, in what is none, and on stderr."""
    chance = random.Random(15)
    steps, secrets = [SPAWN, *handshake()], []
    for _ in range(MANY):
        data, forbidden = message_with(chance)
        channel = chance.choice(("s2c", "s2c", "c2s", "stderr"))
        if b"\n" not in data:
            steps.append((channel, data + b"\n"))
            secrets += forbidden
    path = record(tmp_path_factory.mktemp("planted") / "a.jsonl", [*steps, *END])
    return str(path), [spelled for secret in secrets for spelled in spellings(secret)]


@pytest.mark.parametrize("form", ["jsonl", "md", "html"])
def test_no_form_of_an_export_has_one(planted, form, capsysbinary):
    path, spelled = planted
    assert main(["export", path, "--format", form]) == 0
    made = capsysbinary.readouterr().out
    assert made.count("‹masked:".encode()) > 20
    assert [secret for secret in spelled if secret in made] == []


def test_no_form_of_check_has_one(planted, tmp_path, capsysbinary):
    path, spelled = planted
    others = [f"{form}={tmp_path / form}" for form in ("json", "sarif", "github", "junit")]
    main(["check", path, *(word for other in others for word in ("--also", other))])
    made = [capsysbinary.readouterr().out, *(file.read_bytes() for file in tmp_path.iterdir())]
    assert len(made) == 5
    assert all(b"error" in each for each in made)
    assert [secret for secret in spelled if any(secret in each for each in made)] == []
