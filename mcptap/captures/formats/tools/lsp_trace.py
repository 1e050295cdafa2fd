"""Traces in the forms of editors for language servers, which some MCP clients took over.

As JSON: `[LSP - TIME] {"isLSPMessage":true,"type":"send-request","message":{…},"timestamp":…}`. As text:
`[Trace - TIME] Sending request 'METHOD - (ID)'.`, with `Params: {…}` on the lines below. The client
writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mcptap.captures.evidence import MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.joiner import Joiner
from mcptap.captures.lines import from_milliseconds, is_message, message_line, object_of, outline_line
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.captures.sections import Sessions
from mcptap.recording.format.model import NOT_JSON, Item, parse_line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

AS_JSON = re.compile(rb'^(?:\[[^\]]*\] )?(\{.*"isLSPMessage".*\})\s*$', re.DOTALL)
AS_TEXT = re.compile(
    r"^\[Trace - [^\]]*\] (Sending|Received) (request|response|notification) '(.+?)(?: - \((.+?)\))?'"
    r"( in \d+ms)?\.(?: Request failed: (.*) \((-?\d+)\)\.?)?\s*$"
)
BODY = re.compile(rb"^(Params|Result|Error data): (.*)$", re.DOTALL)
NOTHING = re.compile(rb"^No (?:parameters provided|result returned)\.\s*$")

EVIDENCE = Evidence(
    fineness_us=MILLISECONDS,
    origin="a trace as editors write them for language servers",
    framing=False,
    members=False,
    launch=False,
    process=False,
    status=False,
    stderr=False,
    whole=False,
)


class LspJsonDecoder(LogDecoder):
    """Decodes the lines with JSON."""

    def __init__(self) -> None:
        super().__init__(EVIDENCE)

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The message of this line."""
        found = AS_JSON.match(raw)
        fields = None if found is None else object_of(found[1])
        kind = None if fields is None else fields.get("type")
        if fields is None or not isinstance(kind, str) or not isinstance(fields.get("message"), dict):
            yield from self.pass_over(raw)
            return
        channel = CLIENT_TO_SERVER if kind.startswith("send") else SERVER_TO_CLIENT
        moment = self.moment(from_milliseconds(fields.get("timestamp")))
        yield message_line(number, channel, fields["message"], *moment)


class LspTextDecoder(LogDecoder):
    """Decodes the text: a message is complete when the next one begins."""

    def __init__(self) -> None:
        super().__init__(replace(EVIDENCE, times=False))
        self._number = 0
        self._channel = ""
        self._message: dict[str, Any] | None = None
        self._member = ""
        self._told = False
        """Whether what the message says stands below it: a trace may leave that out, or break off."""
        self._joiner = Joiner()

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The message that ends before this line."""
        raw = raw.rstrip(b"\r")
        found = AS_TEXT.match(raw.decode(errors="replace"))
        if found is not None:
            yield from self.finish()
            self._begin(found, number)
            return
        body = BODY.match(raw)
        if self._message is not None and (body is not None or self._joiner.holding):
            if body is not None:
                self._member = {b"Params": "params", b"Result": "result"}.get(body[1], "data")
                raw = body[2]
            for _, data in self._joiner.feed(raw, number):
                self._take(parse_line(data))
        elif NOTHING.match(raw) is not None:
            self._told = True
        else:
            yield from self.pass_over(raw)

    def finish(self) -> Iterator[Item]:
        """The message that was held."""
        list(self._joiner.finish())
        message, self._message = self._message, None
        if message is not None:
            make = message_line if self._told or "error" in message else outline_line
            yield make(self._number, self._channel, message, *self.moment(0))

    def _begin(self, found: re.Match[str], number: int) -> None:
        side, kind, method, spelled, _, failed, code = found.groups()
        self._number, self._told = number, False
        self._channel = CLIENT_TO_SERVER if side == "Sending" else SERVER_TO_CLIENT
        message: dict[str, Any] = {"jsonrpc": "2.0"}
        if spelled is not None:
            message["id"] = int(spelled) if spelled.lstrip("-").isdigit() else spelled
        if kind != "response":
            message["method"] = method
        elif code is not None:
            message["error"] = {"code": int(code), "message": failed}
        else:
            message["result"] = {}
        self._message = message

    def _take(self, value: Any) -> None:
        if self._message is None or value is NOT_JSON:
            return
        self._told = True
        if self._member == "data":
            error = self._message.get("error")
            if isinstance(error, dict):
                error["data"] = value
        else:
            self._message[self._member] = value


def recognise(beginning: Beginning) -> LspJsonDecoder | LspTextDecoder | None:
    """A decoder if most lines are such JSON, or some begin messages so."""
    lines = beginning.lines
    spelled = [found for found in map(AS_JSON.match, lines) if found]
    if spelled and len(spelled) * 2 > len(lines):
        first = object_of(spelled[0][1]) or {}
        return LspJsonDecoder() if is_message(first.get("message")) else None
    begun = [found for found in (AS_TEXT.match(line.decode(errors="replace")) for line in lines) if found]
    if not any(found[3] == "initialize" or "/" in found[3] for found in begun):
        return None
    return None if any(found[3].startswith("textDocument/") for found in begun) else LspTextDecoder()


FORMAT = Format(
    "traces as editors write them",
    Certainty.MARKED,
    recognise,
    Sessions(
        starts=re.compile(
            rb"(?m)^(?:\[Trace - [^\]\n]*\] Sending request 'initialize - |"
            rb'[^\n{]*\{"isLSPMessage"[^\n]*"type" ?: ?"send-request"[^\n]*"method" ?: ?"initialize")'
        )
    ),
)
