"""Faults that a mock puts into its answers on purpose.

A fault changes what is about to be written for one request: by default the first after
the handshake, or what the fault is about (the handshake, a list), or every line.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from mcptap.clients.faults import Fault
from mcptap.jsontext.bounded import parse_whole
from mcptap.play.client.messages import as_line
from mcptap.play.mock.server_script import Exit, Write, is_answerable, other_type
from mcptap.protocol.model.message import Message
from mcptap.protocol.revisions.names import LISTS, OPENERS
from mcptap.wire import SERVER_TO_CLIENT, split_terminator

Plan = list[Write | Exit]

NOISE = b"Server ready, listening on stdio"
BOM = b"\xef\xbb\xbf"
LONG_LINE = 11 << 20
"""Bytes; the TypeScript SDK closes the connection over 10 MiB."""

SLOW_ANSWER_US = 61_000_000
"""A second more than the TypeScript SDK waits for an answer."""

SLOW_HANDSHAKE_US = 9_000_000
"""A second more than is commonly asked of a server's start."""

CAPABILITIES = ("tools", "resources", "prompts", "logging", "completions")


@dataclass(frozen=True, slots=True)
class MockFault:
    """A fault that can be asked for by name."""

    name: str
    fault: Fault
    """What clients and the rules of `mcptap check` know it as."""
    text: str
    """What it does, for the help text."""
    change: Callable[[Plan, int, int], Plan]
    """From a plan, the index of the answer in it and a delay in us to the changed plan."""
    target: str = "any"
    """`any`: the first request after the handshake; `handshake`, `list`, `first`: the very first answer;
    `stream`: all that is written."""
    delay_us: int = 0
    stage: int = 2
    """Of several faults in one answer those of a lower stage come first: -1 takes the answer away (so that
    the others find another one, and count), 0 changes it as JSON, 1 its bytes, 2 what is written around it,
    3 all lines."""


def _before(plan: Plan, at: int, _delay: int) -> Plan:
    return [*plan[:at], _noise(plan[at]), *plan[at:]]


def _after(plan: Plan, at: int, _delay: int) -> Plan:
    return [*plan[: at + 1], _noise(plan[at]), *plan[at + 1 :]]


def _noise(beside: Write | Exit) -> Write:
    return Write(beside.after_us, SERVER_TO_CLIENT, NOISE + b"\n")


def _bytes(change: Callable[[bytes], bytes]) -> Callable[[Plan, int, int], Plan]:
    """A fault that changes the bytes of the answer."""

    def changed(plan: Plan, at: int, _delay: int) -> Plan:
        answer = plan[at]
        assert isinstance(answer, Write)
        return [*plan[:at], replace(answer, data=change(answer.data)), *plan[at + 1 :]]

    return changed


def _value(change: Callable[[dict[str, Any]], None]) -> Callable[[Plan, int, int], Plan]:
    """A fault that changes the answer as JSON."""

    def changed(data: bytes) -> bytes:
        content, end = split_terminator(data)
        value = parse_whole(content)
        change(value)
        return as_line(value).removesuffix(b"\n") + end

    return _bytes(changed)


def _crlf(plan: Plan, _at: int, _delay: int) -> Plan:
    return [_with_crlf(step) for step in plan]


def _with_crlf(step: Write | Exit) -> Write | Exit:
    if isinstance(step, Exit) or step.channel != SERVER_TO_CLIENT or not step.data.endswith(b"\n"):
        return step
    return replace(step, data=split_terminator(step.data)[0] + b"\r\n")


def _pretty(data: bytes) -> bytes:
    content, end = split_terminator(data)
    text = json.dumps(parse_whole(content), ensure_ascii=False, indent=2)
    return text.encode(errors="backslashreplace") + end


def _long(data: bytes) -> bytes:
    # White space between the members: the answer is the same, only its line is long.
    return data[:1] + b" " * (LONG_LINE - len(data)) + data[1:]


def _drop(plan: Plan, at: int, _delay: int) -> Plan:
    return plan[:at] + plan[at + 1 :]


def _twice(plan: Plan, at: int, _delay: int) -> Plan:
    return [*plan[: at + 1], plan[at], *plan[at + 1 :]]


def _late(plan: Plan, at: int, delay: int) -> Plan:
    return plan[:at] + [replace(step, after_us=step.after_us + delay) for step in plan[at:]]


def _exit(plan: Plan, at: int, _delay: int) -> Plan:
    return [*plan[:at], Exit(plan[at].after_us, 1)]


def _retype_id(value: dict[str, Any]) -> None:
    value["id"] = json.loads(other_type(value["id"]))


def _error_null(value: dict[str, Any]) -> None:
    value["error" if "result" in value else "result"] = None


