"""Ordinary messages: calls of tools and answers of one text, which nearly all lines of a long session are.

A rule about what messages have too much, too little or otherwise finds nothing in them. It says so
(`odd_only`), and is not asked about them: two rules in three need not be called. Most answers are
also fine: their text can't tell a failure, and rules about those (`failures_only`) aren't asked either.
"""

from __future__ import annotations

from typing import Final

from mcptap.diagnosis.engine.failure_words import may_tell_failure
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import ANSWERED
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

ORDINARY_REQUEST: Final = "ordinary request"
ORDINARY_RESULT: Final = "ordinary result"
FINE_RESULT: Final = "fine result"
AMONG: Final = {ORDINARY_REQUEST: "request", ORDINARY_RESULT: "result", FINE_RESULT: "result"}
"""The occasions that these are a part of."""
MOST_BYTES: Final = 1 << 16
"""A longer line is not ordinary."""

_OF_CALL: Final = frozenset({"name", "arguments"})
_OF_RESULT: Final = frozenset({"content", "isError"})


def is_ordinary_request(message: Message) -> bool:
    """Whether it calls a tool, in a session with a handshake, with a name, arguments and nothing else."""
    params = message.params
    return (
        params is not None
        and message.method == "tools/call"
        and message.channel == CLIENT_TO_SERVER
        and not message.flaws
        and message.match is None
        and not message.revision.is_stateless
        and params.keys() <= _OF_CALL
        and type(params.get("name")) is str
        and type(params.get("arguments", params)) is dict
    )


def is_ordinary_result(message: Message) -> bool:
    """Whether it answers a call that still waits, in such a session, with one text that is no failure."""
    result, request = message.result, message.request
    if (
        request is None
        or message.method != "tools/call"
        or message.channel != SERVER_TO_CLIENT
        or request.state is not ANSWERED
        or type(result) is not dict
        or message.flaws
        or message.revision.is_stateless
        or len(message.line.data) > MOST_BYTES
    ):
        return False
    content = result.get("content")
    if type(content) is not list or len(content) != 1 or not result.keys() <= _OF_RESULT:
        return False
    block = content[0]
    return (
        type(block) is dict
        and len(block) == 2
        and block.get("type") == "text"
        and type(block.get("text")) is str
        and result.get("isError", False) is False
    )


def is_fine_result(message: Message) -> bool:
    """Whether an ordinary answer says nothing that may be a failure."""
    request = message.request
    return request is not None and not may_tell_failure(message.result["content"][0]["text"], request.tool)
