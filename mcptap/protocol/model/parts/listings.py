"""What a server listed: tools, resources, prompts, page by page.

A walk is one pass through the pages of a list method. It is complete once a page has no
`nextCursor` (any string, also an empty one, means that there is more).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson

from mcptap.protocol.model.request import Request
from mcptap.protocol.revisions.names import LISTS
from mcptap.protocol.schema.plain import plain

MAX_CURSORS = 10_000
MAX_LISTED = 10_000
"""So many entries of a list are looked at in one walk through it."""
MAX_DEFINITIONS = 8 << 20
"""And so many bytes of the definitions of tools."""
MAX_WALKS = 64
"""How many cursors are remembered with the walk that they belong to."""
MAX_ANSWERS = 1000
"""How many of the last answers are remembered, to compare those of other tools with them."""


_OPEN = frozenset({"patternProperties", "allOf", "anyOf", "oneOf", "$ref", "if", "unevaluatedProperties"})
"""Keys of a schema that may bring in more properties than it names."""


class Tool:
    """A tool as it was last listed. `record` is the record of that page; `size` is in bytes."""

    __slots__ = (
        "asked", "before", "calls", "definition", "description", "ignored", "input_schema", "name",
        "output_schema", "parameters", "plain_input", "record", "size", "task_support", "verdicts",
    )  # fmt: skip

    def __init__(self, name: str, definition: dict[str, Any], record: int) -> None:
        self.name = name
        self.definition = definition
        description = definition.get("description")
        self.description: str = description if isinstance(description, str) else ""
        """The description, or an empty string."""
        self.input_schema = _schema(definition, "inputSchema")
        """The input schema, if it is an object."""
        self.output_schema = _schema(definition, "outputSchema")
        """The output schema, if there is one and it is an object."""
        self.record = record
        self.asked = 0
        """The record of the request to which it was last given."""
        self.before: Tool | None = None
        """What it was before, if it became another one without a word of the server (`list_changed`)."""
        self.calls = 0
        self.verdicts: dict[str, str] = {}
        """What a check said about this definition, so that a list that is read again costs nothing."""
        self.plain_input = plain(definition.get("inputSchema"))
        """The quick form of its input schema, if that is simple."""
        self.parameters = _parameters(self.input_schema)
        """Names of its parameters, None if its schema may mean others as well."""
        self.ignored: set[str] = set()
        """Arguments that it was given, does not have, and did not refuse."""
        execution = definition.get("execution")
        support = execution.get("taskSupport") if isinstance(execution, dict) else None
        self.task_support = support if isinstance(support, str) else "forbidden"
        """`execution.taskSupport`: `forbidden` (also if absent), `optional` or `required`."""
        try:
            self.size = len(orjson.dumps(definition))
        except (TypeError, ValueError):
            self.size = 0


def _schema(definition: dict[str, Any], key: str) -> dict[str, Any] | None:
    schema = definition.get(key)
    return schema if isinstance(schema, dict) else None


def _parameters(schema: dict[str, Any] | None) -> frozenset[str] | None:
    properties = schema.get("properties") if schema is not None else None
    if schema is None or not isinstance(properties, dict) or not properties or schema.keys() & _OPEN:
        return None
    return frozenset(properties) if schema.get("additionalProperties", False) is False else None


class Walk:
    """One pass through the pages of a list."""

    __slots__ = (
        "begun", "complete", "cursors", "is_cut", "names", "number", "page_requests", "page_us", "pages",
        "read", "repeated", "scope", "scope_changed", "size", "waiting",
    )  # fmt: skip

    def __init__(self, number: int, *, begun: bool = True) -> None:
        self.number = number
        """Record number of the first page."""
        self.begun = begun
        """Whether that is the first page of the list; if not, those before it are not known."""
        self.names: dict[str, int] = {}
        """Names (or URIs) in their order, with the record of their page."""
        self.repeated: list[str] = []
        self.cursors: set[str] = set()
        """Cursors that were handed out in this walk."""
        self.read: set[str] = set()
        """Cursors whose page came."""
        self.waiting: str | None = None
        """The cursor that leads to the next page, if there is one."""
        self.complete = False
        self.is_cut = False
        """Whether it has more entries than are looked at."""
        self.pages = 0
        self.page_us = 0
        self.page_requests = 0
        """When its last page came, and how many requests the client had sent by then."""
        self.size = 0
        self.scope: object = None
        self.scope_changed = False
        """Whether its pages differ in `cacheScope` (2026-07-28)."""


class Listing:
    """The walks of one list method."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.key = LISTS[method]
        self.asked = 0
        """Requests for it."""
        self.answered = 0
        """Results."""
        self.walk: Walk | None = None
        """The walk that goes on or was last completed."""
        self.newest: Walk | None = None
        """The newest complete walk."""
        self.reordered = False
        """Whether it has the same names in another order."""
        self.changed = False
        """Whether a `list_changed` came since the newest complete walk."""
        self.changed_at = 0
        """The record of the last `list_changed`."""
        self.unannounced = False
        """Whether the walk that was completed last has other names than the one before, unannounced."""
        self.followed: str | None = None
        """The cursor that was asked for last."""
        self.cursors: set[str] = set()
        """Every cursor handed out in this session (bounded)."""
        self._walks: dict[str, Walk] = {}
        """The walk that each of the last cursors goes on with: walks may run side by side."""
        self.last_page: list[Any] = []
        """The items of the page that was taken last."""
        self.looped = False
        """Whether that page led back to a cursor of its own walk."""

    def take_request(self, cursor: object) -> bool:
        """The client asked for it, with this cursor; whether that is one that a page gave, or none."""
        self.asked += 1
        if not isinstance(cursor, str):
            return True
        self.followed = cursor
        return self.knows(cursor)

    def holds(self, result: dict[str, Any]) -> bool:
        """Whether a page of which the outline is known has its items; else what is listed is not known."""
        if isinstance(result.get(self.key), list):
            return True
        self.answered += 1
        self.newest = None
        return False

    def take(self, cursor: str | None, result: dict[str, Any], number: int) -> bool:
        """Take one page: the cursor it was asked with, and its result.

        False if it came before: read again, or by another walk with the same cursors. It says
        nothing new.
        """
        self.answered += 1
        items = result.get(self.key)
        self.last_page = items if isinstance(items, list) else []
        walk = self._walks.get(cursor) if cursor is not None else None
        if walk is None:
            walk = Walk(number, begun=cursor is None)
        elif cursor in walk.read:
            walk.repeated = []
            return False
        self.walk = walk
        if cursor is not None and len(walk.read) < MAX_CURSORS:
            walk.read.add(cursor)
        walk.pages += 1
        scope = result.get("cacheScope")
        if walk.pages > 1 and scope != walk.scope:
            walk.scope_changed = True
        walk.scope = scope
        walk.repeated = []
        for item in self.last_page:
            name = _name_of(item)
            if name is None:
                continue
            if name in walk.names:
                walk.repeated.append(name)
            elif len(walk.names) >= MAX_LISTED:
                walk.is_cut = True
                continue
            walk.names[name] = number
        if walk.is_cut:
            self.last_page = [item for item in self.last_page if _name_of(item) in walk.names]
        following = result.get("nextCursor")
        self.looped = False
        if isinstance(following, str):
            self.looped = following == cursor or following in walk.cursors
            if len(walk.cursors) < MAX_CURSORS:
                walk.cursors.add(following)
            if len(self.cursors) < MAX_CURSORS:
                self.cursors.add(following)
            self._walks.pop(following, None)
            self._walks[following] = walk
            if len(self._walks) > MAX_WALKS:
                del self._walks[next(iter(self._walks))]
            walk.waiting = following
            walk.complete = False
            return True
        walk.waiting = None
        walk.complete = True
        self.unannounced = self.reordered = False
        if self.newest is not walk:
            before = self.newest
            if before is not None and not self.changed:
                self.unannounced = before.names.keys() != walk.names.keys()
                self.reordered = not self.unannounced and list(before.names) != list(walk.names)
            # Of a list that was not looked at to its end nothing can be said to be missing.
            self.newest = None if walk.is_cut else walk
        self.changed = False
        return True

    def knows(self, cursor: str) -> bool:
        """Whether a page gave this cursor, as far as that is known."""
        return cursor in self.cursors or len(self.cursors) >= MAX_CURSORS

    def note_change(self, number: int) -> None:
        """The server said in this record that this list changed."""
        self.changed = True
        self.changed_at = number