def _null_cursor(value: dict[str, Any]) -> None:
    value["result"]["nextCursor"] = None


def _lose_capability(value: dict[str, Any]) -> None:
    declared = value["result"]["capabilities"]
    del declared[next(name for name in CAPABILITIES if name in declared)]


def _can_lose_capability(value: dict[str, Any]) -> bool:
    result = value.get("result")
    declared = result.get("capabilities") if isinstance(result, dict) else None
    return isinstance(declared, dict) and any(name in declared for name in CAPABILITIES)


def _object(answer: Write | Exit) -> dict[str, Any]:
    """The answer as JSON; empty if it is none: as it was recorded, or by another fault."""
    assert isinstance(answer, Write)
    try:
        value = parse_whole(answer.data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


FAULTS = {
    fault.name: fault
    for fault in (
        MockFault(
            "pollution-before", Fault.NOT_JSON, "a line of text before the first answer", _before, "first"
        ),
        MockFault("pollution-after", Fault.NOT_JSON, "a line of text behind an answer", _after),
        MockFault(
            "pollution-glued",
            Fault.GLUED_TEXT,
            "text without a newline before an answer",
            _bytes(lambda data: NOISE + b"... " + data),
            stage=1,
        ),
        MockFault(
            "bom",
            Fault.BYTE_ORDER_MARK,
            "a byte-order mark before the first answer",
            _bytes(lambda data: BOM + data),
            "first",
            stage=1,
        ),
        MockFault("crlf", Fault.CRLF, "all lines end CR LF", _crlf, "stream", stage=3),
        MockFault(
            "pretty-printed",
            Fault.MESSAGE_OVER_LINES,
            "an answer spread over many lines",
            _bytes(_pretty),
            stage=1,
        ),
        MockFault("dropped-answer", Fault.NO_RESPONSE, "an answer is never given", _drop, stage=-1),
        MockFault(
            "delayed-answer", Fault.SLOW_RESPONSE, "an answer comes 61 s late", _late, delay_us=SLOW_ANSWER_US
        ),
        MockFault("duplicate-answer", Fault.DUPLICATE_RESPONSE, "an answer is given twice", _twice),
        MockFault(
            "wrong-id-type", Fault.ID_TYPE, 'an answer to 1 has the id "1"', _value(_retype_id), stage=0
        ),
        MockFault(
            "error-null",
            Fault.NULL_MEMBER,
            'an answer has "error":null beside its result',
            _value(_error_null),
            stage=0,
        ),
        MockFault(
            "null-field",
            Fault.NULL_FIELD,
            'a list has "nextCursor":null',
            _value(_null_cursor),
            "list",
            stage=0,
        ),
        MockFault(
            "missing-capability",
            Fault.UNDECLARED_TOOLS,
            "a capability is served but not declared (tools, else the first one)",
            _value(_lose_capability),
            "capabilities",
            stage=0,
        ),
        MockFault(
            "exit-mid-call", Fault.SERVER_EXIT, "the server ends instead of answering", _exit, stage=-1
        ),
        MockFault("long-line", Fault.LONG_LINE, "an answer is 11 MB long", _bytes(_long), stage=1),
        MockFault(
            "slow-initialize",
            Fault.SLOW_RESPONSE,
            "the answer to initialize comes 9 s late",
            _late,
            "handshake",
            SLOW_HANDSHAKE_US,
        ),
    )
}
"""All faults, in the order of the help text."""


@dataclass(slots=True)
class FaultInjection:
    """A fault that a mock has. `method` picks the request it is for; `delay_us` how late a late answer is."""

    wanted: MockFault
    method: str | None = None
    delay_us: int | None = None
    used: bool = field(default=False, init=False)

    def inject(self, plan: Plan, request: Message | None) -> Plan:
        """The plan with the fault in it, if this is the place for it."""
        if self.wanted.target == "stream":
            self.used = True
            return self.wanted.change(plan, 0, 0)
        at = next((i for i, step in enumerate(plan) if isinstance(step, Write) and step.is_answer), None)
        if at is None or not is_answerable(request) or not self._is_for(request.method, plan[at]):
            return plan
        self.used = True
        return self.wanted.change(plan, at, self.wanted.delay_us if self.delay_us is None else self.delay_us)

    def _is_for(self, method: str, answer: Write | Exit) -> bool:
        target = self.wanted.target
        if target == "capabilities":
            return method in OPENERS and _can_lose_capability(_object(answer))
        if self.used or (self.method is not None and method != self.method):
            return False
        if target == "first":
            return True
        if target == "handshake":
            return method in OPENERS and "result" in _object(answer)
        if target == "list":
            return method in LISTS and isinstance(_object(answer).get("result"), dict)
        if self.wanted.stage == 0 and not _object(answer):
            return False
        return self.method is not None or method not in OPENERS
