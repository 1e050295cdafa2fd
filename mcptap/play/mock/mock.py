"""The stand-in for a recorded server: a line of the client in, what to write and when out.

No clock and no I/O: the caller hands over lines and carries out the actions, whose times
count from the moment they were returned. See `mock_process` for the process around it.

What was never asked in the recording gets an error that says so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mcptap.play.client.messages import as_line
from mcptap.play.mock.faults import FaultInjection
from mcptap.play.mock.known_requests import CANCELLED, KnownRequests
from mcptap.play.mock.negotiation import negotiated
from mcptap.play.mock.server_script import (
    AwaitResponse,
    Exit,
    Placeholder,
    PlaceholderKind,
    ServerScript,
    Step,
    Write,
    id_key,
    is_answerable,
    other_type,
)
from mcptap.protocol.model.ids import as_id
from mcptap.protocol.model.message import NOTIFICATION, RESPONSE, Message, classify
from mcptap.protocol.revisions.names import INVALID_PARAMS, META_VERSION, METHOD_NOT_FOUND
from mcptap.recording.format.model import Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, split_terminator

LONGEST_PAUSE_US = 5_000
"""Without latency, what was written apart stays apart by so much: the TypeScript SDK loses
progress that comes in one read with its answer."""

LONGEST_STAY_US = 60_000_000
"""A server that stayed until it was killed stays again, but not for good: no client waits as long
before it kills (VS Code 20 s), and one that crashed never will."""


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
    """Answers one client. `latency` keeps the recorded times; each of `faults` changes one answer, or all."""

    def __init__(
        self, script: ServerScript, *, latency: bool = False, faults: Sequence[FaultInjection] = ()
    ) -> None:
        self._script = script
        self._latency = latency
        self._faults = sorted(faults, key=lambda fault: fault.wanted.stage)
        self._known = KnownRequests(script.reactions)
        self._waiting: dict[str, tuple[list[Step], _Request]] = {}
        self.notes: list[str] = []
        """Sentences, one for each request that the recording does not know and for what was answered
        otherwise than it was recorded; the caller may empty it."""
        self.busy_us = 0
        """How long the actions given last keep the server from beginning anything else. A fault's
        delay does not count, nor does recorded latency, in which answers may overtake each other."""

    @property
    def ignores_term(self) -> bool:
        """Whether the recorded server had to be killed."""
        return self._script.ignores_term

    @property
    def unused_faults(self) -> list[str]:
        """The faults for which there was no occasion, by name."""
        return [fault.wanted.name for fault in self._faults if not fault.used]

    def start(self) -> list[Action]:
        """What happens before the client's first line."""
        return self._play(self._script.start.steps, _Request())

    def receive(self, line: bytes) -> list[Action]:
        """What comes of a line, given with or without its terminator."""
        message = classify(Line(0, CLIENT_TO_SERVER, *split_terminator(line), 0, 0, 0))
        self.busy_us = 0
        if message.kind is RESPONSE:
            steps, request = self._waiting.pop(id_key(message.line.value.get("id")), ([], _Request()))
            return self._play(steps, request)
        reaction = self._known.next_for(message)
        request = _Request(message)
        if message.kind is NOTIFICATION and message.method == CANCELLED:
            dropped = self._cancel(id_key((message.params or {}).get("requestId")))
            return [dropped, *(self._play(reaction.steps, request) if reaction is not None else ())]
        if reaction is not None:
            steps, note = negotiated(reaction, message)
            if note:
                self.notes.append(note)
            return self._play(steps, request)
        if not is_answerable(message):
            return []
        if message.method == "ping" and META_VERSION not in message.meta:
            # Whoever asks wants to know whether somebody is there, and a server must answer
            # (2025-11-25, basic/utilities/ping): it says nothing of what was recorded.
            return [_answer(message, "result", {})]
        return [self._refuse(message)]

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
        for fault in self._faults:
            plan = fault.inject(plan, request.message)
        return [Planned(step, request.key) for step in plan]

    def _cancel(self, key: str) -> Drop:
        self._waiting = {asked: held for asked, held in self._waiting.items() if held[1].key != key}
        return Drop(key)

    def _refuse(self, request: Message) -> Planned:
        sentence = self._known.why_not(request)
        self.notes.append(sentence)
        code = INVALID_PARAMS if self._known.has_method(request.method) else METHOD_NOT_FOUND
        return _answer(request, "error", {"code": code, "message": f"mcptap mock: {sentence}"})


def _answer(request: Message, member: str, value: dict[str, object]) -> Planned:
    """An answer that was not recorded."""
    data = as_line({"jsonrpc": "2.0", "id": request.id, member: value})
    return Planned(Write(0, SERVER_TO_CLIENT, data, is_answer=True), id_key(request.id))


@dataclass(frozen=True, slots=True)
class _Request:
    """What a client's line brings into the placeholders of the answer."""

    message: Message | None = None

    @property
    def key(self) -> str:
        """The id of the request as JSON; empty if it is none that can be answered."""
        return id_key(self.message.id) if is_answerable(self.message) else ""

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
            token = as_id(self.message.meta.get("progressToken")) if is_answerable(self.message) else None
            return id_key(token).encode() if isinstance(token, int | str) else None
        if not self.key:
            return recorded[placeholder.start : placeholder.end]
        if placeholder.kind is PlaceholderKind.ID_OF_OTHER_TYPE:
            return other_type(json.loads(self.key))
        return self.key.encode()
