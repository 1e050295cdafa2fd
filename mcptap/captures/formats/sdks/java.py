"""What the Java SDK (and Spring AI, Quarkus) logs at DEBUG.

Read from its source: `StdioClientTransport` writes out the line of stdout that it could not read, and stderr;
`McpClientSession` the method of each request, and answers as Java prints objects, which is no JSON;
`StdioServerTransportProvider`, on the other side, the JSON of each message it received. Ids of a client end
in a count from 0, which tells the request that an answer is to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import LOCAL_TIME, MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.lines import from_local, from_rfc3339, told_line
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Item
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

STAMP = re.compile(rb"^\[?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?")
LOGGER = re.compile(
    rb"\b(StdioClientTransport|McpClientSession|McpAsyncClient|McpSyncClient|LifecycleInitializer|"
    rb"StdioServerTransportProvider|McpServerSession|McpAsyncServer)\b[^\n]{0,20}?(?: -{1,2} | : |\] )(.*)$",
    re.DOTALL,
)
SERVER_SIDE = (b"StdioServerTransportProvider", b"McpServerSession", b"McpAsyncServer")
WROTE = b"STDERR Message received: "
UNREADABLE = b"Error processing inbound message for line: "
RECEIVED = b"Received JSON message: "
ASKED = b"Sending message for method "
_ANSWER = re.compile(
    rb"^Received [Rr]esponse: JSONRPCResponse\[jsonrpc=2\.0, id=([^,\]]*), (.*)\]$", re.DOTALL
)
_FROM_SERVER = re.compile(
    rb"^Received (?:[Nn]otification: JSONRPCNotification|[Rr]equest: JSONRPCRequest)"
    rb"\[jsonrpc=2\.0, method=([\w/]+)"
)
_ERROR = re.compile(rb"error=(?:JSONRPCError)?\[code=(-?\d{1,9}), message=(.*?)(?:, data=|\]$)", re.DOTALL)
_EXIT = re.compile(rb"^(?:Process terminated|MCP server process failed) with code (\d{1,3})\b")
_COUNT = re.compile(rb"(\d{1,9})$")
_INFO = re.compile(
    rb"serverInfo=(?:Implementation)?[{\[]name=([^,}\]]*)(?:, title=[^,}\]]*)?, version=([^,}\]]*)"
)
_CAPABILITIES = re.compile(rb"\bcapabilities=(?:ServerCapabilities)?[{\[]")
_NAME = re.compile(rb"(\w+)=(null\b)?")
MAX_REQUESTS = 10_000


class JavaDecoder(LogDecoder):
    """Decodes the lines of a client, or of a server if it `is_server`."""

    def __init__(self, is_server: bool, stamped: bool, local: bool) -> None:
        super().__init__(
            Evidence(
                fineness_us=MILLISECONDS,
                origin="what the Java SDK logged",
                times=stamped,
                order=False,
                framing=False,
                messages=is_server,
                contents=is_server,
                launch=False,
                process=False,
                status=False,
                stderr=not is_server,
                whole=False,
                assumptions=(LOCAL_TIME,) if local else (),
            )
        )
        self._is_server = is_server
        self._stamped = stamped
        self._asked: list[str] = []

    def only(self, section: Section) -> None:
        """The section begins where a server was started."""
        super().only(section)
        self._asked = []

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """What this line tells."""
        raw = raw.rstrip(b"\r")
        found = LOGGER.search(raw)
        if found is None or (found[1] in SERVER_SIDE) != self._is_server:
            return self.pass_over(raw)
        return self._says(found[2], number, self._wall_us(raw))

    def _says(self, text: bytes, number: int, wall_us: int) -> Iterator[Item]:
        if text.startswith(WROTE):
            yield self.line(number, STDERR, text[len(WROTE) :], wall_us)
        elif text.startswith(UNREADABLE):
            channel = CLIENT_TO_SERVER if self._is_server else SERVER_TO_CLIENT
            data = text[len(UNREADABLE) :]
            if data.strip():
                yield self.line(number, channel, data, wall_us)
            else:
                yield self.log(number, "an empty line could not be read", wall_us, "error")
        elif text.startswith(RECEIVED) and self._is_server:
            yield self.line(number, CLIENT_TO_SERVER, text[len(RECEIVED) :], wall_us)
        elif text.startswith(ASKED) and not self._is_server:
            method = text[len(ASKED) :].decode(errors="replace").strip()
            if len(self._asked) < MAX_REQUESTS:
                self._asked.append(method)
            members = {"id": f"log-{len(self._asked)}", "method": method}
            yield self._told(number, CLIENT_TO_SERVER, members, wall_us)
        elif (answer := _ANSWER.match(text)) is not None:
            yield self._answer(answer, number, wall_us)
        elif (sent := _FROM_SERVER.match(text)) is not None and sent[1].startswith(b"notifications/"):
            yield self._told(number, SERVER_TO_CLIENT, {"method": sent[1].decode()}, wall_us)
        elif (ended := _EXIT.match(text)) is not None:
            yield self.event(number, "exit", wall_us, code=int(ended[1]))
        else:
            yield self.log(number, text.decode(errors="replace"), wall_us)

    def _answer(self, answer: re.Match[bytes], number: int, wall_us: int) -> Item:
        counted = _COUNT.search(answer[1])
        place = int(counted[1]) if counted is not None else -1
        if not 0 <= place < len(self._asked) or not self._asked[place]:
            text = f"a response came to the request with the id {answer[1].decode(errors='replace')}"
            return self.log(number, text, wall_us)
        method, self._asked[place] = self._asked[place], ""
        members: dict[str, Any] = {"id": f"log-{place + 1}"}
        error = _ERROR.search(answer[2])
        if error is not None:
            members["error"] = {"code": int(error[1]), "message": error[2].decode(errors="replace")}
        else:
            members["result"] = _opened(answer[2]) if method == "initialize" else {}
        return self._told(number, SERVER_TO_CLIENT, members, wall_us)

    def _told(self, number: int, channel: str, members: dict[str, Any], wall_us: int) -> Item:
        return told_line(number, channel, {"jsonrpc": "2.0", **members}, *self.moment(wall_us))

    def _wall_us(self, raw: bytes) -> int:
        found = STAMP.match(raw) if self._stamped else None
        if found is None:
            return 0
        day, clock, fraction, zone = (group.decode() if group else "" for group in found.groups())
        stamp = f"{day}T{clock}.{(fraction or '0')[:6]}{zone}"
        return from_rfc3339(stamp) if zone else from_local(stamp)


def _opened(text: bytes) -> dict[str, Any]:
    """What is told of an answer to `initialize`: which capabilities the server has, and its name."""
    result: dict[str, Any] = {}
    begins = _CAPABILITIES.search(text)
    if begins is not None:
        result["capabilities"] = _names(text[begins.end() :])
    info = _INFO.search(text)
    if info is not None:
        name, version = (group.decode(errors="replace") for group in info.groups())
        result["serverInfo"] = {"name": name, "version": version}
    return result


def _names(text: bytes) -> dict[str, Any]:
    """The names at the first level of what Java prints for a map or a record, but for those that are null."""
    names: dict[str, Any] = {}
    depth, at = 0, 0
    while at < len(text) and depth >= 0:
        if text[at : at + 1] in (b"{", b"["):
            depth += 1
        elif text[at : at + 1] in (b"}", b"]"):
            depth -= 1
        elif depth == 0 and (found := _NAME.match(text, at)) is not None:
            if not found[2]:
                names[found[1].decode()] = {}
            at = found.end()
            continue
        at += 1
    return names


def recognise(beginning: Beginning) -> JavaDecoder | None:
    """A decoder if lines are those of the SDK's loggers; the client's go first."""
    found = [(line, LOGGER.search(line)) for line in beginning.lines]
    entries = [(line, entry) for line, entry in found if entry is not None]
    telling = (WROTE, UNREADABLE, RECEIVED, ASKED, b"Received ", b"MCP server ")
    if not any(entry[2].startswith(telling) for _, entry in entries):
        return None
    is_server = all(entry[1] in SERVER_SIDE for _, entry in entries)
    stamps = [STAMP.match(line) for line, _ in entries]
    stamped = all(stamps)
    return JavaDecoder(is_server, stamped, stamped and any(s is not None and not s[4] for s in stamps))


FORMAT = Format(
    "logs of the Java SDK",
    Certainty.SHAPED,
    recognise,
    Sessions(
        starts=re.compile(rb"(?m)^[^\n]*\bStdioClientTransport\b[^\n]* MCP server starting"),
        ends=re.compile(
            rb"(?m)^[^\n]*\bStdioClientTransport\b[^\n]* "
            rb"(?:MCP server process stopped|Process terminated with code)"
        ),
    ),
)
