"""The entry of a server in a client's configuration: what the client would start, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from mcptap.clients.client import Client
from mcptap.clients.configs.nodes import Kind, Node, at
from mcptap.clients.configs.wrapping import Wrapper, layers, wrapper_of
from mcptap.clients.configuration import REMOTE_TYPES, EntryForm, Transport

_HALF = re.compile("[\ud800-\udfff]")


class Shape(StrEnum):
    """How an entry holds program and arguments."""

    STRING = "command and args"
    ARRAY = "command with its arguments in one array"
    NESTED = "command and args in an object of their own"
    PROGRAM = "command as an object with the program in it"


class Obstacle(StrEnum):
    """Why an entry can't be used as it stands."""

    NONE = ""
    NO_OBJECT = "no object"
    TYPE = "type"
    NO_TYPE = "no type"
    BOTH = "command and url"
    NO_COMMAND = "no command"
    COMMAND = "command"
    ARGUMENTS = "args"
    CHARACTERS = "characters"
    REPEATED = "name twice"
    REFERENCE = "anchor or alias"


@dataclass(frozen=True, slots=True, eq=False)
class ServerEntry:
    """One entry. Two are the same only if they are one object."""

    client: Client
    scope: str
    file: Path
    name: str
    where: tuple[str | int, ...]
    """Keys and indices that lead to the entry."""
    node: Node
    transport: Transport = Transport.UNKNOWN
    shape: Shape = Shape.STRING
    command: str | None = None
    args: Sequence[str] = ()
    env: Mapping[str, Any] | None = None
    """As it stands: values may be other than strings. None: there is none, or it is no object."""
    cwd: str = ""
    disabled: bool = False
    obstacle: Obstacle = Obstacle.NONE
    problem: str = ""
    """The obstacle as a sentence, without a full stop."""
    holder: Node | None = None
    """The object in which command and args stand: the entry itself, or one in it."""
    command_node: Node | None = None
    """The command; in the shape `ARRAY` the whole array."""
    args_node: Node | None = None
    env_node: Node | None = None
    args_key: str = "args"
    shared: bool = False
    """Whether the file lies in a project, where others share it."""
    rank: tuple[int, int] = (0, 0)
    """How it stands among the scopes of its client: the higher one may hide the lower."""
    project: str = ""
    """The folder in which alone the entry counts; empty: it does not say."""
    repeated: bool = False
    """Whether the name stands more than once in the same object or list."""
    counts: bool = True
    """Whether it is the one that the client uses of those with the same name in the same object."""

    @property
    def argv(self) -> list[str]:
        """The command line as it stands, with mcptap if it is wrapped; empty if there is none."""
        return [] if self.command is None else [self.command, *self.args]

    @property
    def wrapper(self) -> Wrapper | None:
        """The mcptap in front of it."""
        return wrapper_of(self.argv)

    @property
    def wrapped(self) -> bool:
        """Whether this tool stands in front of it, started as itself and not by a launcher."""
        wrapper = self.wrapper
        return wrapper is not None and wrapper.ours

    @property
    def layers(self) -> int:
        """How many times mcptap stands in front of it, however it is started."""
        return layers(self.argv)

    @property
    def is_wrappable(self) -> bool:
        """Whether it is a stdio server whose command can be told for certain."""
        return self.transport is Transport.STDIO and not self.obstacle


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry stands."""

    client: Client
    scope: str
    file: Path
    name: str
    where: tuple[str | int, ...]
    shared: bool = False
    rank: tuple[int, int] = (0, 0)
    project: str = ""
    repeated: bool = False
    counts: bool = True
    has_references: bool = False
    """Whether anchors, aliases or merge keys of YAML stand in it or around it."""
    excluded: bool = False
    """Whether a list in the file switches it off."""


def read_entry(node: Node, place: Place) -> ServerEntry:
    """The entry at a place, as its client reads it."""
    client = place.client
    form = client.configuration.form.value or EntryForm()
    array = client.arguments.value is not None and client.arguments.value.array
    read = _Reader(node, form, array, client.name)
    read.all()
    obstacle, problem = read.obstacle, read.problem
    if place.repeated and read.transport is Transport.STDIO and not obstacle:
        obstacle = Obstacle.REPEATED
        problem = f"the name {place.name!r} stands more than once in the same place; leave one of them"
    if place.has_references and read.transport is Transport.STDIO and not obstacle:
        obstacle = Obstacle.REFERENCE
        problem = "it hangs on an anchor, an alias or a merge key of YAML (&x, *x, <<)"
    return ServerEntry(
        client=client,
        scope=place.scope,
        file=place.file,
        name=place.name,
        where=place.where,
        node=node,
        transport=read.transport,
        shape=read.shape,
        command=read.command,
        args=read.args,
        env=read.env,
        cwd=read.cwd,
        disabled=read.disabled or place.excluded,
        obstacle=obstacle,
        problem=problem,
        holder=read.holder,
        command_node=read.command_node,
        args_node=read.args_node,
        env_node=read.env_node,
        args_key=form.args,
        shared=place.shared,
        rank=place.rank,
        project=place.project,
        repeated=place.repeated,
        counts=place.counts,
    )


class _Reader:
    """Takes an entry apart, member by member."""

    def __init__(self, node: Node, form: EntryForm, array: bool, client_name: str) -> None:
        self._form = form
        self._array = array
        self._client = client_name
        self._node = node
        self.holder = node
        self.transport = Transport.UNKNOWN
        self.shape = Shape.ARRAY if array else Shape.STRING
        self.command: str | None = None
        self.args: list[str] = []
        self.env: Mapping[str, Any] | None = None
        self.cwd = ""
        self.disabled = False
        self.obstacle = Obstacle.NONE
        self.problem = ""
        self.command_node: Node | None = None
        self.args_node: Node | None = None
        self.env_node: Node | None = None

    def all(self) -> None:
        """Read the whole entry."""
        form = self._form
        if self._node.kind is not Kind.OBJECT:
            self._stop(Obstacle.NO_OBJECT, f"the entry is {_a(self._node)} and no object")
            return
        self.disabled = self._is(form.disabled, Kind.TRUE) or self._is(form.enabled, Kind.FALSE)
        if form.nested and at(self._node, form.nested) is not None:
            self._nested(form.nested, Shape.NESTED)
        command = at(self.holder, form.command)
        self._tell_transport(command)
        if self.transport is not Transport.STDIO:
            return
        key = form.command
        if form.program and command is not None and command.kind is Kind.OBJECT:
            self._nested(key, Shape.PROGRAM)
            key = form.program
            command = at(self.holder, key)
        self.env_node = at(self.holder, form.env)
        if self.env_node is not None and self.env_node.kind is Kind.OBJECT:
            self.env = self.env_node.value
        cwd = at(self.holder, "cwd")
        self.cwd = cwd.value if cwd is not None and cwd.kind is Kind.STRING else ""
        self._read_command(key, command)
        self._require_characters(key)

    def _require_characters(self, key: str) -> None:
        """Without the command, where a character stands that no program can be given."""
        texts = [(key, self.command or "")]
        texts += [(f"{self._form.args}[{index}]", word) for index, word in enumerate(self.args)]
        texts += [(f"{self._form.env}.{name}", f"{name}{value}") for name, value in (self.env or {}).items()]
        for where, text in [*texts, ("cwd", self.cwd)]:
            if "\0" in text:
                self._stop(Obstacle.CHARACTERS, f"{where} has a NUL, which ends a text for a program")
            elif _HALF.search(text):
                self._stop(
                    Obstacle.CHARACTERS,
                    f"{where} has half of a character (an escape \\uD800 to \\uDFFF alone)",
                )
        if self.obstacle is Obstacle.CHARACTERS:
            self.command, self.args, self.env, self.cwd = None, [], None, ""

    def _is(self, key: str, kind: Kind) -> bool:
        found = at(self._node, key) if key else None
        return found is not None and found.kind is kind

    def _stop(self, obstacle: Obstacle, problem: str) -> None:
        if not self.obstacle:
            self.obstacle, self.problem = obstacle, problem

    def _nested(self, key: str, shape: Shape) -> None:
        inner = at(self.holder, key)
        assert inner is not None
        self.holder, self.shape = inner, shape

    def _tell_transport(self, command: Node | None) -> None:
        form = self._form
        urls = [(key, kind) for key, kind in form.url.items() if at(self.holder, key) is not None]
        said = at(self.holder, "type") if form.has_type else None
        if said is not None:
            self._by_type(said)
            if self.transport is not Transport.STDIO:
                return
        elif form.needs_type and (command is not None or urls):
            self._stop(Obstacle.NO_TYPE, f"there is no type, which {self._client} needs")
            self.transport = Transport.UNKNOWN
            return
        if command is not None and urls:
            key = urls[0][0]
            if said is None:
                self.transport = Transport.UNKNOWN
                self._stop(Obstacle.BOTH, f"there are both {form.command} and {key}; leave out one of them")
            return
        if command is not None:
            self.transport = Transport.STDIO
        elif urls and said is None:
            self.transport = urls[0][1]
        elif said is not None:
            self._stop(Obstacle.NO_COMMAND, f"there is no {form.command}")
        else:
            self.transport = form.bare
            if form.bare is Transport.UNKNOWN:
                self._stop(
                    Obstacle.NO_COMMAND, f"there is neither {form.command} nor {' nor '.join(form.url)}"
                )

    def _by_type(self, said: Node) -> None:
        form = self._form
        word = said.value if said.kind is Kind.STRING else ""
        if word in form.stdio_types:
            self.transport = Transport.STDIO
        elif word in form.builtin_types:
            self.transport = Transport.BUILTIN
        elif word in REMOTE_TYPES:
            self.transport = REMOTE_TYPES[word]
        else:
            known = " or ".join(form.stdio_types)
            spelled = repr(word) if said.kind is Kind.STRING else _a(said)
            self._stop(Obstacle.TYPE, f"the type is {spelled}; a stdio server of {self._client} has {known}")

    def _read_command(self, key: str, command: Node | None) -> None:
        self.command_node = command
        if command is None:
            self._stop(Obstacle.NO_COMMAND, f"there is no {key}")
        elif self._array:
            self._read_array(key, command)
        elif command.kind is not Kind.STRING:
            self._stop(Obstacle.COMMAND, f"{key} is {_a(command)}; {self._client} takes a string")
        elif not command.value:
            self._stop(Obstacle.COMMAND, f"{key} is an empty string")
        else:
            self.command = command.value
        if self._array:
            return
        self.args_node = at(self.holder, self._form.args)
        if self.args_node is not None:
            self.args = self._strings(self._form.args, self.args_node, Obstacle.ARGUMENTS)

    def _read_array(self, key: str, command: Node) -> None:
        if command.kind is not Kind.ARRAY:
            self._stop(Obstacle.COMMAND, f"{key} is {_a(command)}; {self._client} takes an array")
            return
        words = self._strings(key, command, Obstacle.COMMAND)
        if not command.items or (words and not words[0]):
            self._stop(Obstacle.COMMAND, f"{key} names no program")
        if words and not self.obstacle:
            self.command, *self.args = words

    def _strings(self, key: str, node: Node, obstacle: Obstacle) -> list[str]:
        """The strings of an array; none if there is anything else in it."""
        if node.kind is not Kind.ARRAY:
            self._stop(obstacle, f"{key} is {_a(node)} and no array")
            return []
        for index, item in enumerate(node.items):
            if item.kind is not Kind.STRING:
                self._stop(obstacle, f"{key}[{index}] is {_a(item)} and no string")
                return []
        return [item.value for item in node.items]


_ARTICLES = {Kind.OBJECT: "an object", Kind.ARRAY: "an array"}


def _a(node: Node) -> str:
    """What a value is, with its article: `an array`, `a number`, `null`."""
    if node.kind in (Kind.TRUE, Kind.FALSE, Kind.NULL):
        return node.kind.value
    return _ARTICLES.get(node.kind, f"a {node.kind.value}")
