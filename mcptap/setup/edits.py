"""Edits of bytes: what is replaced in an entry to put mcptap in front of its server, and to take it out.

Nothing is written anew but the words that are added. The old command moves as it is spelled.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mcptap.clients.configs.entry import ServerEntry, Shape
from mcptap.clients.configs.nodes import Document, Member, Node
from mcptap.clients.configs.wrapping import server_of
from mcptap.clients.configuration import Syntax
from mcptap.errors import UserError
from mcptap.setup.records import Wrapped

_PLAIN = re.compile(rb"[A-Za-z/_][A-Za-z0-9/_.@+=-]*")
"""What YAML takes without quotes wherever it stands."""
_YAML_WORDS = frozenset(b"true false yes no on off null y n".split())
_SPACE = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class Edit:
    """`[start, end)` of the file becomes `new`."""

    start: int
    end: int
    new: bytes


class NotEditableError(UserError):
    """An entry can't be changed for certain; the sentence says why, and follows its name."""


def applied(data: bytes, edits: Iterable[Edit], start: int = 0, end: int | None = None) -> bytes:
    """The bytes, or those of `[start, end)`, with all edits made."""
    pieces, done = [], start
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        assert edit.start >= done
        pieces += [data[done : edit.start], edit.new]
        done = edit.end
    return b"".join([*pieces, data[done:end]])


def wrapping(document: Document, entry: ServerEntry, words: Sequence[str]) -> tuple[list[Edit], Wrapped]:
    """The edits that put `words` (up to and with `--`) in front of a server, and the record of them.

    Raises NotEditableError.
    """
    data, command = document.data, _node(entry.command_node)
    new = [_quoted(word, document.syntax) for word in words]
    edits: list[Edit]
    if entry.shape is Shape.ARRAY:
        edits = [_in_front(document, command, new)]
        added = b""
    else:
        program, *front = new
        front.append(_moved(document, command, entry.command or ""))
        edits = [Edit(command.start, command.end, program)]
        if entry.args_node is None:
            edits.append(_added(document, entry, front))
            added = edits[-1].new
        else:
            edits.append(_in_front(document, entry.args_node, front))
            added = applied(data, edits[-1:], entry.args_node.start, entry.args_node.end)
    record = Wrapped(
        client=entry.client.id,
        scope=entry.scope,
        where=entry.where,
        name=entry.name,
        command_before=data[command.start : command.end],
        command_after=applied(data, edits[:1], command.start, command.end),
        args_before=_bytes(data, entry.args_node),
        args_after=added,
    )
    return edits, record


def taking_back(document: Document, entry: ServerEntry, record: Wrapped) -> list[Edit] | None:
    """The edits that give an entry its recorded bytes back; None if it is not as it was written."""
    data, command = document.data, entry.command_node
    if command is None or data[command.start : command.end] != record.command_after:
        return None
    edits = [Edit(command.start, command.end, record.command_before)]
    if entry.shape is Shape.ARRAY:
        return edits
    if record.args_before is None:
        start = _behind(document, entry)
        end = start + len(record.args_after)
        if data[start:end] != record.args_after:
            return None
        return [*edits, Edit(start, end, b"")]
    args = entry.args_node
    if args is None or data[args.start : args.end] != record.args_after:
        return None
    return [*edits, Edit(args.start, args.end, record.args_before)]


def unwrapping(document: Document, entry: ServerEntry, had_args: bool) -> list[Edit]:
    """The edits that take mcptap out of a command line as it stands, whoever wrote it.

    `had_args`: whether an empty list of arguments stays. Raises NotEditableError.
    """
    own = len(entry.argv) - len(server_of(entry.argv))
    command = _node(entry.command_node)
    if entry.shape is Shape.ARRAY:
        return [_without(document, command, own)]
    args = entry.args_node
    assert args is not None
    assert own > 0
    program = args.items[own - 1]
    moved = _moved(document, program, entry.args[own - 1])
    edits = [Edit(command.start, command.end, moved)]
    if own == len(args.items) and not had_args:
        removed = _removed(document, entry)
        if removed is not None:
            return [*edits, removed]
    return [*edits, _without(document, args, own)]


