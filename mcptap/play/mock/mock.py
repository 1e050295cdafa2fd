"""The stand-in for a recorded server: a line of the client in, what to write and when out.

No clock and no I/O: the caller hands over lines and carries out the actions, whose times
count from the moment they were returned. See `stand_in` for the process around it.

A request is matched by method, era and params: first exactly (but for the progress token,
which is the client's own), then without `_meta` and ids. Equal requests get the recorded
answers in their order, and the last one from then on. What was never asked in the
recording gets an error that says so.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mcptap.play.mock.server_script import (
    VERSION_KEY,
    AwaitResponse,
    Exit,
    Placeholder,
    PlaceholderKind,
    Reaction,
    ServerScript,
    Step,
    Write,
    id_key,
    is_id,
    is_notification,
    is_request,
    is_response,
    meta_of,
    params_of,
)
from mcptap.recording.format.model import NOT_JSON, parse_line
from mcptap.wire import SERVER_TO_CLIENT, split_terminator

if TYPE_CHECKING:
    from mcptap.play.mock.faults import FaultInjection

NEGOTIATION = frozenset({"initialize", "server/discover"})
"""Methods whose params say who the client is: any params get the recorded answer."""

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
LONGEST_PAUSE_US = 5_000
"""Without latency, what was written apart stays apart by so much: the TypeScript SDK loses
progress that comes in one read with its answer."""

LONGEST_STAY_US = 60_000_000
"""A server that stayed until it was killed stays again, but not for good: no client waits as long
before it kills (VS Code 20 s), and one that crashed never will."""

SHOWN_REQUESTS = 5
SHOWN_LENGTH = 160


@dataclass(frozen=True, slots=True)
class Drop:
    """Nothing more is to be written for the request with this key."""

    request: str


@dataclass(frozen=True, slots=True)
class Planned:
    """A step to be carried out for a request (`""`: for none)."""

    step: Write | Exit
    request: str = ""


Action = Planned | Drop


class Mock:
    """Answers one client. `latency` keeps the recorded times; `fault` changes one answer, or all."""

    def __init__(
        self, script: ServerScript, *, latency: bool = False, fault: FaultInjection | None = None
    ) -> None:
        self._script = script
        self._latency = latency
        self._fault = fault
        self._known = _Known(script.reactions)
        self._waiting: dict[str, tuple[list[Step], _Request]] = {}
        self.unknown: list[str] = []
        """A sentence for each request that the recording does not know; the caller may empty it."""
        self.busy_us = 0
        """How long the actions given last keep the server from beginning anything else. A fault's
        delay does not count, nor does recorded latency, in which answers may overtake each other."""

    @property
    def ignores_term(self) -> bool:
        """Whether the recorded server had to be killed."""
        return self._script.ignores_term

    @property
    def fault_was_used(self) -> bool:
        """Whether there was an occasion for the fault; True if there is none."""
        return self._fault is None or self._fault.used

    def start(self) -> list[Action]:
        """What happens before the client's first line."""
        return self._play(self._script.start.steps, _Request())

    def receive(self, line: bytes) -> list[Action]:
        """What comes of a line, given with or without its terminator."""
        data, _ = split_terminator(line)
        value = parse_line(data)
        self.busy_us = 0
        if is_response(value):
            steps, request = self._waiting.pop(id_key(value.get("id")), ([], _Request()))
            return self._play(steps, request)
        reaction = self._known.next_for(value, data)
        request = _Request.of(value)
        if is_notification(value) and value["method"] == "notifications/cancelled":
            dropped = self._cancel(id_key(params_of(value).get("requestId")))
            return [dropped, *(self._play(reaction.steps, request) if reaction is not None else ())]
        if reaction is not None:
            return self._play(reaction.steps, request)
        if is_request(value):
            return [self._refuse(value)]
        return []

    def end_of_input(self) -> list[Action]:
        """What happens once the client has closed its end."""
        actions = self._play(self._script.end.steps, _Request())
        ends = any(isinstance(a, Planned) and isinstance(a.step, Exit) for a in actions)
        if not ends:
            actions.append(Planned(Exit(0 if self._script.ends_at_eof else LONGEST_STAY_US)))
        return actions

    def _play(self, steps: list[Step], request: _Request) -> list[Action]:
        """The actions for steps up to the first that has to wait for the client."""
        plan: list[Write | Exit] = []
        recorded_us = after_us = 0
        for index, step in enumerate(steps):
            if isinstance(step, AwaitResponse):
                self._waiting[step.request] = (steps[index + 1 :], request)
                break
            if index:
                after_us += min(max(0, step.after_us - recorded_us), LONGEST_PAUSE_US)
            recorded_us = step.after_us
            timed = step if self._latency else replace(step, after_us=after_us)
            filled = request.fill(timed) if isinstance(timed, Write) else timed
            if filled is not None:
                plan.append(filled)
        self.busy_us = 0 if self._latency else after_us
        if self._fault is not None:
            plan = self._fault.inject(plan, request.value)
        return [Planned(step, request.key) for step in plan]

    def _cancel(self, key: str) -> Drop:
        self._waiting = {asked: held for asked, held in self._waiting.items() if held[1].key != key}
        return Drop(key)

    def _refuse(self, value: dict[str, Any]) -> Planned:
        asked = _description(value)
        known = self._known.descriptions(value["method"])
        code = INVALID_PARAMS if known else METHOD_NOT_FOUND
        known = known or self._known.methods()
        more = f" and {len(known) - SHOWN_REQUESTS} more" if len(known) > SHOWN_REQUESTS else ""
        sentence = (
            f"the recording has no answer to {asked}; it knows "
            f"{', '.join(known[:SHOWN_REQUESTS]) or 'no request at all'}{more}"
        )
        self.unknown.append(sentence)
        error = {"code": code, "message": f"mcptap mock: {sentence}"}
        reply = json.dumps({"jsonrpc": "2.0", "id": value["id"], "error": error}, ensure_ascii=False)
        data = reply.encode(errors="backslashreplace") + b"\n"
        return Planned(Write(0, SERVER_TO_CLIENT, data, is_answer=True), id_key(value["id"]))


