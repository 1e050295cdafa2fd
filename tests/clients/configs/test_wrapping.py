"""Whether mcptap stands in front already: told by program, options and separator, and by nothing else."""

from __future__ import annotations

import pytest

from mcptap.clients.configs.wrapping import layers, program_name, server_of, wrapper_of


@pytest.mark.parametrize(
    ("line", "server", "ours"),
    [
        ("mcptap run -- npx -y s", "npx -y s", True),
        ("mcptap -- npx -y s", "npx -y s", True),
        ("mcptap --name a -q -- s", "s", True),
        ("/home/sam/.local/bin/mcptap run --name=a --record /tmp/x -- s -- t", "s -- t", True),
        ("C:\\Tools\\MCPTAP.EXE run -- s", "s", True),
        ("uvx mcptap run -- s", "s", False),
        ("uvx mcptap@0.3 run -- s", "s", False),
        ("/usr/bin/uvx --from mcptap==0.3 mcptap run --name u -- python -m u", "python -m u", False),
        ("uv tool run mcptap -q -- s", "s", False),
        ("pipx run mcptap run -- s", "s", False),
        ("python3 -m mcptap run -- s", "s", False),
        ("python -X dev -I -m mcptap run -- s", "s", False),
        ("py -3 -m mcptap run -- s", "s", False),
    ],
)
def test_it_is_recognised_however_it_is_started(line, server, ours):
    wrapper = wrapper_of(line.split())
    assert wrapper is not None
    assert list(wrapper.server) == server.split()
    assert [*wrapper.words, *wrapper.server] == line.split()
    assert wrapper.words[-1] == "--"
    assert wrapper.ours is ours


@pytest.mark.parametrize(
    "line",
    [
        "node not-wrapped.js mcptap --",
        "npx envmcp -e .env.mcp real-server",
        "npx -y mcptap run -- s",
        "mcptap",
        "mcptap run",
        "mcptap run --",
        "mcptap run s",
        "mcptap run --port 80 -- s",
        "mcptap serve -- s",
        "mcptap ls",
        "mcptap run --name -- s",
        "mcptap run --help -- s",
        "mcptap run --record x --no-record -- s",
        "mcptap-other run -- s",
        "my-mcptap run -- s",
        "/opt/mcptap/bin/server run -- s",
        "uvx other-tool mcptap run -- s",
        "uvx --from other mcptaps run -- s",
        "uv pip install mcptap run -- s",
        "python server.py -m mcptap run -- s",
        "python -m other mcptap run -- s",
        "python -m mcptap_other run -- s",
        "python -c mcptap run -- s",
        "",
    ],
)
def test_what_only_looks_like_it_is_left_alone(line):
    assert wrapper_of(line.split()) is None
    assert layers(line.split()) == 0
    assert server_of(line.split()) == line.split()


def test_empty_words_and_odd_ones_of_the_server_stay():
    argv = ["mcptap", "run", "--", "s", "", "a b", "$X", "--"]
    wrapper = wrapper_of(argv)
    assert wrapper is not None
    assert wrapper.server == ("s", "", "a b", "$X", "--")


def test_layers_are_counted_and_taken_off():
    argv = ["mcptap", "run", "--", "uvx", "mcptap", "run", "--", "node", "t.js"]
    assert layers(argv) == 2
    assert server_of(argv) == ["node", "t.js"]


def test_a_program_is_its_last_part():
    assert program_name("C:\\a b\\Mcptap.exe") == "mcptap"
    assert program_name("/usr/bin/python3.12") == "python3.12"
