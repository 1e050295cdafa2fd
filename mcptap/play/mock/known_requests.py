"""The requests that a recording knows, found by what a client sends.

A mock can't match by ids, as the pairing of a session does: its client has ids of its own. A line
is matched by method, era and params: first exactly (but for the progress token, which is the
client's own), then without `_meta` and ids. Equal requests get the recorded reactions in their
order, and the last one from then on.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from mcptap.play.mock.server_script import Reaction, is_answerable
from mcptap.protocol.model.message import NOTIFICATION, Message
from mcptap.protocol.revisions.names import META_VERSION, OPENERS
from mcptap.recording.format.content import NOT_JSON
from mcptap.text.enumeration import listed
from mcptap.text.units import counted

CANCELLED = "notifications/cancelled"
NAMED = ("tools/call", "prompts/get")
"""Methods of which a name says what they are about."""


class KnownRequests:
    """The recorded reactions, found by what the client says."""

    def __init__(self, reactions: Iterable[Reaction]) -> None:
        self._by_key: dict[tuple[Any, ...], list[Reaction]] = defaultdict(list)
        self._used: set[int] = set()
        self._methods: dict[str, Counter[str]] = defaultdict(Counter)
        for reaction in reactions:
            message = reaction.message
            assert message is not None
            for key in _keys(message):
                self._by_key[key].append(reaction)
            if is_answerable(message):
                self._methods[message.method][target(message)] += 1

    def next_for(self, message: Message) -> Reaction | None:
        """The reaction to play: the first unused one that matches, else the last."""
        keys = _keys(message)
        for key in keys:
            for reaction in self._by_key.get(key, ()):
                if id(reaction) not in self._used:
                    self._used.add(id(reaction))
                    return reaction
        for key in keys:
            if key in self._by_key:
                return self._by_key[key][-1]
        return None

    def has_method(self, method: str) -> bool:
        """Whether the recording has a request of this method."""
        return method in self._methods

    def why_not(self, request: Message) -> str:
        """Why a request can't be answered, in a sentence: it is read by an agent, and stands in its logs.

        So of what was recorded it has methods and names of tools and prompts, never an argument.
        """
        method, named = request.method, target(request)
        if not self.has_method(method):
            known = listed(list(self._methods)) or "no request at all"
            return f"the recording has no {method}; it knows {known}"
        targets = self._methods[method]
        if named not in targets:
            others = listed([repr(name) for name in targets if name]) or "others"
            return f"the recording has no {method} of {named!r}; it knows {others}"
        about = f"{method} of {named!r}" if named else method
        return f"the recording has {counted(targets[named], 'answer')} to {about}, but none for these params"


def _keys(message: Message) -> list[tuple[Any, ...]]:
    """Under what a line is found, the most exact first."""
    if not is_answerable(message) and message.kind is not NOTIFICATION:
        value = message.line.value
        return [("raw", message.line.data if value is NOT_JSON else _canonical(value))]
    kind, method, params = message.kind, message.method, dict(message.params or {})
    stateless = META_VERSION in message.meta
    meta = {name: v for name, v in message.meta.items() if name != "progressToken"}
    exact = {**params, "_meta": meta} if meta else _without(params, "_meta")
    loose = _without(params, "_meta", "requestId")
    keys: list[tuple[Any, ...]] = [
        (kind, method, stateless, _canonical(exact)),
        (kind, method, stateless, _canonical(loose), "loose"),
    ]
    if method in OPENERS:
        keys.append((kind, method, _canonical(params.get("protocolVersion"))))
    if method in OPENERS or method == CANCELLED:
        keys.append((kind, method))  # whoever the client is by its params
    return keys


def _without(params: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name not in names}


def _canonical(value: Any) -> str:
    """Equal JSON values as equal text: keys sorted, `1.0` as `1`."""
    return json.dumps(_whole_numbers(value), sort_keys=True)


def _whole_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _whole_numbers(v) for name, v in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(v) for v in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def target(request: Message) -> str:
    """The name of the tool or prompt that a request is about; empty for others."""
    name = (request.params or {}).get("name") if request.method in NAMED else None
    return name if isinstance(name, str) else ""
