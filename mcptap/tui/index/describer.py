"""From records and messages to the columns of the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcptap.protocol.model.message import BATCH, BLANK, LOG, NOTIFICATION, REQUEST, RESPONSE, Message
from mcptap.protocol.model.request import ANSWERED, ERROR, IS_ERROR, UNREADABLE, Request
from mcptap.protocol.model.requests import outcome
from mcptap.recording.format.model import Event, Header, Part, Record
from mcptap.tui.index.batch import Batch
from mcptap.tui.index.index import NAME_LIMIT, OTHER_NAME
from mcptap.tui.index.kinds import ANSWERS, CODE_OF, ChannelCode, Kind

BEGINNING = 200
"""Bytes by which a line is told from another one: with its id they are in these."""

_KINDS = {
    REQUEST: Kind.REQUEST,
    NOTIFICATION: Kind.NOTIFICATION,
    BATCH: Kind.BATCH,
    BLANK: Kind.BLANK,
    LOG: Kind.STDERR,
}
_RESPONSES = {ANSWERED: Kind.RESULT, ERROR: Kind.ERROR, IS_ERROR: Kind.TOOL_ERROR}
_REQUESTS = (Kind.REQUEST, Kind.NULL_ID)


def kind_of(message: Message) -> Kind:
    """The kind of a line. A response is unreadable only if its request was found, and says so."""
    kind, request = message.kind, message.request
    if kind is RESPONSE:
        if request is not None and request.state is UNREADABLE and request.answer == message.number:
            return Kind.UNREADABLE
        return _RESPONSES[outcome(message)]
    if kind is REQUEST and message.id is None:
        return Kind.NULL_ID
    return _KINDS.get(kind, Kind.POLLUTION)


def subject(method: str, params: object) -> str:
    """What a request is about: the tool's or prompt's name, the resource's URI; else nothing."""
    if not isinstance(params, dict):
        return ""
    name = params.get("name") if method in ("tools/call", "prompts/get") else params.get("uri")
    return name if isinstance(name, str) else ""


@dataclass(slots=True)
class _Begun:
    """A line of which only parts have come: the index of the first one, how it begins, bytes so far."""

    first: int
    beginning: bytes
    size: int = 0

    def is_beginning_of(self, data: bytes) -> bool:
        """Whether a line with this content can be the one: in a damaged recording its record may be lost."""
        return self.size <= len(data) and data.startswith(self.beginning)


class Describer:
    """Turns records, with what the diagnosis made of them, into columns."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {"": OTHER_NAME}
        self.new_names: list[str] = []
        self.ended_us: int | None = None
        self.last_us = 0
        self._begun: dict[str, _Begun] = {}
        """Channel: the line that is under way there."""

    def name(self, text: str) -> int:
        """The number of a name; a new one is kept for the next report."""
        number = self.names.get(text)
        if number is None:
            if len(self.names) >= NAME_LIMIT:
                return OTHER_NAME
            number = self.names[text] = len(self.names)
            self.new_names.append(text)
        return number

    def add_line(
        self, batch: Batch, message: Message, lost: Sequence[Request] = (), *, is_rest: bool = False
    ) -> None:
        """Append a line, put together again if it came in parts.

        `lost` are the requests that it answers although it is no response, `is_rest`: its record
        holds only what the parts before it do not.
        """
        line, request, code = message.line, message.request, kind_of(message)
        ref = tool = 0
        if code in _REQUESTS:
            name = request.tool if request is not None else ""
            tool = self.name(name or subject(message.method, message.params))
        elif lost:
            ref = lost[0].number
            for each in lost:
                batch.lost.extend((batch.start + len(batch), each.number - 1))
        elif request is not None and (code in ANSWERS or message.method == "notifications/cancelled"):
            ref, tool = request.number, self.names.get(request.tool, OTHER_NAME)
        begun = self._begun.pop(line.channel, None)
        if begun is not None and (is_rest or begun.is_beginning_of(line.data)):
            pair = (begun.first, batch.start + len(batch))
            batch.ended.extend(pair)
            if is_rest:
                batch.continued.extend(pair)
        self.last_us = line.t_us
        method = self.name(message.method)
        self._append(batch, line.t_us, ref, len(line.data), code, CODE_OF[line.channel], method, tool)

    def add_other(self, batch: Batch, record: Record, length: int) -> None:
        """Append a record (of `length` bytes in the file) that is no whole line."""
        if isinstance(record, Event):
            self.last_us = record.t_us
            if record.ends_session:
                self.ended_us = record.t_us
            channel = CODE_OF.get(str(record.fields.get("ch")), ChannelCode.NONE)
            self._append(batch, record.t_us, 0, 0, Kind.EVENT, channel, self.name(record.kind), 0)
        elif isinstance(record, Part):
            self.last_us = record.t_us
            channel = CODE_OF[record.channel]
            begun = self._begun.get(record.channel)
            ref = 0
            if begun is None or record.at == 0:
                begun = _Begun(batch.start + len(batch), record.data[:BEGINNING])
                self._begun[record.channel] = begun
            else:
                ref = begun.first + 1
            begun.size = record.at + len(record.data)
            self._append(batch, record.t_us, ref, len(record.data), Kind.PART, channel, self.name("part"), 0)
        elif isinstance(record, Header):
            self._append(batch, 0, 0, length, Kind.HEADER, ChannelCode.NONE, self.name("header"), 0)
        else:
            self._append(
                batch, self.last_us, 0, length, Kind.DAMAGED, ChannelCode.NONE, self.name("damaged"), 0
            )

    def lose(self, channel: str) -> None:
        """The line that is under way there can't be put together: it has no end."""
        self._begun.pop(channel, None)

    def _append(
        self, batch: Batch, t: int, ref: int, size: int, kind: int, channel: int, method: int, tool: int
    ) -> None:
        batch.times.append(t)
        batch.refs.append(ref)
        batch.sizes.append(min(size, 0xFFFFFFFF))
        batch.kinds.append(kind)
        batch.channels.append(channel)
        batch.methods.append(method)
        batch.tools.append(tool)
