"""Entries as their clients read them: what is started, what is in the way, and where it stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptap.clients.client import Arguments, Client
from mcptap.clients.configs.document import read_document
from mcptap.clients.configs.entry import Obstacle, Place, ServerEntry, Shape, read_entry
from mcptap.clients.configuration import Configuration, EntryForm, Syntax, Transport
from mcptap.clients.facts import Fact, Origin, Source

SOURCE = Source(Origin.RUN, "a test", "1")


def client(array: bool = False, **form) -> Client:
    return Client(
        "some",
        "Some Client",
        arguments=Fact(Arguments(array=array), SOURCE),
        configuration=Configuration(form=Fact(EntryForm(**form), SOURCE)),
    )


def entry(value: object, reader: Client | None = None, **place) -> ServerEntry:
    root = read_document(json.dumps(value).encode(), Syntax.JSON).root
    assert root is not None
    return read_entry(root, Place(reader or client(), "user", Path("/x.json"), "s", ("s",), **place))


PLAIN = {"command": "npx", "args": ["-y", "s"], "env": {"A": "1", "N": 2}, "cwd": "/w", "timeout": 3}


def test_a_plain_entry_is_taken_apart_and_each_part_has_its_bytes():
    data = json.dumps(PLAIN).encode()
    found = entry(PLAIN)
    assert (found.transport, found.shape, found.problem) == (Transport.STDIO, Shape.STRING, "")
    assert found.argv == ["npx", "-y", "s"]
    assert (found.env, found.cwd) == ({"A": "1", "N": 2}, "/w")
    assert data[found.command_node.start : found.command_node.end] == b'"npx"'
    assert data[found.args_node.start : found.args_node.end] == b'["-y", "s"]'
    assert found.holder is found.node
    assert found.is_wrappable


def test_without_args_there_are_none():
    found = entry({"command": "a"})
    assert found.argv == ["a"]
    assert found.args_node is None
    assert found.is_wrappable


@pytest.mark.parametrize(
    ("value", "obstacle", "words"),
    [
        ("npx", Obstacle.NO_OBJECT, "the entry is a string and no object"),
        (None, Obstacle.NO_OBJECT, "the entry is null and no object"),
        ({}, Obstacle.NO_COMMAND, "there is neither command nor url"),
        ({"type": "stdio"}, Obstacle.NO_COMMAND, "there is no command"),
        ({"command": ["a", "b"]}, Obstacle.COMMAND, "command is an array; Some Client takes a string"),
        ({"command": 3}, Obstacle.COMMAND, "command is a number; Some Client takes a string"),
        ({"command": None}, Obstacle.COMMAND, "command is null; Some Client takes a string"),
        ({"command": ""}, Obstacle.COMMAND, "command is an empty string"),
        ({"command": "a", "args": None}, Obstacle.ARGUMENTS, "args is null and no array"),
        ({"command": "a", "args": "b c"}, Obstacle.ARGUMENTS, "args is a string and no array"),
        ({"command": "a", "args": ["b", 8080]}, Obstacle.ARGUMENTS, "args[1] is a number and no string"),
        (
            {"command": "a", "url": "u"},
            Obstacle.BOTH,
            "there are both command and url; leave out one of them",
        ),
        (
            {"command": "a", "type": "local"},
            Obstacle.TYPE,
            "the type is 'local'; a stdio server of Some Client has stdio",
        ),
        (
            {"command": "a", "type": 1},
            Obstacle.TYPE,
            "the type is a number; a stdio server of Some Client has stdio",
        ),
    ],
)
def test_what_is_in_the_way_is_told_in_a_sentence(value, obstacle, words):
    found = entry(value)
    assert (found.obstacle, found.problem) == (obstacle, words)
    assert not found.is_wrappable


@pytest.mark.parametrize(
    ("value", "transport"),
    [
        ({"url": "https://x"}, Transport.REMOTE),
        ({"type": "http", "url": "https://x"}, Transport.HTTP),
        ({"type": "sse", "url": "https://x"}, Transport.SSE),
        ({"type": "http", "command": "a"}, Transport.HTTP),
        ({"type": "stdio", "command": "a", "url": "https://x"}, Transport.STDIO),
    ],
)
def test_what_is_remote_is_no_fault(value, transport):
    found = entry(value)
    assert (found.transport, found.problem) == (transport, "")


def test_a_client_may_have_one_array():
    reader = client(array=True)
    found = entry({"command": ["npx", "-y", "s"]}, reader)
    assert (found.shape, found.argv, found.args_node) == (Shape.ARRAY, ["npx", "-y", "s"], None)
    assert entry({"command": "npx -y s"}, reader).problem == "command is a string; Some Client takes an array"
    assert entry({"command": []}, reader).problem == "command names no program"
    assert entry({"command": ["", "x"]}, reader).problem == "command names no program"
    assert entry({"command": ["a", 1]}, reader).problem == "command[1] is a number and no string"


def test_a_client_may_need_the_type():
    reader = client(needs_type=True, stdio_types=("local",), url={"url": Transport.REMOTE})
    assert entry({"type": "local", "command": "a"}, reader).is_wrappable
    assert entry({"command": "a"}, reader).obstacle is Obstacle.NO_TYPE


def test_program_and_arguments_may_stand_in_an_object_of_their_own():
    reader = client(nested="transport")
    found = entry({"transport": {"type": "stdio", "command": "a", "args": ["b"], "env": {"K": "v"}}}, reader)
    assert (found.shape, found.argv, found.env) == (Shape.NESTED, ["a", "b"], {"K": "v"})
    assert found.holder is not found.node
    assert entry({"transport": {"type": "sse", "url": "u"}}, reader).transport is Transport.SSE
    assert entry({"command": "a"}, reader).shape is Shape.STRING


def test_the_command_may_be_an_object_with_the_program_in_it():
    reader = client(program="path")
    found = entry({"command": {"path": "node", "args": ["x.js"], "env": {"M": "ro"}}}, reader)
    assert (found.shape, found.argv, found.env) == (Shape.PROGRAM, ["node", "x.js"], {"M": "ro"})
    assert entry({"command": {"args": []}}, reader).problem == "there is no path"


def test_members_may_have_other_names():
    reader = client(command="cmd", env="envs", builtin_types=("builtin",), needs_type=True)
    found = entry({"type": "stdio", "cmd": "a", "args": ["b"], "envs": {"E": "1"}}, reader)
    assert (found.argv, found.env) == (["a", "b"], {"E": "1"})
    assert entry({"type": "builtin"}, reader).transport is Transport.BUILTIN


def test_what_has_neither_command_nor_url_may_be_an_extension():
    reader = client(bare=Transport.EXTENSION)
    found = entry({"settings": {}}, reader)
    assert (found.transport, found.problem) == (Transport.EXTENSION, "")


@pytest.mark.parametrize(
    ("value", "disabled"),
    [({"disabled": True}, True), ({"disabled": False}, False), ({"enabled": False}, True), ({}, False)],
)
def test_a_switch_of_either_kind_switches_it_off(value, disabled):
    found = entry({"command": "a", **value}, client(disabled="disabled", enabled="enabled"))
    assert found.disabled is disabled
    assert not entry({"command": "a", **value}).disabled


def test_a_name_that_stands_twice_is_in_the_way():
    found = entry(PLAIN, repeated=True)
    assert found.obstacle is Obstacle.REPEATED
    assert found.problem == "the name 's' stands more than once in the same place; leave one of them"


def test_it_is_wrapped_if_this_tool_is_started_and_layers_are_counted():
    assert entry({"command": "mcptap", "args": ["run", "--", "a"]}).wrapped
    launched = entry({"command": "uvx", "args": ["mcptap", "run", "--", "a"]})
    assert not launched.wrapped
    assert launched.layers == 1
    assert not entry({"command": "mcptap", "args": ["run", "--other", "--", "a"]}).layers
