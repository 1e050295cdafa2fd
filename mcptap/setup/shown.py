"""A change of an entry for people: the lines of its two values before and after, with masks for secrets.

Nothing else of the file is shown, since what stands around them may hold secrets of any kind.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from mcptap.clients.configs.entry import ServerEntry, Shape
from mcptap.clients.configs.nodes import Document, Member, Node
from mcptap.masking.masker import Masker
from mcptap.setup.edits import Edit, applied
from mcptap.text.escape import visible

_COMMENT = re.compile(rb"(?P<sign>#|//)[^\r\n]+|(?P<block>/\*).*?\*/", re.DOTALL)
"""What can only be a comment where it stands between words."""

Read = tuple[Document, ServerEntry]
"""An entry, and the document that it stands in."""


def changed_lines(before: Read, after: Read, masker: Masker) -> Iterator[str]:
    """Lines that begin with `-` (as it was), `+` (as it will be) or a space (what stays); all visible."""
    old, new = _lines(*before, masker), _lines(*after, masker)
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (f"  {line}" for line in old[a:b])
        else:
            yield from (f"- {line}" for line in old[a:b])
            yield from (f"+ {line}" for line in new[c:d])


def _lines(document: Document, entry: ServerEntry, masker: Masker) -> list[str]:
    """The lines of the entry's command and arguments, without what stands beside them."""
    masked = [*_masked(entry, masker), *_comments(document.data, entry)]
    lines = []
    for member in _shown_members(entry):
        start, end = member.key_start, member.value.end
        inside = [edit for edit in masked if start <= edit.start and edit.end <= end]
        text = applied(document.data, inside, start, end).decode(errors="backslashreplace")
        first, *others = text.rstrip().splitlines()
        indent = min((len(line) - len(line.lstrip()) for line in others if line.strip()), default=0)
        # What goes on is as deep as it is in relation to its last line, which closes the array.
        lines += [first, *(line[indent:] for line in others)]
    return [visible(masker.text(line.expandtabs(4))) for line in lines]


def _shown_members(entry: ServerEntry) -> Sequence[Member]:
    nodes = (entry.command_node, entry.args_node)
    found = [member for member in entry.holder.members if member.value in nodes] if entry.holder else []
    return sorted(found, key=lambda member: member.key_start)


def _masked(entry: ServerEntry, masker: Masker) -> list[Edit]:
    """The edits that put masks in the place of secrets in the command line."""
    words = masker.argv(entry.argv)
    return [
        Edit(node.start, node.end, json.dumps(word, ensure_ascii=False).encode())
        for node, word, plain in zip(_word_nodes(entry), words, entry.argv, strict=True)
        if word != plain
    ]


def _comments(data: bytes, entry: ServerEntry) -> list[Edit]:
    """The edits that leave of each comment its sign: what was commented out may be secret as well."""
    edits = []
    words = {node.start: node.end for node in _word_nodes(entry)}
    for member in _shown_members(entry):
        spans = {member.key_start: member.key_end, **words}
        at = member.key_start
        for start in [*sorted(start for start in spans if at <= start < member.value.end), member.value.end]:
            for found in _COMMENT.finditer(data, at, start):
                left = b"/* \xe2\x80\xa6 */" if found["block"] else found["sign"] + b" \xe2\x80\xa6"
                edits.append(Edit(found.start(), found.end(), left))
            at = spans.get(start, start)
    return edits


def _word_nodes(entry: ServerEntry) -> list[Node]:
    command = entry.command_node
    assert command is not None
    if entry.shape is Shape.ARRAY:
        return list(command.items)
    return [command, *(entry.args_node.items if entry.args_node is not None else ())]
