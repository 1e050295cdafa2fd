from __future__ import annotations

from mcptap.setup.doctor.subject import ExaminedEntry, spelled
from tests.setup.machines import entry, examined_file


def one(client, server, **where):
    file = examined_file(client, entry(client, server), **where)
    return ExaminedEntry(file, file.entries[0])


def test_words_are_those_of_the_server_with_the_values_that_hold_them():
    wrapped = one("claude-code", {"command": "mcptap", "args": ["run", "--", "npx", "-y", "x"]})
    assert [word for _, word in wrapped.words()] == ["npx", "-y", "x"]
    document = wrapped.file.document
    assert [document.data[node.start : node.end] for node, _ in wrapped.words()] == [
        b'"npx"',
        b'"-y"',
        b'"x"',
    ]
    array = one("opencode", {"type": "local", "command": ["npx", "x"]})
    assert [word for _, word in array.words()] == ["npx", "x"]


def test_the_program_has_its_variables_replaced_or_is_not_told():
    assert one("gemini-cli", {"command": "${HOME}/x"}).program == "/home/sam/x"
    assert one("gemini-cli", {"command": "${NONE}/x"}).program == ""
    assert one("claude-code", {"command": "${NONE:-/opt}/x"}).program == "/opt/x"


def test_an_entry_stands_where_its_key_does():
    inside = one("claude-code", {"command": "npx"})
    assert inside.file.place(inside.offset).endswith(".mcp.json:3:5")


def test_all_strings_are_found_with_the_ways_to_them():
    entry_of = one("claude-code", {"command": "npx", "args": ["a"], "env": {"A": "b", "N": 1}})
    assert [(spelled(way), text) for way, _, text in entry_of.strings()] == [
        ("command", "npx"),
        ("args[0]", "a"),
        ("env.A", "b"),
    ]
    assert spelled(()) == "the entry"
