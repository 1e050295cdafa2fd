"""The hard questions: odd, wrong and unusual lines, and what a good server makes of each.

None of them can act: they name nothing that the server has, but for the tools that the user named for it.

Sources: JSON-RPC 2.0 (sections 4 to 6), the revisions of MCP (basic, lifecycle, tools,
error codes), and what the SDKs do. Where an SDK differs from the letter in a way
that no client suffers from, the answer `differs`; only what would hurt is `bad`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from mcptap.play.client.arguments import wrong_arguments
from mcptap.play.client.messages import as_line, notification_line, request_line
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.verdict import Grade, Question, Verdict
from mcptap.protocol.revisions.names import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    META_VERSION,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
)

FINE, DIFFERS, BAD = Grade.FINE, Grade.DIFFERS, Grade.BAD

UNKNOWN_TOOL = "mcptap-no-such-tool"
BIG_ARGUMENT = 1 << 20
"""Bytes in the text of the big request."""

SCRIPTS = "Grüße, 東京, Привет, 🎼, \u2028, \u0000"
UNKNOWN_REVISION = "1900-01-01"
READ = frozenset({METHOD_NOT_FOUND})
"""Where the question is whether a line is read at all, a server without the method has read it."""


def questions(
    server: ServerDescription,
    meta: dict[str, Any] | None,
    ordinary_method: str,
    wrong: Collection[str] = (),
) -> Iterator[Question | Verdict]:
    """The questions for a server, one after another; a verdict where one can't be asked.

    `meta` is the `_meta` of a request of 2026-07-28, None in the handshake era; `ordinary_method` is
    a harmless one that this server is known to answer. `wrong` are the tools that are to be called with
    arguments they refuse: no other tool of the server is called.
    """
    ask = _QuestionMaker(meta, ordinary_method)
    yield from _about_framing(ask)
    yield from _about_messages(ask)
    if "tools" in server.capabilities:
        yield from _about_tools(ask, server.tools, wrong)
    else:
        yield Verdict("an unknown tool", Grade.SKIPPED, "the server declares no tools")
    if meta:
        yield from _about_meta(meta)


class _QuestionMaker:
    """Makes questions of an era, each with an id of its own."""

    def __init__(self, meta: dict[str, Any] | None, ordinary_method: str) -> None:
        self.meta = meta
        self.ordinary_method = ordinary_method
        self._count = 0

    def question(
        self, name: str, method: str, params: dict[str, Any] | None = None, end: bytes = b"\n", **judged: Any
    ) -> Question:
        self._count += 1
        key = f"question-{self._count}"
        return Question(name, self.line(method, params, key, end), key, **judged)

    def line(self, method: str, params: dict[str, Any] | None, key: Any, end: bytes = b"\n") -> bytes:
        return request_line(method, params, key, self.meta)[:-1] + end


def _about_framing(ask: _QuestionMaker) -> Iterator[Question]:
    yield Question(
        "a line that is not JSON",
        b"this is not JSON\n",
        right_codes=frozenset({PARSE_ERROR}),
        silence=FINE,
        expectation=f"error {PARSE_ERROR} with id null, or silence",
    )
    yield Question(
        "a blank line", b"\n", right_codes=frozenset({PARSE_ERROR}), silence=FINE, expectation="silence"
    )
    yield ask.question(
        "a line that ends CR LF",
        ask.ordinary_method,
        end=b"\r\n",
        right_codes=READ,
        result=FINE,
        expectation="an answer as to LF",
    )
    yield Question(
        "a batch",
        as_line(
            [
                {
                    "jsonrpc": "2.0",
                    "id": "batch-1",
                    "method": ask.ordinary_method,
                    "params": {"_meta": ask.meta or {}},
                },
                {
                    "jsonrpc": "2.0",
                    "id": "batch-2",
                    "method": ask.ordinary_method,
                    "params": {"_meta": ask.meta or {}},
                },
            ]
        ),
        right_codes=frozenset({INVALID_REQUEST}),
        result=FINE,
        silence=FINE,
        expectation=f"an array of answers (2025-03-26), error {INVALID_REQUEST}, or silence",
    )


def _about_messages(ask: _QuestionMaker) -> Iterator[Question]:
    yield ask.question(
        "an unknown method",
        "mcptap/no-such-method",
        right_codes=frozenset({METHOD_NOT_FOUND}),
        expectation=f"error {METHOD_NOT_FOUND}",
    )
    yield Question(
        "a request with id null",
        ask.line(ask.ordinary_method, None, None),
        right_codes=frozenset({INVALID_REQUEST}),
        silence=FINE,
        result=DIFFERS,
        expectation=f"error {INVALID_REQUEST} with id null, or silence",
    )
    nothing = "nothing at all: a notification is never answered"
    cancelled = {"requestId": "never-asked", "reason": "a question of mcptap probe"}
    yield Question(
        "a notification",
        notification_line("notifications/cancelled", cancelled),
        error=BAD,
        silence=FINE,
        expectation=nothing,
    )
    yield Question(
        "an unknown notification",
        notification_line("notifications/mcptap/no-such-thing"),
        error=BAD,
        silence=FINE,
        expectation=nothing,
    )
    yield ask.question(
        "a request with a megabyte of text",
        ask.ordinary_method,
        {"_meta": {"mcptap/text": "x" * BIG_ARGUMENT}},
        right_codes=READ,
        result=FINE,
        expectation="an answer",
    )
    yield ask.question(
        "text in many scripts",
        ask.ordinary_method,
        {"_meta": {"mcptap/text": SCRIPTS}},
        right_codes=READ,
        result=FINE,
        expectation="an answer, in UTF-8",
    )


def _about_tools(
    ask: _QuestionMaker, tools: list[dict[str, Any]], wrong: Collection[str]
) -> Iterator[Question | Verdict]:
    yield ask.question(
        "an unknown tool",
        "tools/call",
        {"name": UNKNOWN_TOOL, "arguments": {}},
        right_codes=frozenset({INVALID_PARAMS}),
        tool_error=DIFFERS,
        expectation=f"error {INVALID_PARAMS}",
    )
    yield ask.question(
        "an unknown tool with a megabyte",
        "tools/call",
        {"name": UNKNOWN_TOOL, "arguments": {"text": "x" * BIG_ARGUMENT}},
        right_codes=frozenset({INVALID_PARAMS}),
        tool_error=DIFFERS,
        expectation=f"error {INVALID_PARAMS}",
    )
    listed = {str(tool.get("name")): tool for tool in tools}
    for tool_name in dict.fromkeys(wrong):
        name = f"{tool_name} without its arguments"
        if tool_name not in listed:
            yield Verdict(name, Grade.BAD, "the server lists no tool of this name")
            continue
        arguments, why_not = wrong_arguments(listed[tool_name])
        if arguments is None:
            yield Verdict(name, Grade.SKIPPED, why_not)
            continue
        yield ask.question(
            name,
            "tools/call",
            {"name": tool_name, "arguments": arguments},
            result=DIFFERS,
            tool_error=FINE,
            calls_tool=True,
            expectation="a result with isError, by which a model can mend its call",
        )


def _about_meta(meta: dict[str, Any]) -> Iterator[Question]:
    bare = {"jsonrpc": "2.0", "id": "question-meta", "method": "tools/list", "params": {}}
    yield Question(
        "a request without _meta",
        as_line(bare),
        "question-meta",
        right_codes=frozenset({INVALID_PARAMS, INVALID_REQUEST}),
        result=DIFFERS,
        expectation=f"error {INVALID_PARAMS}: 2026-07-28 wants a version with each request",
    )
    old = {**meta, META_VERSION: UNKNOWN_REVISION}
    yield Question(
        "a request of an unknown revision",
        as_line({**bare, "id": "question-revision", "params": {"_meta": old}}),
        "question-revision",
        right_codes=frozenset({UNSUPPORTED_VERSION}),
        result=DIFFERS,
        expectation=f"error {UNSUPPORTED_VERSION}, with the revisions that are supported",
    )