# --- words ---------------------------------------------------------------------------------------------


def _quoted(word: str, syntax: Syntax) -> bytes:
    """A word as a string of the syntax."""
    try:
        spelled = json.dumps(word, ensure_ascii=not word.isprintable()).encode()
    except UnicodeEncodeError:
        raise NotEditableError(f"mcptap's own path {word!r} is not UTF-8") from None
    if syntax is Syntax.TOML:
        return spelled.replace(b"\x7f", b"\\u007F")
    return _unquoted(word) or spelled if syntax is Syntax.YAML else spelled


def _unquoted(word: str) -> bytes:
    """A word as YAML takes it without quotes; empty if it has to have some."""
    data = word.encode(errors="surrogateescape")
    return data if _PLAIN.fullmatch(data) and data.lower() not in _YAML_WORDS else b""


def _moved(document: Document, node: Node, value: str) -> bytes:
    """A string as it is spelled, or in YAML anew if its spelling would mean something else elsewhere."""
    spelled = document.data[node.start : node.end]
    if document.syntax is not Syntax.YAML:
        return spelled
    if b"\n" not in spelled and spelled[:1] in (b'"', b"'"):
        return spelled
    return _quoted(value, document.syntax)


# --- arrays --------------------------------------------------------------------------------------------


def _in_front(document: Document, array: Node, words: Sequence[bytes]) -> Edit:
    """The edit that puts words before the first item of an array, in the way in which its items stand."""
    data = document.data
    if data[array.start : array.start + 1] != b"[":
        start = array.items[0].start
        dash = data.rfind(b"-", 0, start)
        indent = data[_line_start(data, dash) : dash]
        if dash < array.start or indent.strip(b" "):
            raise NotEditableError("its list of arguments begins in the middle of a line")
        return Edit(
            dash, dash, b"".join(b"- " + word + _line_end_sign(data, dash) + indent for word in words)
        )
    if not array.items:
        return Edit(array.start + 1, array.start + 1, b", ".join(words))
    start = array.items[0].start
    between = _separator(data, array)
    return Edit(start, start, b"".join(word + b"," + between for word in words))


def _separator(data: bytes, array: Node) -> bytes:
    """The space between the items of an array: that before the first if it begins a line, else as between
    the first two, else one space.
    """
    first = array.items[0].start
    line = _line_start(data, first)
    if line > array.start:
        indent = data[line:first]
        return _line_end_sign(data, line - 1) + indent if not indent.strip(_SPACE) else b" "
    if len(array.items) > 1:
        comma, _, space = data[array.items[0].end : array.items[1].start].partition(b",")
        if not comma and not space.strip(b" \t"):
            return space
    return b" "


def _without(document: Document, array: Node, count: int) -> Edit:
    """The edit that takes the first items out of an array."""
    data = document.data
    start = array.items[0].start
    if data[array.start : array.start + 1] != b"[":
        start = data.rfind(b"-", 0, start)
        if count < len(array.items):
            return Edit(start, data.rfind(b"-", start, array.items[count].start), b"")
        return Edit(start, array.items[-1].end, b"[]")
    if count < len(array.items):
        return Edit(start, array.items[count].start, b"")
    end = array.items[-1].end
    comma = re.compile(rb"\s*,").match(data, end)
    return Edit(start, comma.end() if comma else end, b"")


# --- a key that was not there ----------------------------------------------------------------------------


