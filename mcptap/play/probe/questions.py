"""The hard questions: odd, wrong and unusual lines, what a good server makes of each, and the judgement.

Sources: JSON-RPC 2.0 (sections 4 to 6), the revisions of MCP (basic, lifecycle, tools,
resources, error codes), and what the SDKs do. Where an SDK differs from the letter in a way
that no client suffers from, the answer `differs`; only what would hurt is `bad`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mcptap.play.client.arguments import wrong_arguments
from mcptap.play.client.connection import as_line
from mcptap.protocol.model.message import BATCH, MESSAGES, RESPONSE, Message

UNKNOWN_TOOL = "mcptap-no-such-tool"
UNKNOWN_URI = "mcptap-no-such-scheme://nothing/here"
BIG_ARGUMENT = 1 << 20
"""Bytes in the text of the big request."""

SCRIPTS = "Grüße, 東京, Привет, 🎼, \u2028, \u0000"
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
RESOURCE_NOT_FOUND = -32002
UNSUPPORTED_VERSION = -32022
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
UNKNOWN_REVISION = "1900-01-01"
READ = frozenset({METHOD_NOT_FOUND})
"""Where the question is whether a line is read at all, a server without the method has read it."""


class Grade(Enum):
    """How an answer is judged."""

    FINE = "fine"
    DIFFERS = "differs"
    """Not to the letter, but no client suffers."""
    BAD = "bad"
    """Counts as a finding."""
    SKIPPED = "not asked"


FINE, DIFFERS, BAD = Grade.FINE, Grade.DIFFERS, Grade.BAD


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one question, in words."""

    question: str
    grade: Grade
    words: str


@dataclass(frozen=True, slots=True)
class Question:
    """One line to send, and how each kind of answer is to be judged.

    `key` is the id whose answer is waited for; without one the line asks for no answer, and
    what comes until the next ordinary request is answered is taken for it.
    """

    name: str
    data: bytes
    key: str | None = None
    right_codes: frozenset[int] = field(default_factory=frozenset)
    """Error codes that are right."""
    error: Grade = DIFFERS
    """Any other error."""
    result: Grade = BAD
    tool_error: Grade = BAD
    """A result with `isError`."""
    silence: Grade = BAD
    expectation: str = ""
    """What is expected, in words for somebody who has to mend the server."""


def questions(offer: Any, stateless: dict[str, Any] | None, ordinary: str) -> Iterator[Question | Verdict]:
    """The questions for a server, one after another; a verdict where one can't be asked.

    `offer` has the server's `capabilities` and `tools`; `stateless` is the `_meta` of a
    request of 2026-07-28, None in the handshake era; `ordinary` is a harmless method that
    this server is known to answer.
    """
    ask = _Asker(stateless, ordinary)
    yield from _about_framing(ask)
    yield from _about_messages(ask)
    if "tools" in offer.capabilities:
        yield from _about_tools(ask, offer.tools)
    else:
        yield Verdict("an unknown tool", Grade.SKIPPED, "the server declares no tools")
    if "resources" in offer.capabilities:
        yield ask.question(
            "an unknown resource",
            "resources/read",
            {"uri": UNKNOWN_URI},
            right_codes=frozenset({INVALID_PARAMS if stateless else RESOURCE_NOT_FOUND}),
            result=DIFFERS,
            expectation=f"error {INVALID_PARAMS if stateless else RESOURCE_NOT_FOUND}",
        )
    else:
        yield Verdict("an unknown resource", Grade.SKIPPED, "the server declares no resources")
    if stateless:
        yield from _about_meta(stateless)


class _Asker:
    """Makes questions of an era, each with an id of its own."""

    def __init__(self, meta: dict[str, Any] | None, harmless: str) -> None:
        self.meta = meta
        self.harmless = harmless
        self._count = 0

    def question(
        self, name: str, method: str, params: dict[str, Any] | None = None, end: bytes = b"\n", **judged: Any
    ) -> Question:
        self._count += 1
        key = f"question-{self._count}"
        return Question(name, self.line(method, params, key, end), key, **judged)

    def line(self, method: str, params: dict[str, Any] | None, key: Any, end: bytes = b"\n") -> bytes:
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": key, "method": method}
        if self.meta is not None:
            params = {**(params or {}), "_meta": {**self.meta, **(params or {}).get("_meta", {})}}
        if params is not None:
            message["params"] = params
        return as_line(message)[:-1] + end