class Answer(NamedTuple):
    """What a tool answered: its name, a hash of the text, and the record."""

    tool: str
    text: int
    number: int


class Listings:
    """All lists of a server, and its tools."""

    def __init__(self) -> None:
        self.of = {method: Listing(method) for method in LISTS}
        self.tools: dict[str, Tool] = {}
        self.is_cut = False
        """Whether a list has more entries than are looked at."""
        self._ambiguous: set[str] = set()
        """Tools that a list had twice: which of the two is meant is not known."""
        self._room = MAX_DEFINITIONS
        self._answers: dict[tuple[object, str], Answer] = {}
        self.prompt_arguments: dict[str, tuple[str, ...]] = {}
        """Names of the required arguments of each prompt."""

    def take_call(self, tool: str) -> None:
        """The client called a tool."""
        known = self.tools.get(tool)
        if known is not None:
            known.calls += 1

    def take(self, request: Request, result: dict[str, Any], number: int) -> None:
        """Take one page of a list: the result that a request got, in this record."""
        method, cursor = request.method, (request.params or {}).get("cursor")
        listing = self.of[method]
        new = listing.take(cursor if isinstance(cursor, str) else None, result, number)
        self.is_cut = self.is_cut or (listing.walk is not None and listing.walk.is_cut)
        if method == "prompts/list":
            self._take_prompts(listing.last_page)
        if method != "tools/list":
            return
        if listing.walk is not None:
            self._ambiguous.update(listing.walk.repeated)
        for item in listing.last_page:
            name = _name_of(item)
            if name is None or not isinstance(item, dict):
                continue
            known = self.tools.get(name)
            if known is None or known.definition != item:
                tool = Tool(name, item, number)
                self._room += (known.size if known is not None else 0) - tool.size
                if self._room < 0 or (known is None and len(self.tools) >= MAX_LISTED):
                    self.is_cut = True
                    self._room += tool.size
                    continue
                if known is not None:
                    tool.calls = known.calls
                    known.before = None
                    if name not in self._ambiguous and listing.changed_at < known.asked:
                        tool.before = known
                self.tools[name] = tool
            self.tools[name].asked = request.number
            if new and listing.walk is not None:
                listing.walk.size += self.tools[name].size

    def take_tool_answer(self, asked: tuple[object, str], tool: str, text: str, number: int) -> Answer | None:
        """Keep what a tool answered; returns what another one answered to the same, if that differs."""
        before = self._answers.get(asked)
        if before is None:
            self._answers[asked] = Answer(tool, hash(text), number)
            if len(self._answers) > MAX_ANSWERS:
                del self._answers[next(iter(self._answers))]
            return None
        return before if before.tool != tool and before.text != hash(text) else None

    def _take_prompts(self, items: list[Any]) -> None:
        for item in items:
            name = _name_of(item)
            arguments = item.get("arguments") if isinstance(item, dict) else None
            if name is not None and len(self.prompt_arguments) < MAX_LISTED:
                self.prompt_arguments[name] = tuple(
                    a["name"]
                    for a in (arguments if isinstance(arguments, list) else [])
                    if isinstance(a, dict) and a.get("required") is True and isinstance(a.get("name"), str)
                )


def _name_of(item: object) -> str | None:
    if not isinstance(item, dict):
        return None
    for key in ("uri", "uriTemplate", "name"):
        name = item.get(key)
        if isinstance(name, str):
            return name
    return None