def _added(document: Document, entry: ServerEntry, words: Sequence[bytes]) -> Edit:
    """The edit that adds arguments behind the command, in the way in which that stands."""
    data, syntax = document.data, document.syntax
    member = _command_member(entry)
    command = member.value
    key = _args_key(data[member.key_start : member.key_end], member.key, entry.args_key, syntax)
    sign = data[member.key_end : command.start]
    if sign.strip(_SPACE) not in (b":", b"=") or b"\n" in sign:
        sign = b" = " if syntax is Syntax.TOML else b": "
    written = key + sign + b"[" + b", ".join(words) + b"]"
    at = _behind(document, entry)
    if _is_in_line(document, entry):
        assert entry.holder is not None
        line = _line_start(data, member.key_start)
        indent = data[line : member.key_start]
        begins_line = line > entry.holder.start and not indent.strip(_SPACE)
        return Edit(
            at, at, b"," + (_line_end_sign(data, line - 1) + indent if begins_line else b" ") + written
        )
    indent = data[_line_start(data, member.key_start) : member.key_start]
    if syntax is Syntax.YAML:
        indent = indent.replace(b"-", b" ")
    if indent.strip(b" \t"):
        raise NotEditableError("its command does not begin a line, so that there is no place for arguments")
    return Edit(at, at, _line_end_sign(data, at) + indent + written)


def _behind(document: Document, entry: ServerEntry) -> int:
    """Where arguments are added: behind the command, or where each key has a line, behind its line."""
    command = _node(entry.command_node)
    if _is_in_line(document, entry):
        return command.end
    end = document.data.find(b"\n", command.end)
    end = len(document.data) if end < 0 else end
    return end - 1 if document.data[end - 1 : end] == b"\r" and end > command.end else end


def _is_in_line(document: Document, entry: ServerEntry) -> bool:
    """Whether commas part the members of the object that holds the command."""
    if document.syntax not in (Syntax.TOML, Syntax.YAML):
        return True
    start = entry.holder.start if entry.holder is not None else -1
    return start >= 0 and document.data[start : start + 1] == b"{"


def _args_key(spelled: bytes, command: str, args: str, syntax: Syntax) -> bytes:
    """The key of the arguments, spelled as that of the command is: quoted, or behind the same dotted keys."""
    if syntax not in (Syntax.TOML, Syntax.YAML):
        return json.dumps(args).encode()
    for quote in (b"", b'"', b"'"):
        last = quote + command.encode() + quote
        if spelled.endswith(last):
            return spelled[: -len(last)] + quote + args.encode() + quote
    raise NotEditableError("the key of its command is spelled in an unusual way")


def _removed(document: Document, entry: ServerEntry) -> Edit | None:
    """The edit that takes the key of the arguments out; None if that can't be told for certain."""
    data = document.data
    member = next((one for one in _members(entry) if one.value is entry.args_node), None)
    if member is None:
        return None
    end = member.value.end
    if _is_in_line(document, entry):
        before = data[: member.key_start].rstrip(_SPACE)
        return Edit(len(before) - 1, end, b"") if before.endswith(b",") else None
    line = _line_start(data, member.key_start)
    rest = data[end : end + len(data[end:].partition(b"\n")[0])]
    if line == 0 or rest.strip(_SPACE) or data[line : member.key_start].strip(b" \t"):
        return None
    start = line - 2 if data[line - 2 : line] == b"\r\n" else line - 1
    return Edit(start, end + len(rest.rstrip(b"\r")), b"")


# --- places --------------------------------------------------------------------------------------------


def _members(entry: ServerEntry) -> Sequence[Member]:
    return entry.holder.members if entry.holder is not None else ()


def _command_member(entry: ServerEntry) -> Member:
    found = next((one for one in _members(entry) if one.value is entry.command_node), None)
    if found is None:
        raise NotEditableError("the place of its command can't be told")
    return found


def _node(node: Node | None) -> Node:
    if node is None or node.start < 0:
        raise NotEditableError("the place of its command can't be told")
    return node


def _line_start(data: bytes, at: int) -> int:
    return data.rfind(b"\n", 0, at) + 1


def _line_end_sign(data: bytes, at: int) -> bytes:
    """How the line ends in which an offset is; of the last line, as the first does."""
    for end in (data.find(b"\n", at), data.find(b"\n")):
        if end >= 0:
            return b"\r\n" if data[end - 1 : end] == b"\r" else b"\n"
    return b"\n"


def _bytes(data: bytes, node: Node | None) -> bytes | None:
    return None if node is None else data[node.start : node.end]
