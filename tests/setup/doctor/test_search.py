from __future__ import annotations

import pytest

from mcptap.setup.doctor.search import search, start_folder
from mcptap.setup.doctor.subject import ExaminedEntry
from tests.setup.machines import Disk, entry, examined_file, machine


def one(client, server, **where):
    file = examined_file(client, entry(client, server), **where)
    return ExaminedEntry(file, file.entries[0])


@pytest.mark.parametrize(
    ("client", "server", "folder"),
    [
        ("claude-code", {"command": "x", "cwd": "/ignored"}, "/home/sam/shop"),
        ("gemini-cli", {"command": "x", "cwd": "/used"}, "/used"),
        ("gemini-cli", {"command": "x", "cwd": "$NONE/used"}, "/home/sam/shop"),
        ("cursor", {"command": "x"}, "/home/sam"),
        ("claude-desktop", {"command": "x"}, ""),
        ("windsurf", {"command": "x"}, ""),
    ],
)
def test_a_relative_program_is_taken_from_the_folder_that_the_client_starts_it_in(client, server, folder):
    assert start_folder(one(client, server)) == folder


def test_what_is_relative_to_an_unknown_folder_is_not_looked_for():
    found = search(one("windsurf", {"command": "./x"}), "./x")
    assert (found.unknown_folder, found.file) == (True, "")


def test_the_path_is_certain_only_where_it_is_known_which_one_the_client_gives():
    assert search(one("claude-code", {"command": "x"}), "x").certain
    assert not search(one("windsurf", {"command": "x"}), "x").certain
    in_entry = search(one("windsurf", {"command": "x", "env": {"PATH": "/a"}}), "x")
    assert (in_entry.certain, in_entry.whose) == (True, "the entry sets")


def test_a_program_is_found_as_a_shell_would():
    on = machine(Disk(files=["/b/x"], barred=["/a/x"]))
    found = search(one("claude-code", {"command": "x", "env": {"PATH": "/a:/b"}}, on=on), "x")
    assert (found.file, found.barred) == ("/b/x", "")
