"""Every sample: what is wrapped is what its note says, and it comes back in its very bytes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from mcptap.clients.configs.find import surroundings
from mcptap.clients.table import CLIENTS
from mcptap.setup.changes import FileChange, planned, unwrap_change, wrap_change
from mcptap.setup.choice import candidates, choose
from mcptap.setup.opened import Opened, open_named
from mcptap.setup.reasons import why_not_unwrapped, why_not_wrapped
from mcptap.setup.records import all_records
from tests.setup.test_changes import raised
from tests.setup.test_edits import OWN

SAMPLES = Path(__file__).parents[1] / "clients" / "configs" / "samples"
NOTES = sorted(SAMPLES.rglob("*.expected.json"))
IDS = {"gemini": "gemini-cli", "claude-code or visual-studio": "visual-studio"}
CHANGED = {
    "02-claude-user": {"files"},
    "14-continue": set(),
    "19-wrong-key": {"a"},
}
"""What is wrapped where the note has a sentence for it: all of a file were asked for."""


@pytest.fixture(params=NOTES, ids=[path.relative_to(SAMPLES).parts[0] for path in NOTES])
def sample(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, dict[str, Any], Path]:
    """The name of a sample, its note, and a copy of its file."""
    note: Path = request.param
    inside = note.relative_to(SAMPLES)
    copy = tmp_path / "home" / inside.with_name(inside.name.removesuffix(".expected.json"))
    copy.parent.mkdir(parents=True)
    shutil.copyfile(SAMPLES / inside.with_name(copy.name), copy)
    copy.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    if copy.suffix == ".yaml":
        pytest.importorskip("yaml")
    return inside.parts[0], json.loads(note.read_bytes()), copy


def opened(note: dict[str, Any], path: Path) -> list[Opened]:
    client = CLIENTS[IDS.get(note["client"], note["client"])]
    return open_named(str(path), client, surroundings()).opened


def wrapped(note: dict[str, Any], path: Path) -> list[FileChange]:
    every = candidates(opened(note, path), "", lambda _, entry: why_not_wrapped(entry, str(path.parent)))
    words = OWN[:1]
    chosen = choose(every, [], "").chosen
    return planned(chosen, lambda one: wrap_change(one, words, []), wraps=True, refused=raised)


def unwrapped(note: dict[str, Any], path: Path) -> list[FileChange]:
    every = candidates(opened(note, path), "", lambda _, entry: why_not_unwrapped(entry))
    return planned(choose(every, [], "").chosen, unwrap_change, wraps=False, refused=raised)


def test_what_is_wrapped_comes_back(sample: tuple[str, dict[str, Any], Path]) -> None:
    name, note, path = sample
    before = path.read_bytes()
    if name == "21-already-wrapped":
        before = before.replace(b"mcptap", b"mcp_tap")  # so that nothing is behind it yet
        path.write_bytes(before)
    files = wrapped(note, path)
    done = {change.candidate.entry.name for file in files for change in file.changes}
    said = note["wrap"]["changes"]
    if name != "21-already-wrapped":
        assert done == (set(said) if isinstance(said, list) else CHANGED[name])
    for file in files:
        file.make()
    assert (path.read_bytes() == before) is not bool(done)
    assert path.stat().st_mode & 0o777 == 0o600
    for file in unwrapped(note, path):
        file.make()
    assert path.read_bytes() == before
    assert list(all_records()) == []


def test_lines_end_as_they_did(sample: tuple[str, dict[str, Any], Path]) -> None:
    _, note, path = sample
    ends = path.read_bytes().count(b"\r\n"), path.read_bytes().count(b"\n")
    for file in wrapped(note, path):
        assert (ends[0] == 0) is (file.new.count(b"\r\n") == 0)
        assert ends[0] != ends[1] or file.new.count(b"\r\n") == file.new.count(b"\n")
        assert file.new.startswith(path.read_bytes()[:3])


def test_what_is_behind_mcptap_comes_out_without_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / ".mcp.json"
    before = (SAMPLES / "21-already-wrapped" / ".mcp.json").read_bytes()
    path.write_bytes(before)
    note = {"client": "claude-code"}
    assert {c.candidate.entry.name for f in wrapped(note, path) for c in f.changes} == {
        "other-wrapper",
        "mcptap",
    }
    (file,) = unwrapped(note, path)
    servers = json.loads(file.new)["mcpServers"]
    was = json.loads(before)["mcpServers"]
    assert servers == {
        **was,
        "abs": {"command": "npx", "args": ["-y", "abs-mcp"]},
        "uvx": {"command": "python", "args": ["-m", "u"]},
        "twice": {"command": "node", "args": ["t.js"]},
        "edited": {"command": "node", "args": ["e.js", "--added-by-hand"], "env": {"NEW": "1"}},
    }
