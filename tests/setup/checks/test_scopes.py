from __future__ import annotations

from mcptap.clients.configs.contents import contents_of
from mcptap.clients.configs.find import FoundConfig
from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.doctor.examination import examine
from mcptap.setup.doctor.subject import ExaminedFile
from tests.setup.machines import HOME, examined_file, machine

SERVER = '{"command": "npx", "args": ["-y", "x"]}'


def scopes(*files):
    return [one for one in examine(files) if one.check == "name-in-scopes"]


def claude_json(text):
    client = CLIENTS["claude-code"]
    files = tuple(file for file in client.configuration.files.value if file.path == "~/.claude.json")
    found = FoundConfig(client, HOME / ".claude.json", files, True, tuple((i, 0) for i in (0, 2)))
    return ExaminedFile(contents_of(found, text.encode()), machine())


def test_the_local_entry_wins_in_its_project_and_the_other_is_named():
    text = f'{{"mcpServers": {{"a": {SERVER}}},\n "projects": {{"/p": {{"mcpServers": {{"a": {SERVER}}}}}}}}}'
    (found,) = scopes(claude_json(text))
    assert (found.level, found.line, found.scope) == (Level.INFO, 2, "local")
    assert found.message == (
        "The name a stands in the user scope too, at /home/sam/.claude.json:1:17; in /p Claude Code uses "
        "this one, of the local scope."
    )


def test_two_projects_do_not_meet():
    local = f'{{"mcpServers": {{"a": {SERVER}}}}}'
    assert scopes(claude_json(f'{{"projects": {{"/p": {local}, "/q": {local}}}}}')) == []


def test_where_it_is_not_known_which_wins_it_is_a_warning():
    data = {"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"]}}}
    user = examined_file("windsurf", data, shared=False)
    other = examined_file("windsurf", data, shared=False, path="/home/sam/other.json")
    (found,) = scopes(user, other)
    assert (found.level, "not known" in found.message) == (Level.WARNING, True)


def test_other_names_and_other_clients_do_not_meet():
    data = {"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"]}}}
    assert scopes(examined_file("cursor", data), examined_file("kiro", data)) == []