@dataclass(frozen=True, slots=True)
class _Request:
    """What a client's line brings into the placeholders of the answer."""

    value: Any = NOT_JSON
    key: str = ""
    token: Any = None

    @classmethod
    def of(cls, value: Any) -> _Request:
        if not is_request(value):
            return cls(value)
        return cls(value, id_key(value["id"]), meta_of(value).get("progressToken"))

    def fill(self, step: Write) -> Write | None:
        """The bytes for this request; None for progress that it did not ask for."""
        if not step.placeholders:
            return step
        data, end = bytearray(), 0
        for placeholder in step.placeholders:
            filling = self._filling(placeholder, step.data)
            if filling is None:
                return None
            data += step.data[end : placeholder.start] + filling
            end = placeholder.end
        return replace(step, data=bytes(data) + step.data[end:], placeholders=())

    def _filling(self, placeholder: Placeholder, recorded: bytes) -> bytes | None:
        if placeholder.kind is PlaceholderKind.TOKEN:
            return json.dumps(self.token).encode() if is_id(self.token) else None
        if not self.key:
            return recorded[placeholder.start : placeholder.end]
        if placeholder.kind is PlaceholderKind.ID_OF_OTHER_TYPE:
            return other_type(json.loads(self.key))
        return self.key.encode()


def other_type(value: str | int) -> bytes:
    """An id as JSON with its type changed: `1` as `"1"`, and `"1"` as `1` where that is possible."""
    if isinstance(value, int):
        return json.dumps(str(value)).encode()
    return value.encode() if value.isdecimal() else b"0"


class _Known:
    """The recorded reactions, found by what the client says."""

    def __init__(self, reactions: Iterable[Reaction]) -> None:
        self._by_key: dict[tuple[Any, ...], list[Reaction]] = defaultdict(list)
        self._used: set[int] = set()
        self._methods: dict[str, list[str]] = defaultdict(list)
        for reaction in reactions:
            for key in _keys(reaction.value, reaction.data):
                self._by_key[key].append(reaction)
            if is_request(reaction.value):
                shown = _description(reaction.value)
                if shown not in self._methods[reaction.value["method"]]:
                    self._methods[reaction.value["method"]].append(shown)

    def next_for(self, value: Any, data: bytes) -> Reaction | None:
        """The reaction to play: the first unused one that matches, else the last."""
        keys = _keys(value, data)
        for key in keys:
            for reaction in self._by_key.get(key, ()):
                if id(reaction) not in self._used:
                    self._used.add(id(reaction))
                    return reaction
        for key in keys:
            if key in self._by_key:
                return self._by_key[key][-1]
        return None

    def methods(self) -> list[str]:
        """Requests that the recording knows, by method."""
        return list(self._methods)

    def descriptions(self, method: str) -> list[str]:
        """The known requests of one method."""
        return self._methods.get(method, [])


def _keys(value: Any, data: bytes) -> list[tuple[Any, ...]]:
    """Under what a line is found, the most exact first."""
    if not is_request(value) and not is_notification(value):
        return [("raw", data if value is NOT_JSON else _canonical(value))]
    kind = "request" if is_request(value) else "notification"
    method, params = value["method"], dict(params_of(value))
    stateless = VERSION_KEY in meta_of(value)
    meta = {name: v for name, v in meta_of(value).items() if name != "progressToken"}
    exact = {**params, "_meta": meta} if meta else _without(params, "_meta")
    loose = _without(params, "_meta", "requestId")
    keys = [
        (kind, method, stateless, _canonical(exact)),
        (kind, method, stateless, _canonical(loose), "loose"),
    ]
    if method in NEGOTIATION or method == "notifications/cancelled":
        keys.append((kind, method))
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


def _description(value: dict[str, Any]) -> str:
    """A request in a few words: its method and what makes it different from others."""
    params = _without(params_of(value), "_meta")
    if not params or value["method"] in NEGOTIATION:
        return str(value["method"])
    text = json.dumps(params, ensure_ascii=False)
    short = text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "…"
    return f"{value['method']} {short}"
