"""What rules of several modules use."""

from __future__ import annotations

from mcptap.diagnosis.engine.rule import CLIENT, SERVER
from mcptap.diagnosis.explain.last_words import LONGEST, last_words
from mcptap.diagnosis.explain.launchers import no_server
from mcptap.diagnosis.explain.origin import TAKEN_BY_A_SHELL, reason_of_end
from mcptap.diagnosis.explain.wording import quote
from mcptap.protocol.model.ids import spell_id
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.parts.process import Process
from mcptap.protocol.model.request import Request
from mcptap.protocol.model.session import Session
from mcptap.wire import SERVER_TO_CLIENT, STDERR

UNANSWERED = "request-unanswered initialize-unanswered ping-unanswered"
"""The rules about requests that nobody answered, for `explains`."""


JOINED_REMEDY = (
    "Start the server with stdout and stderr apart: without 2>&1, or stderr=STDOUT. Then send everything that "
    "is no message to stderr."
)


STDIN_REMEDY = "Correct the client, or what stands between it and the server."
"""What to do about a line on the server's stdin that is no message."""


def stray_remedy(session: Session, message: Message | None = None) -> str:
    """What to do about a line of a server (or of `message`'s sender) that is no message, where that is not
    to send it to stderr; else empty, for the rule's own remedy.
    """
    if message is not None and message.channel != SERVER_TO_CLIENT:
        return STDIN_REMEDY
    return JOINED_REMEDY if session.process.is_joined else ""


def sender(channel: str) -> str:
    """Which side writes to a channel."""
    return SERVER if channel == SERVER_TO_CLIENT else CLIENT


def side_of(message: Message) -> str:
    """Which side sent a message."""
    return sender(message.channel)


def answering_side(request: Request) -> str:
    """Which side has to answer a request."""
    return CLIENT if request.channel == SERVER_TO_CLIENT else SERVER


def id_before(session: Session, request: Request) -> str:
    """The id of a request, to be put before its record; nothing if the log only tells of messages."""
    is_told = SERVER_TO_CLIENT in session.unseen
    return "" if is_told else f"id {spell_id(request.id)}, "


def name_of(request: Request) -> str:
    """A request in words: its method, and the tool that it calls."""
    return f"{request.method} of {request.tool!r}" if request.tool else request.method


def stderr_of(process: Process, since: int = 0) -> list[str]:
    """The last lines of stderr, or those of them behind a record."""
    return [text for number, text in process.stderr if number > since]


def sent_nowhere(session: Session) -> str:
    """Why nothing that the client sends can reach a server, by the command line or its stderr; else empty."""
    reason = reason_of_end(last_words(stderr_of(session.process)).telling, None)
    return no_server(session.process.argv) or (reason if reason == TAKEN_BY_A_SHELL else "")


def wrote_nothing(session: Session, words: str, to: str) -> str:
    """That nothing came of a server, as far as it would have been seen: `words` with what, and `to` where."""
    stdout, stderr = (channel not in session.unseen for channel in (SERVER_TO_CLIENT, STDERR))
    if stdout and stderr:
        return f"{words.format('not one byte')}, neither {to} stdout nor {to} stderr"
    if not stdout and not stderr:
        return ""
    return f"{words.format('nothing')} {to} {'stdout' if stdout else 'stderr'}"


def heard(session: Session, since: int) -> tuple[str, tuple[str, ...]]:
    """What the server wrote to stderr behind a record, in a clause with what it means, and its last lines."""
    last = last_words(stderr_of(session.process, since))
    if not last.telling:
        return "", ()
    reason = reason_of_end(last.telling, None)
    return f'it wrote to stderr: "{quote(last.telling, LONGEST)}"' + (
        f" ({reason})" if reason else ""
    ), last.shown
