"""What a server gives under some conditions: how it opens, what it lists, what calls of it return.

Two observations tell whether a server that works under both conditions does the same under both.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from tempfile import TemporaryDirectory
from typing import Any

import trio

from mcptap.errors import UserError
from mcptap.jsontext.tree import dumps
from mcptap.play.client.arguments import is_read_only
from mcptap.play.client.connection import Connection, ConnectionSettings, connect
from mcptap.play.client.opening import OpeningOutcome, OpeningResult, discover, initialize
from mcptap.play.client.server_description import describe_server
from mcptap.play.server.launch import Launch
from mcptap.play.server.stop import stop_sequence
from mcptap.protocol.model.message import Message
from mcptap.protocol.revisions.names import ITEM_NAMES, LISTS
from mcptap.text.enumeration import listed

STOP = stop_sequence(1.0)
"""How a server is stopped that was only looked at: some never end by themselves, and it is started often."""

NAMING = {LISTS[method]: naming for method, naming in ITEM_NAMES.items()}
"""For each list, by the member that holds it: which member names an item."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool to call, and with what."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call came to: its content as text, or why there is none."""

    text: str = ""
    failed: bool = False
    """Whether it was an error, a result with `isError`, or no answer."""

    @property
    def words(self) -> str:
        """The same in words."""
        if self.failed:
            return f"fails ({self.text})"
        return f'returns "{self.text}"' if self.text else "returns nothing"


@dataclass(frozen=True, slots=True)
class Observation:
    """What a server gave. `lists` has the names in each list that it gave, by the list's member."""

    opening: OpeningOutcome
    took_s: float = 0.0
    """How long the opening took."""
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    calls: Mapping[int, CallResult] = field(default_factory=dict)
    """By the place of the call among those asked for; those that were not made are missing."""

    @property
    def works(self) -> bool:
        """Whether the server took the opening."""
        return self.opening is OpeningOutcome.ACCEPTED


class Observer:
    """Starts a server under conditions, and remembers what came of it. The starts are not kept as recordings.

    Unless `all_calls`, only tools are called that say of themselves that they change nothing.
    """

    def __init__(
        self, settings: ConnectionSettings, calls: Sequence[Call] = (), *, all_calls: bool = False
    ) -> None:
        self.calls = calls
        self.made = 0
        """How many calls were made."""
        self._settings = settings
        self._all_calls = all_calls
        self._folder = TemporaryDirectory(prefix="mcptap-probe-")
        self._seen: dict[Hashable, Observation] = {}

    def __enter__(self) -> Observer:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    async def see(self, launch: Launch, *, start_s: float | None = None, again: bool = False) -> Observation:
        """What the server gave under these conditions; `again`: see it anew, though it was seen before.

        `start_s` is how long its first answer is waited for, where that is not as in the settings.
        """
        key = tuple(launch.argv), launch.cwd, frozenset(launch.environment.items()), start_s
        if again or key not in self._seen:
            settings = replace(
                self._settings,
                record=f"{self._folder.name}/",
                start_s=self._settings.start_s if start_s is None else start_s,
            )
            seen = await observe(settings, launch, self.calls, all_calls=self._all_calls)
            self.made += len(seen.calls)
            if again:
                return seen
            self._seen[key] = seen
        return self._seen[key]


async def observe(
    settings: ConnectionSettings, launch: Launch, calls: Sequence[Call] = (), *, all_calls: bool = False
) -> Observation:
    """Start a fresh server under these conditions, read its lists, and make the calls.

    Unless `all_calls`, only tools are called that say of themselves that they change nothing.
    """
    begin = trio.current_time()
    try:
        async with connect(settings, "cause", launch) as connection:
            opening = await _open(connection)
            took_s = trio.current_time() - begin
            if opening.outcome is not OpeningOutcome.ACCEPTED:
                return Observation(opening.outcome, took_s)
            server = await describe_server(connection, opening, frozenset({"tools"}))
            lists = {
                member: tuple(str(item.get(NAMING[member])) for item in items)
                for member, items in server.lists.items()
            }
            harmless = {str(tool.get("name")) for tool in server.tools if is_read_only(tool)}
            results = {
                place: await _call(connection, call)
                for place, call in enumerate(calls)
                if all_calls or call.tool in harmless
            }
            await connection.stop(STOP)
            return Observation(opening.outcome, took_s, lists, results)
    except UserError:
        return Observation(OpeningOutcome.GONE, trio.current_time() - begin)


async def _open(connection: Connection) -> OpeningResult:
    """`initialize`, and `server/discover` behind it for a server that refuses that."""
    opening = await initialize(connection)
    if opening.outcome is OpeningOutcome.REFUSED:
        stateless = await discover(connection)
        return stateless if stateless.outcome is OpeningOutcome.ACCEPTED else opening
    return opening


async def _call(connection: Connection, call: Call) -> CallResult:
    params = {"name": call.tool, "arguments": dict(call.arguments)}
    response = await connection.request("tools/call", params, limit_s=connection.settings.call_s)
    return call_result(response, connection.ended)


def call_result(response: Message | None, ended: bool = False) -> CallResult:
    """What a response to `tools/call` says; `ended`: whether the server has ended without one."""
    if response is None:
        return CallResult("the server ended" if ended else "no answer", failed=True)
    if isinstance(response.error, dict):
        error = f"error {response.error.get('code')}, {response.error.get('message')}"
        return CallResult(" ".join(error.split()), failed=True)
    result = response.result if isinstance(response.result, dict) else {}
    content = result.get("content")
    items = [item for item in content if isinstance(item, dict)] if isinstance(content, list) else []
    structured = result.get("structuredContent")
    if not items and isinstance(structured, dict) and structured:
        items = [{"text": dumps(structured)}]
    texts = [item["text"] if isinstance(item.get("text"), str) else f"[{item.get('type')}]" for item in items]
    text = " ".join(" ".join(texts).split())
    return CallResult(text, failed=result.get("isError") is True)


def what_is_less(theirs: Observation, mine: Observation, calls: Sequence[Call]) -> str:
    """What a server gives under my conditions and not under theirs, in words; empty if there is nothing."""
    if mine.works and not theirs.works:
        return f"it does not start ({theirs.opening.value})"
    told = []
    for member, names in mine.lists.items():
        missing = [name for name in names if name not in theirs.lists.get(member, ())]
        if missing:
            kept = len(names) - len(missing)
            few = (
                f"lists no {member}"
                if not theirs.lists.get(member)
                else f"lists {kept} of {len(names)} {member}"
            )
            told.append(f"it {few}, and lacks {listed(missing)}")
    for place, result in mine.calls.items():
        other = theirs.calls.get(place)
        if other is not None and not result.failed and other != result:
            told.append(f"{calls[place].tool} {_cut(other.words)}, and {_cut(result.words)} under yours")
    return "; ".join(told)


def _cut(text: str, length: int = 120) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
