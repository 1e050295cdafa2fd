"""What checks look at: a file with its entries, one entry, and the files of one client together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mcptap.clients.client import Client
from mcptap.clients.configs.contents import ConfigContents
from mcptap.clients.configs.entry import ServerEntry
from mcptap.clients.configs.expand import ExpandedEntry, expand
from mcptap.clients.configs.nodes import Document, Kind, Member, Node, at, member
from mcptap.clients.configs.wrapping import server_of
from mcptap.clients.configuration import EntryForm, Transport
from mcptap.diagnosis.engine.finding import Level
from mcptap.masking.masker import Masker
from mcptap.setup.doctor.machine import Machine


@dataclass(frozen=True, slots=True)
class ExaminedFile:
    """A configuration file of a client, read."""

    contents: ConfigContents
    machine: Machine
    readers: Sequence[Client] = ()
    """Other clients that read the same file."""
    chosen: bool = False
    """Whether it was asked for as a file of this client; else another client may be meant by it."""

    @property
    def client(self) -> Client:
        """Whose file it is."""
        return self.contents.found.client

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self.contents.found.path

    @property
    def document(self) -> Document | None:
        """What was read; None if it could not be."""
        return self.contents.document

    @property
    def entries(self) -> Sequence[ServerEntry]:
        """Its entries, also those that do not count."""
        return self.contents.entries

    @property
    def shared(self) -> bool:
        """Whether it lies in a project, where others share it."""
        return self.contents.found.shared

    @property
    def root(self) -> Node | None:
        """The value of the whole file, if it could be read and has one."""
        return None if self.document is None else self.document.root

    @property
    def is_json(self) -> bool:
        """Whether it was read as JSON of some kind."""
        return self.document is not None and self.document.syntax.is_json

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, from 1; zeros if it stands nowhere."""
        if self.document is None or offset < 0:
            return 0, 0
        return self.document.position(offset)

    def place(self, offset: int) -> str:
        """`FILE:LINE:COLUMN` of an offset."""
        line, column = self.position(offset)
        return f"{self.path}:{line}:{column}" if line else str(self.path)


class ExaminedEntry:
    """One entry of a file."""

    def __init__(self, file: ExaminedFile, entry: ServerEntry) -> None:
        self.file = file
        self.entry = entry

    @property
    def client(self) -> Client:
        """Whose entry it is."""
        return self.file.client

    @property
    def machine(self) -> Machine:
        """Where it is examined."""
        return self.file.machine

    @property
    def form(self) -> EntryForm:
        """How the client's entries are built."""
        return self.client.configuration.form.value or EntryForm()

    @cached_property
    def masker(self) -> Masker:
        """One that knows the secrets of its command line."""
        masker = Masker()
        masker.learn(self.entry.argv)
        return masker

    @property
    def starts(self) -> bool:
        """Whether it is a stdio server whose command can be told."""
        return self.entry.transport is Transport.STDIO and self.entry.command is not None

    @cached_property
    def argv(self) -> list[str]:
        """The server's own command line, as it stands, without mcptap in front of it."""
        return server_of(self.entry.argv)

    @cached_property
    def expanded(self) -> ExpandedEntry:
        """What the client would start from here; no file that a text names is read."""
        machine = self.machine
        environ = {**machine.environ, "HOME": str(machine.home)}
        return expand(self.entry, self.client, environ, str(machine.cwd), read_files=False)

    @property
    def program(self) -> str:
        """The server's own program, with its variables replaced; empty if one of them has no value."""
        if not self.argv or not self.argv[0]:
            return ""
        index = len(self.entry.argv) - len(self.argv)
        where = f"args[{index - 1}]" if index else "command"
        return "" if any(one.where == where for one in self.expanded.unset) else self.expanded.argv[index]

    @cached_property
    def offset(self) -> int:
        """Where the entry's key begins, or the entry itself in a list; -1 if it is not known."""
        holder = at(self.file.root, *self.entry.where[:-1])
        for one in holder.members if holder is not None else ():
            if one.value is self.entry.node:
                return one.key_start
        return self.entry.node.start

    def member(self, key: str) -> Member | None:
        """A member of the entry, or of the object in it that holds its command."""
        return member(self.entry.node, key) or member(self.entry.holder, key)

    def words(self) -> list[tuple[Node | None, str]]:
        """The words of the server's own command line, each with the value that holds it."""
        nodes: list[Node | None] = []
        if self.entry.command_node is not None:
            array = self.entry.command_node.kind is Kind.ARRAY
            nodes += self.entry.command_node.items if array else [self.entry.command_node]
        if self.entry.args_node is not None:
            nodes += self.entry.args_node.items
        own = self.entry.argv[len(self.entry.argv) - len(self.argv) :]
        if len(nodes) != len(self.entry.argv):
            return [(self.entry.command_node, word) for word in own]
        return list(zip(nodes[len(nodes) - len(own) :], own, strict=True))

    def strings(self) -> Iterator[tuple[tuple[str | int, ...], Node, str]]:
        """All strings in the entry, with keys and indices that lead to them."""
        yield from strings_in(self.entry.node, ())


def strings_in(node: Node, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Node, str]]:
    """All strings in a value, depth first, with the ways that lead to them."""
    waiting: list[tuple[tuple[str | int, ...], Node]] = [(path, node)]
    while waiting:
        way, one = waiting.pop()
        if one.kind is Kind.STRING:
            yield way, one, str(one.value)
        inner: list[tuple[tuple[str | int, ...], Node]] = [((*way, m.key), m.value) for m in one.members]
        inner += [((*way, index), item) for index, item in enumerate(one.items)]
        waiting += reversed(inner)


@dataclass(frozen=True, slots=True)
class Found:
    """A file, and the levels of what was found in it."""

    file: ExaminedFile
    levels: Sequence[Level]


@dataclass(frozen=True, slots=True)
class ExaminedClient:
    """All files of a client, those that win last."""

    client: Client
    files: Sequence[ExaminedFile]

    def entries(self) -> Iterator[ExaminedEntry]:
        """The entries of all of them."""
        for file in self.files:
            yield from (ExaminedEntry(file, entry) for entry in file.entries)


def spelled(way: Sequence[str | int]) -> str:
    """A way through a value for people: `env.TOKEN`, `args[2]`."""
    text = ""
    for step in way:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text or "the entry"
