"""What the MCP Inspector (2.x) exports from its tab Protocol: a JSON array of entries.

An answer stands inside the entry of its request; it came `duration` milliseconds later. `clientError` tells
that the Inspector could not use an answer that was well-formed. It is written after the library parsed it:
no bytes, nothing that is no message, no stderr.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import (
    from_milliseconds,
    from_rfc3339,
    is_message,
    log_event,
    message_line,
    unknown_header,
)
from mcptap.captures.senders import CLIENT_NOTIFICATIONS, SERVER_REQUESTS
from mcptap.recording.format.model import Damaged, Header, Item, RecordingError, as_list
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, other_side

DIRECTIONS = ("request", "response", "notification")
ORIGINS = {"client": CLIENT_TO_SERVER, "server": SERVER_TO_CLIENT}

_OPENING = re.compile(rb"^\s*\[\s*\{")
_PROTOCOL = re.compile(rb'"direction"\s*:\s*"(?:request|response|notification)"')
_NETWORK = re.compile(rb'"(?:responseStatus|requestHeaders|responseHeaders)"\s*:')


class InspectorExportDecoder(Decoder):
    """Decodes an export. Records are numbered in the order of their times."""

    takes_lines = False

    def __init__(self, document: list[Any]) -> None:
        entries = [entry for entry in document if isinstance(entry, dict)]
        self._entries = entries
        self.passed_over = len(document) - len(entries)
        starts = [from_rfc3339(entry.get("timestamp")) for entry in entries]
        self._start = min(filter(None, starts), default=0)
        self.header = Header({**unknown_header(_server_name(entries)).fields, "wall": self._start})
        first = entries[0].get("message") if entries else None
        opens = isinstance(first, dict) and first.get("method") in ("initialize", "server/discover")
        self.evidence = Evidence(
            fineness_us=MILLISECONDS,
            origin="an export of the MCP Inspector",
            times=bool(entries) and all(starts),
            order=False,
            directions=all(entry.get("origin") in ORIGINS for entry in entries),
            framing=False,
            launch=False,
            process=False,
            status=False,
            stderr=False,
            whole=opens,
            assumptions=("records are numbered in the order of their times",),
        )

    def finish(self) -> Iterator[Item]:
        """All lines, in the order of their times."""
        placed = [
            (*moment, item)
            for place, entry in enumerate(self._entries)
            for moment, item in self._of(entry, place)
        ]
        placed.sort(key=lambda one: one[:3])
        for number, (wall_us, _, _, (channel, content)) in enumerate(placed, 1):
            t_us = max(0, wall_us - self._start)
            if channel == "log":
                yield log_event(number, content, t_us, wall_us, "error")
            elif channel:
                yield message_line(number, channel, content, t_us, wall_us)
            else:
                yield Damaged(number, b"", content)

    def _of(
        self, entry: dict[str, Any], place: int
    ) -> Iterator[tuple[tuple[int, int, int], tuple[str, Any]]]:
        """Messages of an entry, each with its time and places for those of the same time."""
        wall_us = from_rfc3339(entry.get("timestamp"))
        message = entry.get("message")
        if not is_message(message):
            yield (wall_us, place, 0), ("", "its message is missing")
            return
        channel = _channel(entry, message)
        yield (wall_us, place, 0), (channel, message)
        answer = entry.get("response")
        after = wall_us + from_milliseconds(entry.get("duration"))
        if is_message(answer):
            yield (after, place, 1), (other_side(channel), answer)
        if isinstance(entry.get("clientError"), str):
            text = f"the Inspector could not use the answer: {entry['clientError']}"
            yield (after, place, 2), ("log", text)


def _channel(entry: dict[str, Any], message: Any) -> str:
    """Who sent the message of an entry; older exports do not tell, and only its method does."""
    origin = ORIGINS.get(str(entry.get("origin")))
    if origin is not None:
        return origin
    method = message.get("method") if isinstance(message, dict) else None
    if not isinstance(method, str):
        return SERVER_TO_CLIENT
    if "id" in message:
        return SERVER_TO_CLIENT if method in SERVER_REQUESTS else CLIENT_TO_SERVER
    return CLIENT_TO_SERVER if method in CLIENT_NOTIFICATIONS else SERVER_TO_CLIENT


def _server_name(entries: list[dict[str, Any]]) -> str:
    for entry in entries[:50]:
        answer = entry.get("response")
        result = answer.get("result") if isinstance(answer, dict) else None
        info = result.get("serverInfo") if isinstance(result, dict) else None
        if isinstance(info, dict) and isinstance(info.get("name"), str):
            return str(info["name"])
    return "server"


def recognise(beginning: Beginning) -> InspectorExportDecoder | None:
    """A decoder if the file is a JSON array of such entries.

    Raises RecordingError for the other export, of what passed over HTTP, and for one that is empty.
    """
    head = beginning.head
    if _OPENING.match(head) is None or b'"timestamp"' not in head:
        return None
    if not _PROTOCOL.search(head):
        if _NETWORK.search(head) and b'"url"' in head:
            raise RecordingError(
                "looks like the MCP Inspector's export of requests over HTTP; mcptap reads the one of its "
                "tab Protocol"
            )
        return None
    document = as_list(beginning.value())
    if not any(isinstance(e, dict) and e.get("direction") in DIRECTIONS for e in document):
        raise RecordingError(
            "looks like an export of the MCP Inspector, but is no whole JSON document: export it again"
        )
    return InspectorExportDecoder(document)


FORMAT = Format("exports of the MCP Inspector", Certainty.MARKED, recognise)
