"""JSON lines with the members of each message beside the recorder's own: no message as it was on the wire.

WayV mcptap (github.com/WayV-Inc/mcptap, read from its source, `logger.ts`) writes `server`, `dir` and
`kind`, the method also into a response; it cuts long texts, replaces what looks secret, and appends the
sessions of a day to one file. Others write `"dir":"req"` and `"dir":"res"` with `method`, `params`,
`id`, `result`: which of the two sides asked is told by the method, as in bare lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import SIDES, log_event, message_line, object_of, text_line
from mcptap.captures.records import RecordsDecoder, moment_of
from mcptap.captures.sections import Section, Sessions
from mcptap.captures.senders import Senders
from mcptap.recording.format.model import Damaged, Item
from mcptap.wire import SERVER_TO_CLIENT

ASKED, ANSWERED = ("req", "request"), ("res", "resp", "response")
CUT = re.compile(r"\u2026(?:\[truncated \d+ chars\])?$")
OMITTED = re.compile(r"\u2026\[truncated \d+ chars\]|\[redacted\]|\[depth-limit\]")


def is_entry(fields: dict[str, Any]) -> bool:
    """Whether this object holds a message that was taken apart."""
    direction = fields.get("dir", fields.get("direction"))
    if "jsonrpc" in fields or "body" in fields or not isinstance(direction, str):
        return False
    if fields.get("kind") in ("request", "response", "notification", "raw", "alert"):
        return direction.lower() in SIDES
    has_message = isinstance(fields.get("method"), str) or "result" in fields or "error" in fields
    return has_message and (direction.lower() in (*ASKED, *ANSWERED, *SIDES))


class TakenApartDecoder(RecordsDecoder):
    """Puts the messages together again."""

    def __init__(self, first: dict[str, Any], *, timed: bool, values: bool) -> None:
        is_wayv = "kind" in first and isinstance(first.get("server"), str)
        super().__init__(first["server"] if is_wayv else "server")
        direction = str(first.get("dir", first.get("direction"))).lower()
        self._senders = Senders() if direction not in SIDES else None
        self._only: Section | None = None
        assumed = ("who sent a message was assumed from its method, or from the request it answers",)
        self.evidence = Evidence(
            fineness_us=MILLISECONDS,
            origin="a recording of WayV mcptap"
            if is_wayv
            else "JSON lines with messages that were taken apart",
            times=timed,
            order=is_wayv,
            directions=self._senders is None,
            framing=False,
            members=False,
            values=values,
            launch=False,
            process=False,
            status=False,
            stderr=False,
            whole=False,
            assumptions=assumed if self._senders is not None else (),
        )

    def only(self, section: Section) -> None:
        """Take only the lines of this server."""
        self._only = section
        if section.name:
            self.header.fields["name"] = section.name

    def record(self, fields: dict[str, Any], raw: bytes, number: int) -> Iterator[Item]:
        """The message that this object was made of."""
        if self._only is not None and self._only.name and fields.get("server") != self._only.name:
            return
        if not is_entry(fields):
            yield self.not_understood(number, raw, "it holds no message that was taken apart")
            return
        t, wall = self.at(moment_of(fields.get("ts", fields.get("timestamp"))) if self.evidence.times else 0)
        kind = fields.get("kind")
        message = _message(fields)
        if kind == "raw":
            text = fields.get("raw")
            if not isinstance(text, str):
                yield self.not_understood(number, raw, "its text is missing")
            elif CUT.search(text):
                yield Damaged(number, raw, "only its beginning was kept")
            else:
                yield text_line(number, self._side(fields, None), text, t, wall)
        elif kind == "alert":
            yield log_event(number, str(fields.get("detail", "alert")), t, wall)
        else:
            yield message_line(number, self._side(fields, message), message, t, wall)

    def _side(self, fields: dict[str, Any], message: dict[str, Any] | None) -> str:
        if self._senders is not None and message is not None:
            return self._senders.sender(message)
        return SIDES.get(str(fields.get("dir", fields.get("direction"))).lower(), SERVER_TO_CLIENT)


def _message(fields: dict[str, Any]) -> dict[str, Any]:
    """The message, with the `jsonrpc` that it may have had."""
    is_answer = fields.get("kind") == "response" or str(fields.get("dir")).lower() in ANSWERED
    is_answer = is_answer or "result" in fields or "error" in fields
    names = ("id", "result", "error") if is_answer else ("id", "method", "params")
    message = {"jsonrpc": "2.0", **{name: fields[name] for name in names if name in fields}}
    if is_answer and message.get("error", 0) is None and "result" in message:
        del message["error"]
    if not is_answer and (message.get("id", 0) is None):
        del message["id"]
    return message


def recognise(beginning: Beginning) -> Decoder | None:
    """A decoder if most lines are messages that were taken apart."""
    looked = [object_of(line) for line in beginning.lines[:200]]
    entries = [fields for fields in looked if fields is not None and is_entry(fields)]
    if 2 * len(entries) <= len(looked):
        return None
    first = entries[0]
    timed = all(moment_of(fields.get("ts", fields.get("timestamp"))) for fields in entries)
    is_wayv = "kind" in first and isinstance(first.get("server"), str)
    return TakenApartDecoder(first, timed=timed, values=not is_wayv)


FORMAT = Format(
    "recordings of WayV mcptap and other messages taken apart",
    Certainty.MARKED,
    recognise,
    Sessions(
        re.compile(
            rb'(?m)^\{"ts": ?"[^"\n]{1,40}", ?"server": ?"(?P<name>[^"\n]{1,200})", ?'
            rb'"dir": ?"client->server", ?"kind": ?"request", ?"id": ?[^,\n]{1,80}, ?"method": ?"initialize"'
        )
    ),
)
