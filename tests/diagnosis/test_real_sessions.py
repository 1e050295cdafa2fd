"""Real sessions of real servers and clients: what is said about them is noted, and nothing else is said."""

import json
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from mcptap.commands import main

FOLDER = Path(__file__).parent / "real"
NOTES = tomllib.loads((FOLDER / "notes.toml").read_text())


@pytest.mark.parametrize("name", sorted(NOTES))
def test_the_findings_are_those_that_were_found_true(name: str, capsys: pytest.CaptureFixture[str]):
    main(["check", "--no-config", "--json", str(FOLDER / f"{name}.jsonl")])
    found = json.loads(capsys.readouterr().out)["findings"]
    noted = {(n["rule"], n["level"]): n["times"] for n in NOTES[name].get("finding", [])}
    assert Counter((f["rule"], f["level"]) for f in found) == noted


def test_every_finding_has_its_reason_and_every_recording_its_note():
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(NOTES)
    for note in NOTES.values():
        assert all(finding["why"].startswith("true: ") for finding in note.get("finding", []))


def test_the_recordings_name_no_place_of_the_machine_that_made_them():
    for path in FOLDER.glob("*.jsonl"):
        header = json.loads(path.read_text().splitlines()[0])
        assert header["cwd"] == "/tmp/mcptap-demo"
        assert "/root/" not in path.read_text()
        assert "/home/" not in path.read_text()
