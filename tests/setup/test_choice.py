"""Which entries a user means."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.clients.configs.find import Surroundings
from mcptap.clients.table import CLIENTS
from mcptap.errors import UserError
from mcptap.setup.choice import Candidate, candidates, choose
from mcptap.setup.opened import open_found

BOTH = b'{"mcpServers": {"a": {"command": "x"}, "b": {"url": "https://h"}, "c": {"command": "y"}}}'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in (".cursor/mcp.json", ".lmstudio/mcp.json", "project/.mcp.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(BOTH)
    (tmp_path / ".lmstudio" / "mcp.json").write_bytes(b'{"mcpServers": {"b": {"command": "z"}}}')
    return tmp_path


def every(home: Path, scope: str = "") -> list[Candidate]:
    opened = open_found(None, Surroundings(home, home / "project", {}, "linux")).opened
    return candidates(opened, scope, lambda _, entry: "is left" if entry.name == "c" else "")


def test_what_two_clients_read_stands_once(home: Path) -> None:
    labels = [one.label for one in every(home)]
    assert len(labels) == len(set(labels)) == 7
    assert "a (Claude Code, project)" in labels


def test_of_all_those_with_a_reason_are_left(home: Path) -> None:
    choice = choose(every(home), [], "server")
    assert {one.entry.name for one in choice.chosen} == {"a", "b"}
    assert {one.entry.name for one in choice.left} == {"c"}


def test_a_scope_narrows_what_is_meant(home: Path) -> None:
    assert {one.entry.client.id for one in every(home, "project")} == {"claude-code"}
    assert every(home, "nowhere") == []


def test_a_name_means_the_one_that_is_started(home: Path) -> None:
    (chosen,) = choose(every(home), ["b", "b"], "server").chosen
    assert chosen.entry.client.id == "lm-studio"


def test_a_name_in_two_places_needs_a_choice_which_is_told(home: Path) -> None:
    with pytest.raises(UserError, match="'a' stands in 2 places") as error:
        choose(every(home), ["a"], "server")
    assert any("--client cursor --config" in line for line in error.value.details)


def test_a_name_that_has_to_be_left_and_one_that_is_nowhere_are_errors(home: Path) -> None:
    with pytest.raises(UserError, match=r"c \(Claude Code, project\) is left; nothing is changed"):
        choose(every(home, "project"), ["c"], "server")
    with pytest.raises(UserError, match="no server is called 'd'; there are a, b, c"):
        choose(every(home), ["d"], "server")
    with pytest.raises(UserError, match="there are none"):
        choose([], ["d"], "server")


def test_of_two_in_one_place_none_is_taken(tmp_path: Path) -> None:
    entry = b'{"command": "mcptap", "args": ["--", "x"]}'
    (tmp_path / ".claude.json").write_bytes(b'{"mcpServers": {"a": %b, "a": %b}}' % (entry, entry))
    opened = open_found(CLIENTS["claude-code"], Surroundings(tmp_path, tmp_path, {}, "linux")).opened
    with pytest.raises(UserError, match="stands where a key stands twice"):
        choose(candidates(opened, "", lambda *_: ""), ["a"], "server")
    path = tmp_path / ".continue" / "config.yaml"
    path.parent.mkdir()
    path.write_bytes(b"mcpServers:\n" + 2 * b"- {name: a, command: mcptap, args: [--, x]}\n")
    pytest.importorskip("yaml")
    opened = open_found(CLIENTS["continue"], Surroundings(tmp_path, tmp_path, {}, "linux")).opened
    with pytest.raises(UserError, match="stands there 2 times"):
        choose(candidates(opened, "", lambda *_: ""), ["a"], "server")
