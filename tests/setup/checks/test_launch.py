from __future__ import annotations

import json

import pytest

from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.edits import applied
from tests.setup.machines import entry, findings, found_in, worse


@pytest.mark.parametrize("args", [["x"], ["@scope/x@latest", "-y"], ["--package", "x", "x"]])
def test_npx_without_y_is_a_warning_with_a_certain_repair(args):
    text = json.dumps(entry("claude-code", {"command": "npx", "args": args}))
    found = {one.check: one for one in findings("claude-code", text)}["npx-asks"]
    assert (found.level, found.fix is None) == (Level.WARNING, False)
    fixed = json.loads(applied(text.encode(), found.fix.edits))
    assert fixed == entry("claude-code", {"command": "npx", "args": ["-y", *args]})


@pytest.mark.parametrize("args", [["-y", "x"], ["--yes", "x"], ["--no-install", "x"], []])
def test_npx_that_asks_nothing_is_fine(args):
    assert "npx-asks" not in found_in("claude-code", {"command": "npx", "args": args})


def test_npx_in_an_array_gets_its_y_too():
    text = json.dumps(entry("opencode", {"type": "local", "command": ["npx", "x"]}))
    found = {one.check: one for one in findings("opencode", text)}["npx-asks"]
    assert json.loads(applied(text.encode(), found.fix.edits))["mcp"]["one"]["command"] == ["npx", "-y", "x"]


def test_a_container_in_the_background_connects_nobody():
    found = found_in("claude-code", {"command": "docker", "args": ["run", "-d", "image"]})
    assert worse(found) == ["no-server"]
    assert "leave out `-d`" in found["no-server"].message
    assert worse(found_in("claude-code", {"command": "docker", "args": ["run", "-i", "--rm", "image"]})) == []


def test_a_package_that_is_fetched_may_take_longer_than_the_shortest_client_of_the_file_waits():
    server = {"command": "uvx", "args": ["x"]}
    found = found_in("cline", server, shared=False)
    assert worse(found) == ["slow-start"]
    assert "Cline CLI gives the server 3 s" in found["slow-start"].message
    assert worse(found_in("cline", {**server, "timeout": 120}, shared=False)) == []
    assert worse(found_in("cline", {"command": "a-server"}, shared=False)) == []
    assert worse(found_in("claude-code", server)) == []


def test_a_time_limit_in_the_wrong_unit_is_a_warning():
    found = found_in("claude-code", {"command": "a-server", "timeout": 30})
    assert worse(found) == ["timeout-short"]
    assert found["timeout-short"].effect.words == "Claude Code does not take less than 1000 ms"
    assert "30 s are 30000" in found["timeout-short"].remedy
    assert worse(found_in("claude-code", {"command": "a-server", "timeout": 30000})) == []
    assert worse(found_in("roo", {"command": "a-server", "timeout": 30})) == []
    huge = '{"mcpServers": {"a": {"command": "a-server", "timeout": %s}}}' % ("9" * 400)
    assert [one.check for one in findings("claude-code", huge) if one.level > Level.INFO] == []


def test_of_arguments_that_can_not_be_told_nothing_is_concluded():
    assert worse(found_in("claude-code", {"command": "python3", "args": ["-m", "x", 3]})) == [
        "entry-unusable"
    ]


def test_a_limit_of_the_command_line_does_not_count_in_a_file_that_it_does_not_read():
    file = next(one for one in CLIENTS["cline"].configuration.files.value if one.older)
    found = findings("cline", entry("cline", {"command": "uvx", "args": ["x"]}), file=file)
    assert "slow-start" not in [one.check for one in found]
