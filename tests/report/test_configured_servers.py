"""How the servers of configurations are told."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from mcptap.clients.configs.contents import ConfigContents, contents_of
from mcptap.clients.configs.find import FoundConfig
from mcptap.clients.table import CLIENTS
from mcptap.masking.masker import Masker
from mcptap.report.configured_servers import as_lines, as_object, listed, state_of
from mcptap.text.terminal import Terminal


class Nothing:
    """No recordings."""

    def of(self, line):
        return None


def contents(servers: object, client="claude-code", scope="project", name="x.json") -> ConfigContents:
    files = CLIENTS[client].configuration.files.value
    index = next(i for i, file in enumerate(files) if file.scope == scope)
    key = CLIENTS[client].configuration.servers_at.value[0]
    found = FoundConfig(CLIENTS[client], Path("/home/sam") / name, (files[index],), True, ((index, 0),))
    return contents_of(found, json.dumps({key: servers}).encode())


def lines(*every: ConfigContents, width: int = 0) -> list[str]:
    terminal = Terminal(io.StringIO())
    terminal.width = width
    configs = listed(every, Nothing(), {}, "/home/sam")
    return [line.rstrip() for line in as_lines(configs, terminal, Masker(), "/home/sam")]


def test_a_heading_tells_the_file_and_a_row_the_server():
    text = lines(contents({"a": {"command": "npx", "args": ["-y", "b c"]}}))
    assert text[1:] == [
        "",
        "Claude Code, project: ~/x.json",
        "  a       not wrapped  npx -y 'b c'  never",
    ]


@pytest.mark.parametrize(
    ("entry", "state"),
    [
        ({"command": "a"}, "not wrapped"),
        ({"command": "/x/mcptap", "args": ["run", "--", "a"]}, "wrapped"),
        ({"command": "mcptap", "args": ["--", "mcptap", "--", "a"]}, "wrapped ×2"),
        ({"type": "http", "url": "u"}, "http"),
        ({"url": "u"}, "remote"),
        ({"command": ["a"]}, "malformed"),
        (3, "malformed"),
    ],
)
def test_the_state_is_a_word_or_two(entry, state):
    (found,) = contents({"s": entry}).entries
    assert state_of(found)[0] == state


def test_what_there_is_to_say_stands_below():
    text = "\n".join(
        lines(
            contents({"a": {"command": "uvx", "args": ["mcptap", "run", "--", "x"]}, "b": {"args": []}}),
            contents({"c": {"command": "c", "disabled": True}}, "windsurf", "user"),
            contents({"d": {"url": "https://x/y?token=sw0rdf1sh-and-more"}}, "cursor", "user"),
        )
    )
    assert "mcptap is started by uvx, and may be another than this one" in text
    assert "there is neither command nor url" in text
    assert "switched off" in text
    assert "what is reached by a URL is left as it is" in text
    assert "sw0rdf1sh" not in text
    assert "https://x/y?token=‹masked:" in text


def test_a_server_that_another_hides_says_which():
    user = contents({"a": {"command": "x"}}, scope="user")
    text = lines(user, contents({"a": {"command": "y"}}, name="p.json"))
    assert "    not used here: hidden by that of project scope in ~/p.json" in text


def test_a_server_of_one_folder_says_so(tmp_path):
    files = CLIENTS["claude-code"].configuration.files.value
    found = FoundConfig(CLIENTS["claude-code"], Path("/home/sam/.claude.json"), files[2:3], True, ((2, 0),))
    server = {"mcpServers": {"a": {"command": "x"}}}
    folders = {"/home/sam": server, "/home/sam/shop": server}
    text = lines(contents_of(found, json.dumps({"projects": folders}).encode()))
    assert text[-3:] == [
        "    only in /home/sam",
        "  a       not wrapped  x        never",
        "    not used here: only in ~/shop",
    ]


def test_what_is_wrong_with_a_file_stands_below_its_heading():
    broken = contents_of(contents({}).found, b'{"mcpServers": {},}')
    assert lines(broken) == [
        "Claude Code, project: ~/x.json",
        "  it has a comma behind the last value, and Claude Code reads JSON without comments "
        "(line 1, column 18)",
    ]
    assert lines(contents({})) == ["Claude Code, project: ~/x.json", "  no servers"]


def test_on_a_terminal_no_line_is_longer_than_it(tmp_path):
    servers = {f"server-with-a-long-name-{n}": {"command": "x" * 100, "args": ["y" * 100]} for n in range(3)}
    servers["odd\x1b[31m"] = {"command": "a\nb", "args": 3}
    text = lines(contents(servers), contents({"u": {"url": "https://" + "z" * 200}}), width=80)
    assert max(map(len, text)) <= 80
    assert not any("\x1b" in line or "\n" in line for line in text)


def test_as_json_nothing_is_cut_and_secrets_are_masked():
    entry = {"command": "npx", "args": ["s", "--api-key=sw0rdf1sh-and-more"], "env": {"TOKEN": "hidden-0ne"}}
    (config,) = listed([contents({"a": entry})], Nothing(), {}, "/home/sam")
    told = as_object(config, Masker())
    assert (told["client"], told["scope"], told["shared"], told["problems"]) == (
        "claude-code",
        "project",
        True,
        [],
    )
    (server,) = told["servers"]
    assert (server["server"], server["where"], server["state"]) == ("a", ["mcpServers", "a"], "not wrapped")
    assert server["argv"][2].startswith("--api-key=‹masked:")
    assert "hidden-0ne" not in json.dumps(told)
    assert as_object(config, None)["servers"][0]["argv"] == ["npx", "s", "--api-key=sw0rdf1sh-and-more"]
