from __future__ import annotations

import pytest

from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.checks.names import too_long
from tests.setup.machines import findings, found_in, worse

SERVER = {"command": "npx", "args": ["-y", "x"]}


@pytest.mark.parametrize(
    ("client", "name", "level"),
    [
        ("claude-code", "team docs", Level.WARNING),
        ("gemini-cli", "git_tools", Level.WARNING),
        ("cursor", "team docs", Level.INFO),
        ("claude-code", "git_tools-2", None),
        ("gemini-cli", "git-tools", None),
    ],
)
def test_names_that_a_client_asks_not_for(client, name, level):
    found = found_in(client, SERVER, name).get("server-name")
    assert (found and found.level) is level


def test_a_name_twice_in_one_object_loses_an_entry():
    text = '{"mcpServers": {"db": {"command": "npx"}, "ok": {"command": "npx"}, "db": {"command": "node"}}}'
    (found,) = [one for one in findings("claude-code", text) if one.check == "name-twice"]
    assert (found.level, found.server, found.places) == (
        Level.ERROR,
        "db",
        ("/home/sam/shop/.mcp.json:1:69",),
    )
    assert found.effect.words == "Claude Code takes the last one and says nothing"


def test_a_name_twice_in_a_list_is_a_warning():
    text = "mcpServers:\n  - {name: a, command: a-server}\n  - {name: a, command: a-server}\n"
    (found,) = [one for one in findings("continue", text) if one.check == "name-twice"]
    assert (found.level, "not known" in found.effect.words) == (Level.WARNING, True)


def test_names_of_tools_that_become_too_long_with_that_of_the_server():
    roo = CLIENTS["roo"]
    assert too_long(roo, "short", ["tool"]) is None
    said = too_long(roo, "s" * 40, ["ok", "t" * 30])
    assert said is not None
    assert f"{len('mcp--') + 40 + 2 + 30} characters" in said.message
    assert too_long(CLIENTS["cursor"], "s" * 90, ["t"]) is None
    found = found_in("roo", {**SERVER, "alwaysAllow": ["t" * 60]})
    assert worse(found) == ["tool-names-long"]


def test_a_key_around_entries_that_stands_twice_is_told_since_only_one_of_the_two_counts():
    text = '{"mcpServers": {"a": {"command": "a-server", "args": []}},\n "mcpServers": {}}'
    (found,) = [one for one in findings("claude-code", text) if one.level > Level.INFO]
    assert (found.check, found.line) == ("name-twice", 1)
    assert found.message == "The key mcpServers stands 2 times in the same place."
    assert found.effect.words == "Claude Code takes the last one and says nothing"
