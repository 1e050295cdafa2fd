"""The check before a change is written sees whatever is not part of it."""

from __future__ import annotations

import pytest

from mcptap.setup.verified import is_exact
from tests.setup.test_edits import read

JSON = b'{"a":1, "mcpServers":{"x":{"command":"npx","args":["-y"],"n":1.0,"n":2}, "y":{"command":"z"}}}'
TOML = b'a = 1\n[mcp_servers.x]\ncommand = "npx"\nn = 1\n[mcp_servers.y]\ncommand = "z"\n'


def exact(client: str, old: bytes, new: bytes, argv: list[str], name: str = "x") -> bool:
    document, entries = read(client, old)
    return is_exact(old, new, document.syntax, [(entries[name], argv)])


def test_the_command_line_alone_may_differ() -> None:
    new = JSON.replace(b'"npx","args":["-y"]', b'"tap","args":["--","npx","-y"]')
    assert exact("claude-code", JSON, new, ["tap", "--", "npx", "-y"])
    assert not exact("claude-code", JSON, new, ["tap", "npx", "-y"])
    assert exact("claude-code", JSON, JSON.replace(b'"npx","args":["-y"]', b'"tap"'), ["tap"])
    assert not exact("claude-code", JSON, JSON.replace(b'"npx","args":["-y"]', b'"tap"'), ["tap", "-y"])
    assert exact("claude-code", JSON, JSON.replace(b'"z"', b'"tap","args":["z"]'), ["tap", "z"], "y")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"a":1', b'"a":1.0'),
        (b'"a":1', b'"a":true'),
        (b'"a":1', b'"b":1'),
        (b'"n":1.0,', b""),
        (b'"n":1.0,"n":2', b'"n":2,"n":1.0'),
        (b'"z"', b'"y"'),
        (b'"x":{"command"', b'"X":{"command"'),
        (b"}}}", b"}}"),
        (b"}}}", b"}}} x"),
    ],
)
def test_anything_else_in_json_is_seen(old: bytes, new: bytes) -> None:
    assert old in JSON
    assert exact("claude-code", JSON, JSON, ["npx", "-y"])
    assert not exact("claude-code", JSON, JSON.replace(old, new), ["npx", "-y"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"a = 1", b"a = true"),
        (b"a = 1", b"a = 1.0"),
        (b"n = 1\n", b""),
        (b'"z"', b'"y"'),
        (b"mcp_servers.y", b"q"),
    ],
)
def test_anything_else_in_toml_is_seen(old: bytes, new: bytes) -> None:
    assert old in TOML
    assert exact("codex", TOML, TOML, ["npx"])
    assert not exact("codex", TOML, TOML.replace(old, new), ["npx"])
    assert exact("codex", TOML, TOML.replace(b'"npx"', b'"tap"\nargs = ["npx"]'), ["tap", "npx"])
    assert exact(
        "codex",
        TOML,
        TOML.replace(b"n = 1\n", b'n = 1\nargs = ["npx"]\n').replace(b'"npx"\nn', b'"t"\nn'),
        ["t", "npx"],
    )


def test_anything_else_in_yaml_is_seen() -> None:
    pytest.importorskip("yaml")
    old = b"1: yes\nextensions:\n  x: {type: stdio, cmd: npx, args: [], n: 1}\n"
    assert exact("goose", old, old.replace(b"npx, args: []", b"tap, args: [npx]"), ["tap", "npx"])
    assert not exact("goose", old, old.replace(b"yes", b"'yes'"), ["npx"])
    assert not exact("goose", old, old.replace(b"n: 1", b"n: 1.0"), ["npx"])


def test_comments_and_last_commas_are_no_difference_but_what_looks_like_them_is() -> None:
    old = b'{"context_servers":{"x":{"command":"npx", // ,]\n "n":"/* no */",},}, "s": ",]//"}'
    assert exact("zed", old, old.replace(b'"npx"', b'"t","args":["npx"]'), ["t", "npx"])
    assert not exact("zed", old, old.replace(b"/* no */", b""), ["npx"])
    assert not exact("zed", old, old.replace(b",]//", b"]"), ["npx"])
