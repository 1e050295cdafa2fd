"""`mcptap_record`: one record, a request with its answer, masked and cut value by value."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from mcptap.agent.answers.wording import next_call
from mcptap.agent.arguments import Arguments, ToolError, said
from mcptap.agent.excerpt import at_pointer, excerpt, kinds_of
from mcptap.agent.judging import Judging
from mcptap.agent.pace import Pace
from mcptap.agent.reading import Reading
from mcptap.agent.shelf import Known, Shelf
from mcptap.agent.tools import RECORD
from mcptap.agent.untrusted import Answer, clipped
from mcptap.jsontext.tree import parse_deep
from mcptap.masking.masker import Masker
from mcptap.protocol.model.message import REQUEST
from mcptap.protocol.model.request import Request
from mcptap.query.row import ItemRow
from mcptap.recording import made_here
from mcptap.recording.format.model import Damaged, Line
from mcptap.text.units import clock, duration, size

MAX_CHARS, MOST_CHARS = 2_000, 20_000

LARGEST = 16 << 20
"""Bytes of a line that is still taken apart."""

_BEFORE = 120
"""So many lines before it are looked at for the beginning of a private key that goes on in a line."""


@dataclass(slots=True)
class _Shown:
    """One record that is shown."""

    row: ItemRow
    before: tuple[Line, ...]
    """Lines of its channel before it that are no messages."""


def record(shelf: Shelf, _judging: Judging, arguments: Arguments, pace: Pace) -> Answer:
    """The record, and its other half unless a part of it is asked for."""
    known = shelf.find(arguments.needed("session"))
    number = arguments.number("record", None)
    pointer, offset = arguments.text("path"), arguments.number("offset", 0, least=0)
    most = arguments.number("max_chars", MAX_CHARS, least=100, most=MOST_CHARS)
    is_part = bool(pointer) or offset > 0
    shown = _found(known, number, pace, with_pair=not is_part)
    masker = made_here.masker()
    masker.learn(known.header.argv)
    answer = Answer(f"{known.name}, {size(sum(each.row.size for each in shown))}")
    for each in shown:
        begun = len(answer.data)
        left = max(100, (most - sum(map(len, answer.data))) // (len(shown) if begun == 0 else 1))
        next_offset = _tell(answer, each, masker, pointer, offset, left)
        if next_offset is not None:
            where = {"path": pointer} if pointer else {}
            answer.tail.append(
                next_call(RECORD, session=known.name, record=each.row.number, **where, offset=next_offset)
            )
    return answer


def _found(known: Known, number: int, pace: Pace, *, with_pair: bool) -> list[_Shown]:
    """The record of this number and, if it is half of an exchange, the other half, in their order."""
    requests: dict[int, _Shown] = {}
    found: list[_Shown] = []
    request: Request | None = None
    lines: dict[str, deque[Line]] = {}
    last = 1
    for row in Reading(known, pace).rows():
        last = row.number
        kept = lines.setdefault(row.channel, deque(maxlen=_BEFORE))
        each = _Shown(row, tuple(kept) if row.number == number else ())
        if row.request is None and isinstance(row.item, Line):
            kept.append(row.item)
        if with_pair and row.number < number and _is_request(row):
            requests[row.number] = each
            _let_go(requests)
        if row.number == number:
            found.append(each)
            request = row.message.request if row.message is not None else None
            if with_pair and request is not None and request.number in requests:
                return [requests[request.number], each]
        elif request is not None and request.answer == row.number:
            found.append(each)
        if row.number >= number and (not with_pair or request is None or len(found) == 2):
            break
    if found:
        return found
    if number == 1:
        raise ToolError("record 1 is the header of the recording; the session begins with record 2")
    if last > number:
        raise ToolError(
            f"record {number:,} is a piece of a longer line; the next that stands alone is record {last:,}"
        )
    raise ToolError(f"{known.name} has no record {number:,}; its last one is {last:,}")


def _is_request(row: ItemRow) -> bool:
    return row.message is not None and row.message.kind is REQUEST


def _let_go(requests: dict[int, _Shown]) -> None:
    """Forget the oldest requests that were answered, so that few are held."""
    if len(requests) > 1_000:
        answered = [
            n for n, each in requests.items() if each.row.request and each.row.request.answer is not None
        ]
        for n in answered or [next(iter(requests))]:
            del requests[n]


def _tell(answer: Answer, shown: _Shown, masker: Masker, pointer: str, offset: int, most: int) -> int | None:
    """Add a record to the answer; where what is left of it begins."""
    row, item = shown.row, shown.row.item
    answer.data.append(f"record {row.number}{_about(row, masker)}")
    if not isinstance(item, Line):
        text = (
            f"{item.why}: {item.raw[:2_000].decode(errors='replace')}"
            if isinstance(item, Damaged)
            else row.words
        )
        answer.data.append(clipped(masker.text(text), most))
        return None
    if len(item.data) > LARGEST:
        answer.data.append(
            f"It is larger than {size(LARGEST)}, so it is not taken apart here; the user can see it."
        )
        return None
    value: Any
    try:
        value = masker.value(parse_deep(item.data))
    except ValueError:
        for line in shown.before:
            masker.line(line.channel, line.data)
        value = masker.line(item.channel, item.data).decode(errors="replace")
    try:
        value = at_pointer(value, pointer)
    except KeyError as error:
        at = pointer[: pointer.rfind("/")] if pointer.startswith("/") else ""
        raise ToolError(f"path leads nowhere at {said(str(error.args[0]))}; {_choices(value, at)}") from None
    length = len(value) if isinstance(value, str | list) else 0
    if offset > length:
        raise ToolError(f"offset {offset:,} lies behind the end; {pointer or 'the record'} has {length:,}")
    cut = excerpt(value, pointer, most, offset, of=f"record={row.number} ")
    answer.data += cut.text.split("\n")
    return cut.next_offset


def _choices(value: Any, pointer: str) -> str:
    try:
        inner = at_pointer(value, pointer)
    except KeyError:
        inner, pointer = value, ""
    return f"{pointer or 'the record'} is {kinds_of(inner)}"


def _about(row: ItemRow, masker: Masker) -> str:
    """What a record is: kind, channel, method, time, and what became of it."""
    message = row.message
    told = [f" {row.kind}"]
    if row.channel:
        told.append(row.channel)
    if message is not None and message.method:
        told.append(masker.text(clipped(message.method, 80)))
    told.append(f"at {clock(row.t_us)} s")
    if row.request is not None:
        took = row.request.latency_us
        told.append(f"{row.request.state}{f' in {duration(took)}' if took is not None else ''}")
    return ", ".join(told)
