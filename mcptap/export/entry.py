"""A record as it is shown to whoever was not there: masked, visible, cut where it is long."""

from __future__ import annotations

from dataclasses import dataclass

from mcptap.captures.evidence import Evidence
from mcptap.jsontext.scanner import members
from mcptap.jsontext.tree import dumps, parse
from mcptap.masking.masker import Masker
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.session import Session
from mcptap.recording.format.model import Damaged, Event, Item, Line
from mcptap.report.events import event_words, is_trouble
from mcptap.report.headings import heading
from mcptap.text.escape import decoded, visible, visible_json
from mcptap.text.units import size
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

CLIENT, SERVER, LOG, EVENT, DAMAGED = "client", "server", "stderr", "event", "damaged"
LANES = {CLIENT_TO_SERVER: CLIENT, SERVER_TO_CLIENT: SERVER, STDERR: LOG}
ARROWS = {CLIENT: "-->", SERVER: "<--", LOG: "err", EVENT: " * ", DAMAGED: "???"}

MOST_MASKED = 1 << 18
"""Bytes of a line that are masked to be shown: masking takes seconds for each megabyte."""


@dataclass(slots=True)
class Gist:
    """What a record is, in a few words of visible text that are not masked yet."""

    number: int
    t_us: int
    lane: str
    head: str = ""
    mark: str = ""
    is_bad: bool = False
    """Whether it is about a failure, or something that should not be."""
    request: int = 0
    """The record of the request that it answers, or is; 0 if it is neither."""


@dataclass(slots=True)
class Entry:
    """A record to be shown: `body` is its content, made visible and masked; JSON over several lines."""

    gist: Gist
    head: str
    mark: str
    body: str
    line: str
    """The same content in one line."""
    is_json: bool = False
    left_out: int = 0
    """Bytes of the content that are not in the body."""

    @property
    def number(self) -> int:
        """The record number."""
        return self.gist.number


def gist_of(item: Item, message: Message | None, session: Session, evidence: Evidence) -> Gist:
    """What an item is, as the session stands when it has taken it."""
    if isinstance(item, Damaged):
        return Gist(item.number, session.now_us, DAMAGED, mark="DAMAGED RECORD", is_bad=True)
    if isinstance(item, Event):
        return Gist(item.number, item.t_us, EVENT, is_bad=is_trouble(item))
    assert message is not None
    said = heading(message, session, evidence)
    request = message.request.number if message.request is not None else 0
    bad = said.mark_style == "error" and bool(said.mark)
    found = Gist(item.number, item.t_us, LANES[item.channel], said.head, said.mark, bad, request)
    if item.diverted is not None:
        found.mark = f"{found.mark} DIVERTED TO STDERR".lstrip()
    return found


def entry_of(gist: Gist, item: Item, masker: Masker | None, most: int) -> Entry:
    """An item with its content: at most so many characters of it, without secrets if there is a masker."""
    if isinstance(item, Line):
        return _line(gist, item, masker, most)
    words = (
        visible(event_words(item)) if isinstance(item, Event) else f"{item.why}: {decoded(item.raw[:most])}"
    )
    words = _masked(words, masker)
    return Entry(gist, gist.head, gist.mark, words[:most], words[:most], left_out=len(words[most:]))


def _line(gist: Gist, line: Line, masker: Masker | None, most: int) -> Entry:
    head = gist.head if masker is None else masker.name(gist.head)
    piece = line.data[:MOST_MASKED]
    left_out = len(line.data) - len(piece)
    if left_out:
        piece += "…".encode()  # so that a secret that is cut in two is known by its beginning
    data = piece if masker is None else masker.line(line.channel, piece)
    body, is_json = decoded(data), False
    flat = body
    if not left_out and data[:1] in (b"{", b"["):
        try:
            body, is_json = visible_json(dumps(parse(data), 2)), True
            flat = _content(data) or flat
        except ValueError:
            pass
    left_out += len(body[most:].encode(errors="replace"))
    return Entry(gist, head, gist.mark, body[:most], flat[:most], is_json, left_out)


def _content(data: bytes) -> str:
    """What a message says, as it is spelled: its parameters, its result or its error."""
    found = members(data.decode(errors="replace")) or {}
    return next((visible(found[name]) for name in ("error", "result", "params") if name in found), "")


def _masked(text: str, masker: Masker | None) -> str:
    return text if masker is None else masker.text(text)


def left_out_words(entry: Entry) -> str:
    """That its body is cut; empty if it is not."""
    return f"… {size(entry.left_out)} more" if entry.left_out else ""
