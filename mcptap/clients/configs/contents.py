"""What stands in a client's configuration: the entries of its servers, and what is wrong with the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mcptap.clients.configs.document import read_document, read_file
from mcptap.clients.configs.entry import Place, ServerEntry, read_entry
from mcptap.clients.configs.find import FoundConfig, local_folder
from mcptap.clients.configs.nodes import Document, Kind, Node, UnreadableDocument, at
from mcptap.clients.configuration import EntryForm
from mcptap.clients.table import CLIENTS
from mcptap.text.enumeration import listed

_BESIDE = frozenset({"$schema", "inputs", "version"})
"""What may stand beside entries that have no object around them."""
Steps = tuple[str, ...]
"""Keys from the outermost object inward; `*` is any."""


class Trouble(StrEnum):
    """What is wrong with a whole file."""

    UNREADABLE = "unreadable"
    SYNTAX = "not the client's syntax"
    EMPTY = "empty"
    SHAPE = "another shape"
    WRONG_KEY = "wrong key"
    KEY_TWICE = "key twice"


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """What is wrong, as a sentence without a full stop. Line and column count from 1; 0: no place."""

    trouble: Trouble
    sentence: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class ConfigContents:
    """A file that was read. Without a `document` it is not there or can't be read."""

    found: FoundConfig
    document: Document | None
    entries: tuple[ServerEntry, ...] = ()
    problems: tuple[ConfigProblem, ...] = ()


def entries_of(found: FoundConfig) -> ConfigContents:
    """What a file holds. A file that is not there holds nothing; what can't be read is a problem."""
    try:
        return contents_of(found, read_file(found.path))
    except FileNotFoundError:
        nowhere = ConfigProblem(Trouble.UNREADABLE, "it is a link that leads nowhere")
        return ConfigContents(found, None, problems=(nowhere,) if found.path.is_symlink() else ())
    except UnreadableDocument as error:
        return ConfigContents(found, None, problems=(_unreadable(error),))


def contents_of(found: FoundConfig, data: bytes) -> ConfigContents:
    """The same of bytes, wherever they come from."""
    try:
        document = read_document(data, found.syntax)
        return _read(found, document)
    except UnreadableDocument as error:
        return ConfigContents(found, None, problems=(_unreadable(error),))


def _unreadable(error: UnreadableDocument) -> ConfigProblem:
    return ConfigProblem(Trouble.UNREADABLE, error.what, error.line, error.column)


def _read(found: FoundConfig, document: Document) -> ConfigContents:
    root = document.root
    problems = [
        ConfigProblem(
            Trouble.SYNTAX,
            f"it has {one.what}, and {found.client.name} reads {document.syntax.value}",
            *document.position(one.offset),
        )
        for one in document.violations
    ]
    if root is None:
        problems.append(ConfigProblem(Trouble.EMPTY, "there is nothing in it"))
        return ConfigContents(found, document, (), tuple(problems))
    entries: list[ServerEntry] = []
    seen = False
    if document.syntax.is_json:
        ways = [
            way
            for file in found.files
            for way in file.at or found.client.configuration.servers_at.value or ()
        ]
        every = [one for way in dict.fromkeys(ways) for one in _repeated(document, root, steps_of(way))]
        problems += dict.fromkeys(every)
    for file, rank in zip(found.files, found.ranks, strict=True):
        keys = file.at or found.client.configuration.servers_at.value or ()
        for path, container in containers(root, keys):
            seen = True
            place = Place(
                found.client,
                file.scope,
                found.path,
                name="",
                where=path,
                shared=file.shared,
                rank=rank,
                project=path[1] if len(path) > 2 and "*" in keys[0] else "",
            )
            if container.kind is Kind.OBJECT or (container.kind is Kind.ARRAY and _form(found).named_list):
                entries += _entries(container, document, place, _form(found))
            else:
                problems.append(
                    ConfigProblem(
                        Trouble.SHAPE,
                        f"{'.'.join(path)} is no object, so {found.client.name} finds no servers in it",
                        *document.position(max(container.start, 0)),
                    )
                )
    if not seen:
        problems += _wrong_key(found, document, root)
    return ConfigContents(found, document, tuple(entries), tuple(problems))


def _form(found: FoundConfig) -> EntryForm:
    return found.client.configuration.form.value or EntryForm()


def containers(root: Node, keys: Iterable[str]) -> Iterator[tuple[Steps, Node]]:
    """Where the entries stand by the first of these keys that is there: path and value."""
    every = list(keys)
    for key in every:
        found = list(_below((), root, steps_of(key)))
        if key != every[-1]:
            found = [(path, node) for path, node in found if _holds_objects(node)]
        if found:
            yield from found
            return


def steps_of(key: str) -> Steps:
    """The steps of a key: `a.b` has two, and `"a.b"` one."""
    return (key[1:-1],) if key.startswith('"') else tuple(key.split("."))


def _below(path: Steps, node: Node, steps: Steps) -> Iterator[tuple[Steps, Node]]:
    if not steps:
        yield path, node
    elif steps[0] == "*":
        for member in node.members:
            yield from _below((*path, member.key), member.value, steps[1:])
    else:
        inner = at(node, steps[0])
        if inner is not None:
            yield from _below((*path, steps[0]), inner, steps[1:])


def _holds_objects(node: Node) -> bool:
    """Whether an object can be one of entries, and no entry itself."""
    return all(member.value.kind is Kind.OBJECT for member in node.members)


