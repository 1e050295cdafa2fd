"""Real sessions in which all went well, of servers and clients in four languages: nobody is accused."""

import json
import tomllib
from pathlib import Path

import pytest

from mcptap.commands import main

FOLDER = Path(__file__).parent / "healthy"
ABOUT = tomllib.loads((FOLDER / "about.toml").read_text())


@pytest.mark.parametrize("name", sorted(ABOUT))
def test_nothing_is_wrong_with_a_healthy_session(name: str, capsys: pytest.CaptureFixture[str]):
    status = main(["check", "--no-config", "--json", str(FOLDER / f"{name}.jsonl")])
    told = json.loads(capsys.readouterr().out)
    assert [f["message"] for f in told["findings"] if f["level"] != "info"] == []
    assert [file["outcome"] for file in told["files"]] == ["healthy"]
    assert status == 0


def test_every_recording_is_told_of_and_names_no_place_of_the_machine_that_made_it():
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(ABOUT)
    for path in FOLDER.glob("*.jsonl"):
        text = path.read_text()
        assert not any(place in text for place in ("/root", "/home/", "/tmp/", "/work/"))