def _about_framing(ask: _Asker) -> Iterator[Question]:
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
        ask.harmless,
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
                    "method": ask.harmless,
                    "params": {"_meta": ask.meta or {}},
                },
                {
                    "jsonrpc": "2.0",
                    "id": "batch-2",
                    "method": ask.harmless,
                    "params": {"_meta": ask.meta or {}},
                },
            ]
        ),
        right_codes=frozenset({INVALID_REQUEST}),
        result=FINE,
        silence=FINE,
        expectation=f"an array of answers (2025-03-26), error {INVALID_REQUEST}, or silence",
    )


def _about_messages(ask: _Asker) -> Iterator[Question]:
    yield ask.question(
        "an unknown method",
        "mcptap/no-such-method",
        right_codes=frozenset({METHOD_NOT_FOUND}),
        expectation=f"error {METHOD_NOT_FOUND}",
    )
    yield Question(
        "a request with id null",
        ask.line(ask.harmless, None, None),
        right_codes=frozenset({INVALID_REQUEST}),
        silence=FINE,
        result=DIFFERS,
        expectation=f"error {INVALID_REQUEST} with id null, or silence",
    )
    nothing = "nothing at all: a notification is never answered"
    cancelled = {"requestId": "never-asked", "reason": "a question of mcptap probe"}
    yield Question(
        "a notification",
        as_line({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}),
        error=BAD,
        silence=FINE,
        expectation=nothing,
    )
    yield Question(
        "an unknown notification",
        as_line({"jsonrpc": "2.0", "method": "notifications/mcptap/no-such-thing"}),
        error=BAD,
        silence=FINE,
        expectation=nothing,
    )
    yield ask.question(
        "a request with a megabyte of text",
        ask.harmless,
        {"_meta": {"mcptap/text": "x" * BIG_ARGUMENT}},
        right_codes=READ,
        result=FINE,
        expectation="an answer",
    )
    yield ask.question(
        "text in many scripts",
        ask.harmless,
        {"_meta": {"mcptap/text": SCRIPTS}},
        right_codes=READ,
        result=FINE,
        expectation="an answer, in UTF-8",
    )


def _about_tools(ask: _Asker, tools: list[dict[str, Any]]) -> Iterator[Question | Verdict]:
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
    for tool in tools:
        name = f"{tool.get('name')} without its arguments"
        arguments, why_not = wrong_arguments(tool)
        if arguments is None:
            yield Verdict(name, Grade.SKIPPED, why_not)
            continue
        yield ask.question(
            name,
            "tools/call",
            {"name": tool.get("name"), "arguments": arguments},
            result=DIFFERS,
            tool_error=FINE,
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
    old = {**meta, VERSION_KEY: UNKNOWN_REVISION}
    yield Question(
        "a request of an unknown revision",
        as_line({**bare, "id": "question-revision", "params": {"_meta": old}}),
        "question-revision",
        right_codes=frozenset({UNSUPPORTED_VERSION}),
        result=DIFFERS,
        expectation=f"error {UNSUPPORTED_VERSION}, with the revisions that are supported",
    )


def judge(question: Question, answer: Message | None, others: list[Message], gone: bool) -> Verdict:
    """The verdict on what came: the answer with the question's id, and whatever else was heard."""
    stray = [m for m in others if m.kind not in MESSAGES and m.kind != BATCH]
    if question.key is None and answer is None:
        answer = next((m for m in others if m.kind in (RESPONSE, BATCH)), None)
    if stray:
        words = f"it writes {_shown(stray[0])} on stdout, which no client can read"
        return Verdict(question.name, BAD, words)
    if answer is None:
        if gone:
            return _with_hope(question, BAD, "the server ended")
        return _with_hope(question, question.silence, "no answer")
    if answer.kind == BATCH:
        return _with_hope(question, question.result, "an array of answers")
    error = answer.error
    if isinstance(error, dict):
        code = error.get("code")
        grade = FINE if code in question.right_codes else question.error
        return _with_hope(question, grade, f"error {code}, {_cut(str(error.get('message')))}")
    result = answer.result
    if isinstance(result, dict) and result.get("isError") is True:
        return _with_hope(question, question.tool_error, f"a result with isError{_text(result)}")
    return _with_hope(question, question.result, "a result")


def _with_hope(question: Question, grade: Grade, words: str) -> Verdict:
    hope = f" (expected: {question.expectation})" if grade is not FINE and question.expectation else ""
    return Verdict(question.name, grade, words + hope)


def _text(result: dict[str, Any]) -> str:
    content = result.get("content")
    first = content[0] if isinstance(content, list) and content else None
    text = first.get("text") if isinstance(first, dict) else None
    return f": {_cut(text)}" if isinstance(text, str) else ""


def _shown(message: Message) -> str:
    return f'"{_cut(message.line.data.decode(errors="backslashreplace"))}"'


def _cut(text: str, length: int = 80) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
