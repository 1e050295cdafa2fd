from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mcptap.clients.configs.contents import entries_of
from mcptap.clients.configs.find import FoundConfig
from mcptap.clients.table import CLIENTS
from mcptap.errors import UserError
from mcptap.setup.doctor.examination import examine
from mcptap.setup.doctor.finding import Fix
from mcptap.setup.doctor.repair import plan
from mcptap.setup.doctor.subject import ExaminedFile
from mcptap.setup.edits import Edit
from tests.setup.machines import entry, file_of, machine


def examined(path: Path, text: str, client: str = "claude-code") -> ExaminedFile:
    path.write_text(text)
    found = FoundConfig(CLIENTS[client], path, (file_of(client, shared=False),), True, ((0, 0),))
    return ExaminedFile(entries_of(found), machine())


def planned(file: ExaminedFile) -> object:
    repair = plan(file, examine([file]))
    assert repair is not None
    return json.loads(repair.new)


def test_several_repairs_of_one_file_are_made_at_once(tmp_path):
    text = """{"mcpServers": {
      "a": {"command": ["npx", "-y", "a"]},
      "b": {"command": "npx", "args": ["b", "~/x"], "env": {"PORT": 1}},
      "c": {"command": "node", "args": ["${CLAUDE_PROJECT_DIR}/c.js"],},
    }}"""
    assert planned(examined(tmp_path / "a.json", text)) == {
        "mcpServers": {
            "a": {"command": "npx", "args": ["-y", "a"]},
            "b": {"command": "npx", "args": ["-y", "b", "/home/sam/x"], "env": {"PORT": "1"}},
            "c": {"command": "node", "args": ["${CLAUDE_PROJECT_DIR:-.}/c.js"]},
        }
    }


def test_a_key_is_renamed_and_what_is_below_it_is_shown_the_next_time(tmp_path):
    file = examined(tmp_path / "mcp.json", '{"servers": {"a": {"command": "npx", "args": ["a"]}}}', "cursor")
    assert planned(file) == {"mcpServers": {"a": {"command": "npx", "args": ["a"]}}}


def test_without_anything_to_repair_there_is_no_plan(tmp_path):
    data = json.dumps(entry("claude-code", {"command": "npx", "args": ["-y", "x"]}))
    file = examined(tmp_path / "a.json", data)
    assert plan(file, examine([file])) is None


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path):
    data = json.dumps(entry("claude-code", {"command": "npx", "args": ["x"]}))
    file = examined(tmp_path / "a.json", data)
    (tmp_path / "a.json").write_text(data + "\n")
    with pytest.raises(UserError, match="was changed while it was looked at; nothing is changed"):
        plan(file, examine([file]))


@pytest.mark.parametrize("edit", [Edit(0, 1, b"["), Edit(1, 1, b'"x": 1, '), Edit(16, 19, b'"b"')])
def test_an_edit_that_does_something_else_is_not_made(tmp_path, edit):
    data = json.dumps(entry("claude-code", {"command": "npx", "args": ["x"]}))
    file = examined(tmp_path / "a.json", data)
    wrong = [
        replace(one, fix=Fix("breaks it", (edit,))) if one.fix is not None else one for one in examine([file])
    ]
    with pytest.raises(UserError, match="the repair of npx-asks would not do what it is to do"):
        plan(file, wrong)


def test_of_two_repairs_of_the_same_bytes_one_is_left_for_the_next_time(tmp_path):
    data = json.dumps(entry("claude-code", {"command": "npx", "args": ["x"]}))
    file = examined(tmp_path / "a.json", data)
    (found,) = [one for one in examine([file]) if one.fix is not None]
    repair = plan(file, [found, replace(found, check="other")])
    assert repair is not None
    assert [one.check for one in repair.findings] == ["npx-asks"]
