"""Variables: each client replaces its own forms and no others, and says what it did not find."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptap.clients.configs.document import read_document
from mcptap.clients.configs.entry import Place, read_entry
from mcptap.clients.configs.expand import FORMS, ExpandedEntry, expand
from mcptap.clients.configuration import Syntax, Unset
from mcptap.clients.table import CLIENTS

ENVIRON = {"HOME": "/home/sam", "KEY": "v", "EMPTY": "", "OTHER": "${KEY}"}


def expanded(client: str, argv: list[str], environ=ENVIRON, file=Path("/w/x.json"), **more) -> ExpandedEntry:
    reader = CLIENTS[client]
    array = reader.arguments.value is not None and reader.arguments.value.array
    form = reader.configuration.form.value
    command = {"command": argv} if array else {form.command: argv[0], "args": argv[1:]}
    value = {"type": form.stdio_types[0], **command, **more}
    root = read_document(json.dumps(value).encode(), Syntax.JSON).root
    entry = read_entry(root, Place(reader, "user", file, "s", ("s",)))
    assert entry.is_wrappable, entry.problem
    return expand(entry, reader, environ, "/w/project")


WORDS = [
    "$KEY",
    "${KEY}",
    "${KEY:-d}",
    "${NO:-d}",
    "${env:KEY}",
    "{env:KEY}",
    "${userHome}",
    "${workspaceFolder}",
]
SAME = None


@pytest.mark.parametrize(
    ("client", "replaced"),
    [
        ("claude-code", [SAME, "v", "v", "d", SAME, SAME, None, None]),
        ("gemini-cli", ["v", "v", "v", "d", SAME, SAME, None, None]),
        ("opencode", [SAME, SAME, SAME, SAME, "$v", "v", SAME, SAME]),
        ("cursor", [SAME, SAME, SAME, SAME, "v", SAME, "/home/sam", "/w/project"]),
        ("vscode", [SAME, SAME, SAME, SAME, "v", SAME, "/home/sam", "/w/project"]),
        ("cline", [SAME, SAME, SAME, SAME, "v", SAME, SAME, SAME]),
        ("roo", [SAME, SAME, SAME, SAME, "v", SAME, SAME, "/w/project"]),
        ("codex", [SAME] * 8),
        ("zed", [SAME] * 8),
        ("kiro", [SAME] * 8),
    ],
)
def test_each_client_replaces_its_own_forms(client, replaced):
    argv = expanded(client, ["s", *WORDS]).argv
    assert argv == ["s", *(new or old for new, old in zip(replaced, WORDS, strict=True))]


def test_a_form_may_stand_within_a_text_several_times_and_is_looked_into_once():
    found = expanded("claude-code", ["${KEY}/${KEY}", "--x=${OTHER}", "${KEY", "$${KEY}", "${EMPTY:-d}"])
    assert found.argv == ["v/v", "--x=${KEY}", "${KEY", "$v", ""]
    assert found.unset == ()


def test_where_a_client_does_not_expand_nothing_is():
    found = expanded("kiro", ["s", "${KEY}"], env={"A": "${KEY}"})
    assert (found.argv, found.env) == (["s", "${KEY}"], {"A": "v"})


@pytest.mark.parametrize(
    ("client", "word", "name", "result", "becomes"),
    [
        ("claude-code", "a${NO}", "NO", "a${NO}", Unset.TEXT),
        ("gemini-cli", "a$NO", "NO", "a$NO", Unset.TEXT),
        ("opencode", "a{env:NO}", "NO", "a", Unset.EMPTY),
        ("cursor", "a${env:NO}", "NO", "a${env:NO}", None),
        ("vscode", "${input:key}", "input:key", "${input:key}", Unset.ASKED),
        ("continue", "${{ secrets.KEY }}", "secrets.KEY", "${{ secrets.KEY }}", None),
        ("opencode", "{file:none}", "none", "{file:none}", None),
    ],
)
def test_what_is_unset_is_told_with_its_place_and_what_becomes_of_it(client, word, name, result, becomes):
    found = expanded(client, ["s", "-x", word])
    assert found.argv[2] == result
    assert [(one.name, one.where, one.becomes) for one in found.unset] == [(name, "args[1]", becomes)]
    assert one_text(found) in word


def one_text(found: ExpandedEntry) -> str:
    return found.unset[0].text


def test_in_env_it_may_become_something_else():
    found = expanded("gemini-cli", ["s", "$NO"], env={"A": "x$NO"})
    assert (found.argv[1], found.env) == ("$NO", {"A": "x"})
    assert [(one.where, one.becomes) for one in found.unset] == [
        ("args[0]", Unset.TEXT),
        ("env.A", Unset.EMPTY),
    ]


def test_the_text_of_a_file_is_taken_from_beside_the_configuration(tmp_path):
    (tmp_path / "key.txt").write_text("secret\n")
    found = expanded("opencode", ["s", "{file:key.txt}", "{file:./no}"], file=tmp_path / "opencode.json")
    assert found.argv[1:] == ["secret", "{file:./no}"]


def test_a_tilde_is_expanded_where_the_client_does_it():
    words = ["~/bin/x", "~", "~other/x", "a~/b"]
    assert expanded("vscode", words).argv == ["/home/sam/bin/x", "/home/sam", "~other/x", "a~/b"]
    assert expanded("claude-code", words).argv == words


@pytest.mark.parametrize(
    ("client", "cwd", "folder"),
    [
        ("vscode", "${workspaceFolder}/server", "/w/project/server"),
        ("opencode", ".", "/w/project"),
        ("codex", "/abs", "/abs"),
        ("claude-code", "/abs", ""),
        ("windsurf", "/abs", ""),
        ("vscode", "", ""),
    ],
)
def test_the_cwd_of_an_entry_counts_where_the_client_is_known_to_use_it(client, cwd, folder):
    assert expanded(client, ["s"], cwd=cwd).cwd == folder


def test_numbers_in_env_are_texts_and_what_is_neither_is_left_out():
    found = expanded("vscode", ["s"], env={"PORT": 0, "DEBUG": None, "T": True, "S": "x"})
    assert found.env == {"PORT": "0", "S": "x"}


def test_every_form_that_a_client_names_is_known():
    named = {
        form
        for client in CLIENTS.values()
        if (found := client.configuration.variables.value)
        for form in found.forms
    }
    assert named == set(FORMS)
