"""Servers that go wrong in one way each: what `faulty_server` answers, and the fault that this is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcptap.clients.faults import Fault

Json = dict[str, Any]

TOOLS = ("alpha", "beta")
HANDSHAKE = "initialize"
LIST = "tools/list"
DISCOVER = "server/discover"


@dataclass(frozen=True)
class Case:
    """A server with one fault. `change` makes the bytes to write of the right response to `on`."""

    name: str
    fault: Fault | None
    """None: it is no fault, or none that has a name."""
    on: str = ""
    change: Callable[[Json, int], bytes] | None = None
    """From the response and how often this method was asked before. No bytes: nothing is answered."""
    first: Callable[[bytes], bytes] | None = None
    """What is done to the first bytes that are written."""
    every: Callable[[bytes], bytes] | None = None
    """What is done to all that is written."""
    stateless: bool = False
    """Whether `server/discover` is answered with a result."""
    mock: str = ""
    """The fault of `mcptap mock` that is put in."""


def line(message: Any) -> bytes:
    """A message as a line."""
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def _changed(change: Callable[[Json], object]) -> Callable[[Json, int], bytes]:
    """The response with its JSON changed in place."""

    def made(response: Json, _count: int) -> bytes:
        change(response)
        return line(response)

    return made


def _replaced(change: Callable[[bytes], bytes]) -> Callable[[Json, int], bytes]:
    """The response with its bytes changed."""
    return lambda response, _count: change(line(response))


def _swapped(old: bytes, new: bytes) -> Callable[[Json, int], bytes]:
    return _replaced(lambda data: data.replace(old, new))


def _tool(change: Callable[[Json], object]) -> Callable[[Json, int], bytes]:
    """The list with one of its tools changed."""
    return _changed(lambda response: change(response["result"]["tools"][1]))


def _declared(capabilities: Any) -> Callable[[Json, int], bytes]:
    return _changed(lambda response: response["result"].update(capabilities=capabilities))


def _revision(revision: str) -> Callable[[Json, int], bytes]:
    return _changed(lambda response: response["result"].update(protocolVersion=revision))


def _nothing(_response: Json, _count: int) -> bytes:
    return b""


def _leave(_response: Json, _count: int) -> bytes:
    raise SystemExit(1)


def _same_cursor(response: Json, _count: int) -> bytes:
    response["result"]["nextCursor"] = "again"
    return line(response)


def _new_cursor(response: Json, count: int) -> bytes:
    response["result"]["nextCursor"] = f"page {count + 2}"
    return line(response)


def _notified(method: str) -> bytes:
    return line({"jsonrpc": "2.0", "method": method})


def _null_id(response: Json, _count: int) -> bytes:
    return line({"jsonrpc": "2.0", "id": None, "error": {"code": -32603, "message": "broken"}})


def _page_error(response: Json, count: int) -> bytes:
    if count:
        return line({"jsonrpc": "2.0", "id": response["id"], "error": {"code": -32603, "message": "broken"}})
    response["result"]["nextCursor"] = "2"
    return line(response)


NOISE = b"Server ready, listening on stdio\n"
UNKNOWN = {"jsonrpc": "2.0", "id": 99999, "result": {}}


def _listed() -> tuple[Case, ...]:
    """Faults of one tool, or of the result of `tools/list`."""
    tools = {
        "description-null": (Fault.NULL_FIELD, lambda tool: tool.update(description=None)),
        "title-null": (Fault.NULL_FIELD, lambda tool: tool.update(title=None)),
        "annotations-null": (Fault.NULL_FIELD, lambda tool: tool.update(annotations=None)),
        "output-schema-null": (Fault.NULL_FIELD, lambda tool: tool.update(outputSchema=None)),
        "input-schema-missing": (Fault.NO_INPUT_SCHEMA, lambda tool: tool.pop("inputSchema")),
        "input-schema-null": (Fault.NO_INPUT_SCHEMA, lambda tool: tool.update(inputSchema=None)),
        "input-schema-text": (Fault.NO_INPUT_SCHEMA, lambda tool: tool.update(inputSchema="object")),
        "input-schema-of-text": (Fault.INPUT_SCHEMA, lambda tool: tool["inputSchema"].update(type="string")),
        "input-schema-without-type": (Fault.INPUT_SCHEMA, lambda tool: tool["inputSchema"].pop("type")),
        "tool-without-name": (Fault.TOOLS_SHAPE, lambda tool: tool.pop("name")),
        "tool-name-odd": (Fault.TOOL_NAME, lambda tool: tool.update(name="be ta!")),
        "tool-name-long": (Fault.LONG_TOOL_NAME, lambda tool: tool.update(name="b" * 100)),
    }
    results = {
        "next-cursor-null": (Fault.NULL_FIELD, lambda result: result.update(nextCursor=None)),
        "tools-missing": (Fault.TOOLS_SHAPE, lambda result: result.pop("tools")),
        "tools-null": (Fault.TOOLS_SHAPE, lambda result: result.update(tools=None)),
    }
    of_tools = (Case(name, fault, LIST, _tool(change)) for name, (fault, change) in tools.items())
    of_results = (
        Case(name, fault, LIST, _changed(lambda response, change=change: change(response["result"])))
        for name, (fault, change) in results.items()
    )
    return (*of_tools, *of_results)


def _messages() -> tuple[Case, ...]:
    """Faults of the message around the result of `tools/list`."""
    changes = {
        "extra-member": (Fault.EXTRA_MEMBER, lambda answer: answer.update(server="mine")),
        "result-and-error": (
            Fault.RESULT_AND_ERROR,
            lambda answer: answer.update(error={"code": -32603, "message": "broken"}),
        ),
        "no-jsonrpc": (Fault.JSONRPC_VERSION, lambda answer: answer.pop("jsonrpc")),
        "jsonrpc-1": (Fault.JSONRPC_VERSION, lambda answer: answer.update(jsonrpc="1.0")),
    }
    return tuple(Case(name, fault, LIST, _changed(change)) for name, (fault, change) in changes.items())


def _mocks() -> tuple[Case, ...]:
    """The faults of `mcptap mock`; those that need another server, or only time, are told by hand below."""
    by_hand = {
        "missing-capability": Fault.UNDECLARED_TOOLS,
        "delayed-answer": Fault.SLOW_RESPONSE,
        "slow-initialize": Fault.SLOW_RESPONSE,
    }
    names = {
        "pollution-before": Fault.NOT_JSON,
        "pollution-after": Fault.NOT_JSON,
        "pollution-glued": Fault.GLUED_TEXT,
        "bom": Fault.BYTE_ORDER_MARK,
        "crlf": Fault.CRLF,
        "pretty-printed": Fault.MESSAGE_OVER_LINES,
        "dropped-answer": Fault.NO_RESPONSE,
        "duplicate-answer": Fault.DUPLICATE_RESPONSE,
        "wrong-id-type": Fault.ID_TYPE,
        "error-null": Fault.NULL_MEMBER,
        "null-field": Fault.NULL_FIELD,
        "exit-mid-call": Fault.SERVER_EXIT,
        "long-line": Fault.LONG_LINE,
        **by_hand,
    }
    return tuple(Case(f"mock-{name}", fault, mock=name) for name, fault in names.items())


CASES = {
    case.name: case
    for case in (
        Case("healthy", None),
        Case("stateless-healthy", None, stateless=True),
        # the opening
        Case("capabilities-empty", Fault.UNDECLARED_TOOLS, HANDSHAKE, _declared({})),
        Case("stateless-capabilities-empty", Fault.UNDECLARED_TOOLS, DISCOVER, _declared({}), stateless=True),
        Case(
            "server-info-missing",
            Fault.OPENING_SHAPE,
            HANDSHAKE,
            _changed(lambda response: response["result"].pop("serverInfo")),
        ),
        Case("tools-capability-null", Fault.CAPABILITY_NULL, HANDSHAKE, _declared({"tools": None})),
        Case("tools-capability-array", Fault.CAPABILITY_SHAPE, HANDSHAKE, _declared({"tools": []})),
        Case("tools-capability-true", Fault.CAPABILITY_SHAPE, HANDSHAKE, _declared({"tools": True})),
        Case("revision-2024-11-05", None, HANDSHAKE, _revision("2024-11-05")),
        Case("revision-2025-03-26", None, HANDSHAKE, _revision("2025-03-26")),
        Case("revision-2025-06-18", None, HANDSHAKE, _revision("2025-06-18")),
        Case("revision-2025-11-25", None, HANDSHAKE, _revision("2025-11-25")),
        Case("revision-stateless", Fault.STATELESS_HANDSHAKE, HANDSHAKE, _revision("2026-07-28")),
        Case("revision-unknown", Fault.UNKNOWN_REVISION, HANDSHAKE, _revision("2099-01-01")),
        Case("silent-discover", Fault.NO_DISCOVER_RESPONSE, DISCOVER, _nothing),
        Case("silent-initialize", Fault.NO_INITIALIZE_RESPONSE, HANDSHAKE, _nothing),
        Case("exit-at-initialize", Fault.SERVER_EXIT, HANDSHAKE, _leave),
        *_listed(),
        *_messages(),
        # lines
        Case("batch-array", Fault.BATCH, LIST, lambda response, _: line([response])),
        Case("blank-lines", Fault.BLANK_LINE, LIST, _replaced(lambda data: b"\n" + data + b"\n")),
        Case("bare-value", Fault.BARE_VALUE, LIST, _replaced(lambda data: b"42\n" + data)),
        Case("invalid-utf8", Fault.INVALID_UTF8, LIST, _swapped(b"The ", b"\xe9\xff ")),
        Case("nan", Fault.NOT_A_NUMBER, LIST, _swapped(b'"object"', b'"object","x":NaN')),
        Case("utf-16", Fault.UTF16, every=lambda data: data.decode().encode("utf-16-le")),
        # conversation
        Case("error-without-id-instead", None, LIST, _null_id),
        Case("unknown-id", Fault.UNKNOWN_ID, LIST, _replaced(lambda data: line(UNKNOWN) + data)),
        Case(
            "unknown-notification",
            Fault.UNKNOWN_NOTIFICATION,
            LIST,
            _replaced(lambda data: _notified("notifications/strange") + data),
        ),
        Case("page-error", Fault.PAGE_ERROR, LIST, _page_error),
        Case("cursor-same", Fault.CURSOR_LOOP, LIST, _same_cursor),
        Case("cursor-endless", Fault.ENDLESS_LIST, LIST, _new_cursor),
        Case(
            "list-changed-unpromised",
            Fault.UNPROMISED_LIST_CHANGED,
            LIST,
            _replaced(lambda data: data + _notified("notifications/tools/list_changed")),
        ),
        *_mocks(),
    )
}
"""All of them by name."""