def _entries(container: Node, document: Document, place: Place, form: EntryForm) -> list[ServerEntry]:
    named: list[tuple[str | int, str, Node]]
    if container.kind is Kind.ARRAY:
        named = [(index, _name(item, index), item) for index, item in enumerate(container.items)]
    else:
        named = [
            (member.key, member.key, member.value)
            for member in container.members
            if member.key not in form.settings or member.value.kind is Kind.OBJECT
        ]
    excluded = _strings(at(document.root, *form.excluded_at.split("."))) if form.excluded_at else set()
    times = Counter(name for _, name, _ in named)
    last = {name: index for index, (_, name, _) in enumerate(named)}
    return [
        read_entry(
            node,
            Place(
                place.client,
                place.scope,
                place.file,
                name,
                (*place.where, step),
                shared=place.shared,
                rank=place.rank,
                project=place.project,
                repeated=times[name] > 1,
                counts=container.kind is Kind.ARRAY or last[name] == index,
                excluded=name in excluded,
                has_references=_has_references(node, document, place.where),
            ),
        )
        for index, (step, name, node) in enumerate(named)
    ]


def _has_references(node: Node, document: Document, path: tuple[str | int, ...]) -> bool:
    """Whether a reference stands in an entry, or at one of the values around it."""
    if not document.references:
        return False
    around = [at(document.root, *path[:length]) for length in range(len(path) + 1)]
    starts = {one.start for one in around if one is not None}
    inside = any(node.start <= offset < node.end for offset in document.references)
    return inside or not starts.isdisjoint(document.references)


def _name(item: Node, index: int) -> str:
    name = at(item, "name")
    return name.value if name is not None and name.kind is Kind.STRING else f"[{index}]"


def _strings(node: Node | None) -> set[str]:
    return {item.value for item in node.items if item.kind is Kind.STRING} if node is not None else set()


def _wrong_key(found: FoundConfig, document: Document, root: Node) -> list[ConfigProblem]:
    """That the servers stand where other clients have them."""
    own = found.files[0].at or found.client.configuration.servers_at.value or ()
    if root.kind is not Kind.OBJECT:
        return [
            ConfigProblem(Trouble.SHAPE, "its outermost value is no object", *document.position(root.start))
        ]
    key = key_of_others(root, own)
    if key:
        names = [c.name for c in CLIENTS.values() if key in (c.configuration.servers_at.value or ())]
        who = listed(names) if len(names) < 4 else f"{', '.join(names[:3])} and others"
        sentence = f"its servers stand under {key}, as {who} have them; {found.client.name} reads {own[0]}"
        node = at(root, *steps_of(key))
    elif own and _holds_entries_alone(root):
        sentence = f"its servers stand in the file itself; {found.client.name} reads {own[0]}"
        node = root
    else:
        return []
    assert node is not None
    return [ConfigProblem(Trouble.WRONG_KEY, sentence, *document.position(max(node.start, 0)))]


def key_of_others(root: Node, own: Iterable[str]) -> str:
    """A key under which entries stand that other clients look for there, and not this one; else empty."""
    known = dict.fromkeys(
        key for client in CLIENTS.values() for key in client.configuration.servers_at.value or ()
    )
    for key in known:
        node = at(root, *steps_of(key))
        if (
            node is not None
            and key not in own
            and "*" not in key
            and any(map(looks_like_entry, _values(node)))
        ):
            return key
    return ""


def _holds_entries_alone(root: Node) -> bool:
    members = [member.value for member in root.members if member.key not in _BESIDE]
    return bool(members) and all(map(looks_like_entry, members))


def _repeated(document: Document, root: Node, steps: Steps) -> Iterator[ConfigProblem]:
    """What of a way to entries stands more than once: all but the last is lost in most clients."""
    for depth, step in enumerate(steps):
        for _, holder in _below((), root, steps[:depth]):
            times = Counter(member.key for member in holder.members)
            for member in holder.members:
                if times[member.key] > 1 and step in ("*", member.key):
                    sentence = f"the key {member.key} stands {times[member.key]} times in the same place"
                    yield ConfigProblem(Trouble.KEY_TWICE, sentence, *document.position(member.key_start))
                    times[member.key] = 0


def _values(node: Node) -> list[Node]:
    return [member.value for member in node.members] or list(node.items)


def looks_like_entry(node: Node) -> bool:
    """Whether a value has a member that tells of a server."""
    return any(at(node, key) is not None for key in ("command", "cmd", "url", "serverUrl", "httpUrl"))


def hidden_by(entries: Iterable[ServerEntry], cwd: str) -> dict[ServerEntry, ServerEntry]:
    """Which entries are not used in this folder, since another of the same name and client is: by which.

    Only where that is known of the client; of two in one object the last counts.
    """
    rivals: dict[tuple[str, str], list[ServerEntry]] = {}
    local = str(local_folder(Path(cwd)))
    for entry in entries:
        if entry.project in ("", local):
            rivals.setdefault((entry.client.id, entry.name), []).append(entry)
    hidden: dict[ServerEntry, ServerEntry] = {}
    for group in rivals.values():
        counting = [entry for entry in group if entry.counts]
        winner = max(counting, key=lambda entry: entry.rank)
        for entry in group:
            if not entry.counts:
                hidden[entry] = next(
                    other for other in counting if (other.file, other.where) == (entry.file, entry.where)
                )
            elif entry.rank < winner.rank and entry.client.configuration.later_wins.value:
                hidden[entry] = winner
    return hidden
