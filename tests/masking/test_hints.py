"""The hints may err on one side only: where they say no, nothing is found."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.masking.argv import secret_spans
from mcptap.masking.hints import may_be_in_argv, may_be_in_text
from mcptap.masking.texts import find
from tests.masking.planting import any_secret, argv_with, in_prose, shaped_secret, spellings, text_with

PIECES = st.sampled_from(
    [
        *(
            "token",
            "API_KEY",
            "pass",
            "pw",
            "Authorization",
            "Bearer ",
            "basic",
            "key",
            "id",
            "secret",
            "auth",
            "x",
        ),
        *(
            "=",
            ":",
            "://",
            "@",
            "/",
            "?",
            "&",
            "%",
            "%3D",
            "%41",
            '"',
            "'",
            "\\",
            "\\n",
            " ",
            "-",
            "--",
            ",",
            ";",
            "{",
        ),
        *(
            "}",
            "[",
            "]",
            "+",
            "$",
            "${",
            "ü",
            "\x1b[0m",
            "\udcff",
            "-u",
            "-u ",
            "--user",
            "-p",
            "-e",
            "--env",
            "env",
        ),
        *(
            "a",
            "B7",
            "abc123def4",
            "hunter2",
            "ghp_",
            "sk-",
            "eyJ",
            "pat-",
            "curl",
            "mysql",
            "docker",
            "set",
            "sudo",
            "--headers",
            "-sSu",
            "-E",
            "/x",
        ),
        *(
            "dG9rZW49YWJjMTIzZGVm",
            "746f6b656e3d616263313233646566",
            "0123456789abcdef",
            "AKIA",
            "hooks.slack.com",
        ),
    ]
)
WORDS = st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=30)


@settings(max_examples=120)
@given(WORDS)
def test_a_word_without_a_hint_has_no_secret_in_it(word):
    assert may_be_in_text(word) or not find(word, in_command=True)


@settings(max_examples=120)
@given(st.lists(WORDS | PIECES, max_size=5))
def test_a_command_line_without_a_hint_names_no_secret(argv):
    assert may_be_in_argv(argv) or not secret_spans(argv)


def test_planted_secrets_in_all_spellings_have_a_hint():
    chance = random.Random(11)
    for _ in range(3000):
        secret = any_secret(chance)
        argv = argv_with(chance, secret)
        assert may_be_in_argv(argv) or any(map(may_be_in_text, argv)), argv
        text = in_prose(chance, text_with(chance, secret))
        assert may_be_in_text(text) or not find(text, in_command=True), text
        for spelled in spellings(shaped_secret(chance)):
            word = f"x/{spelled.decode(errors='replace')}"
            assert may_be_in_text(word) or not find(word, in_command=True), word


@pytest.mark.parametrize(
    "argv",
    [
        ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/home/author/Documents/passport-scans"],
        ["uv", "--directory", "/srv/keycloak/weather", "run", "weather.py"],
        ["python", "-u", "-m", "mcp_server_git", "--repository", "/home/me/task-manager"],
        ["npx", "mcp-remote", "https://mcp.example.com/sse", "8080"],
        ["docker", "run", "-i", "--rm", "mcp/time"],
        ["node", "/usr/local/lib/node_modules/@scope/auth-server/dist/index.js"],
    ],
)
def test_ordinary_command_lines_have_none(argv):
    assert not may_be_in_argv(argv)
    assert not any(map(may_be_in_text, argv))
