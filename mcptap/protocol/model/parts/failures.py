"""Requests of the client that came to nothing: refused, failed, or called off."""

from __future__ import annotations

from typing import Any, Final

from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import ERROR, IS_ERROR, Request
from mcptap.protocol.revisions.names import METHOD_NOT_FOUND, OPENERS
from mcptap.wire import CLIENT_TO_SERVER

MAX_KEPT: Final = 50
MAX_TEXT: Final = 1000

CALL: Final = "tools/call"


class Failure:
    """One of them: the request, and what was said about it, by the server or by who called it off."""

    __slots__ = ("cancelled_us", "number", "request", "text")

    def __init__(self, request: Request, number: int, text: str, cancelled_us: int | None = None) -> None:
        self.request = request
        self.number = number
        """Record number of the answer, or of the cancellation."""
        self.text = text[:MAX_TEXT]
        self.cancelled_us = cancelled_us
        """After how long it was called off; None if it was answered."""

    @property
    def is_call(self) -> bool:
        """Whether it is a call of a tool."""
        return self.request.method == CALL


class Failures:
    """How many there were, and the first of them.

    That a server lacks a method, or refuses to open a session in one way, is no failure by itself: clients
    ask in order to learn that.
    """

    def __init__(self) -> None:
        self.calls = 0
        """Calls of tools among them."""
        self.others = 0
        self.first: list[Failure] = []

    def take_answer(self, message: Message, request: Request) -> None:
        """The server answered a request of the client."""
        if request.state is IS_ERROR:
            self._add(Failure(request, message.number, _first_text(message.result)))
        elif request.state is ERROR and (request.method == CALL or not _is_a_question(request)):
            error = message.error
            said = error.get("message") if isinstance(error, dict) else None
            self._add(Failure(request, message.number, said if isinstance(said, str) else ""))

    def take_cancellation(self, message: Message, request: Request) -> None:
        """The client called a request off, for which it may have had an answer already."""
        if request.channel == CLIENT_TO_SERVER and request.method != "subscriptions/listen":
            reason = (message.params or {}).get("reason")
            text = reason if isinstance(reason, str) else ""
            self._add(Failure(request, message.number, text, max(0, message.t_us - request.t_us)))

    def _add(self, failure: Failure) -> None:
        if failure.is_call:
            self.calls += 1
        else:
            self.others += 1
        if len(self.first) < MAX_KEPT:
            self.first.append(failure)


def _is_a_question(request: Request) -> bool:
    """Whether the client asked something of which an error is an ordinary answer."""
    return request.error_code == METHOD_NOT_FOUND or request.method in OPENERS


def _first_text(result: Any) -> str:
    content = result.get("content") if isinstance(result, dict) else None
    for block in content if isinstance(content, list) else ():
        text = block.get("text") if isinstance(block, dict) else None
        if isinstance(text, str) and text.strip():
            return text
    return ""
