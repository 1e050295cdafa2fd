"""What a line is, in the few words that stand before its content: method, tool and id, and what is odd."""

from __future__ import annotations

from dataclasses import dataclass

from mcptap.captures.evidence import Evidence
from mcptap.protocol.model.broken import BOM, Broken
from mcptap.protocol.model.ids import spell_id
from mcptap.protocol.model.message import (
    BATCH,
    BLANK,
    BYTES,
    LOG,
    MALFORMED,
    NOTIFICATION,
    REQUEST,
    RESPONSE,
    SCALAR,
    Match,
    Message,
)
from mcptap.protocol.model.request import Request
from mcptap.protocol.model.session import Session
from mcptap.recording.format.lines import BEGINS, TOLD
from mcptap.recording.format.model import Line
from mcptap.text.escape import visible
from mcptap.text.units import size
from mcptap.wire import other_side

_MATCHES = {
    Match.DUPLICATE: "A SECOND ANSWER",
    Match.OTHER_TYPE: "ID OF ANOTHER TYPE",
    Match.UNKNOWN: "WAS NEVER ASKED",
    Match.TO_NOTIFICATION: "TO A NOTIFICATION",
    Match.PERHAPS_TO_NOTIFICATION: "TO NO REQUEST",
    Match.REUSED_OPEN: "ID STILL IN USE",
}


@dataclass(slots=True)
class Heading:
    """What a line is, and a mark of what is odd about it, in visible text. Both may be empty."""

    head: str = ""
    mark: str = ""
    mark_style: str = "warning"


def heading(message: Message, session: Session, evidence: Evidence) -> Heading:
    """Of a message as the session stands when it has taken it."""
    kind = message.kind
    if kind == LOG:
        return Heading()
    if kind in (REQUEST, NOTIFICATION):
        said = _asking(message, evidence)
    elif kind == RESPONSE:
        said = _answering(message, session, evidence)
    elif kind == BATCH:
        said = Heading("batch" if message.is_outline else f"batch of {len(message.line.value)}")
    else:
        said = Heading(_hidden_answer(message, session), oddity(message), "error")
    ending = _ending(message.line)
    if ending:
        said.mark = f"{said.mark} {ending}".lstrip()
    return said


def _asking(message: Message, evidence: Evidence) -> Heading:
    request = message.request if message.kind == REQUEST else None
    head = visible(message.method)
    if request is not None and request.tool:
        head += f" {visible(request.tool)}"
    if message.kind == REQUEST and message.line.known != TOLD:
        head += f" #{visible(spell_id(message.id))}"
    return Heading(head, _match(message, evidence) if message.kind == REQUEST else "")


def _answering(message: Message, session: Session, evidence: Evidence) -> Heading:
    request = message.request
    if request is not None:
        head = asked(request, with_id=message.line.known != TOLD)
    else:
        head = f"answer #{visible(spell_id(message.id))}"
    known = evidence.times and request is not None and request.answer == message.number
    if message.line.known == TOLD and request is not None and not request.latency_us:
        known = False  # one sentence of the log told of both
    if known and request is not None and request.latency_us is not None:
        head += f" ({session.lasting(request.latency_us)})"
    said = Heading(head, _match(message, evidence))
    failure = "ERROR" if message.error is not None else "isError" if _is_failed(message.result) else ""
    if failure:
        said.mark, said.mark_style = f"{said.mark} {failure}".lstrip(), "error"
    return said


def _is_failed(result: object) -> bool:
    return isinstance(result, dict) and result.get("isError") is True


def _match(message: Message, evidence: Evidence) -> str:
    """How a message does not fit those before it, if all of those are known."""
    return _MATCHES.get(message.match, "") if message.match and evidence.whole else ""


def asked(request: Request, with_id: bool = True) -> str:
    """A request by method, tool and id, if that is one of the wire."""
    tool = f" {visible(request.tool)}" if request.tool else ""
    return f"{visible(request.method)}{tool}" + (f" #{visible(spell_id(request.id))}" if with_id else "")


def _hidden_answer(message: Message, session: Session) -> str:
    """The request whose answer stands in this line, so that nobody gets it."""
    waiting = session.requests.open[other_side(message.channel)]
    for key in Broken(message.line.data).ids():
        request = waiting.get(key)
        if request is not None and request.answer == message.number:
            return asked(request)
    return ""


def oddity(message: Message) -> str:
    """What a line is that is no message, in words that stand out."""
    kind, data = message.kind, message.line.data
    if message.line.known == BEGINS:
        return "REJECTED BY THE CLIENT, BEGINS:"
    if kind == BLANK:
        return "EMPTY LINE"
    if kind in (MALFORMED, SCALAR):
        return "NO MESSAGE:"
    if data.startswith(BOM):
        return "BYTE-ORDER MARK:"
    broken = Broken(data)
    if broken.constant:
        return f"{broken.constant} IS NOT JSON:"
    if broken.utf16:
        return "UTF-16, NOT UTF-8:"
    if broken.objects:
        return "GLUED TEXT:"
    return "NOT UTF-8:" if kind == BYTES else "NOT JSON:"


def _ending(line: Line) -> str:
    if not line.complete:
        return f"UNFINISHED, {size(len(line.data))} SO FAR:"
    return {b"\n": "", b"\r\n": "[CRLF]", b"": "[NO NEWLINE]"}[line.eol]
