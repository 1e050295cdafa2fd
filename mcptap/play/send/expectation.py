"""What is expected of a server: a transcript in which placeholders stand for what differs from run to run.

    # What `mcptap send --expect` expects …
    --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"now","arguments":{}}}
    <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"It is ‹time›"}]}}
    exit code: 0

What goes to the server stands in it to be read, and to tell which answer belongs to which request.
Lines that begin otherwise are notes. Secrets are masked: such a file is made to be kept and passed on.
"""  # noqa: RUF002

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.lines import ARROWS, unknown_header
from mcptap.errors import UserError
from mcptap.jsontext.scanner import Path
from mcptap.jsontext.splice import SAME, change_values
from mcptap.masking.masker import Masker
from mcptap.play.client.paired_items import answered_request, paired_items
from mcptap.play.compare import placeholders, volatile
from mcptap.play.compare.exchanges import Session, observe
from mcptap.play.compare.ignore import kinds_at
from mcptap.play.compare.moments import Moment
from mcptap.play.send import transcript
from mcptap.play.server.stop import Exit
from mcptap.protocol.model.message import MESSAGES
from mcptap.recording.format.model import Item, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

HEAD = "# What `mcptap send --expect` expects"
EXPLANATION = f"""{HEAD} of a server. Placeholders stand for what differs from run to run:
# {", ".join(placeholders.placeholder(kind) for kind in volatile.KINDS.values())}, {placeholders.STATE},
# and {placeholders.ANY} for any text. A secret is masked (‹masked:…›): there, anything fits.
"""
KINDS = (*volatile.DEFAULTS, "ids")
"""The kinds of parts that are replaced."""

_END = re.compile(r"exit code: \d+(?: \(\w+\))?")


def written(items: Iterable[Item], end: Exit, masker: Masker, start_us: int) -> Iterator[bytes]:
    """The lines of the file for a session that was played, with their newlines.

    `start_us`: when it was started, in µs since 1970.
    """
    yield EXPLANATION.encode()
    for item, messages in paired_items(items):
        if not isinstance(item, Line) or item.channel not in (CLIENT_TO_SERVER, SERVER_TO_CLIENT):
            continue
        data = masker.line(item.channel, item.data)
        if item.channel == SERVER_TO_CLIENT:
            request = answered_request(messages[0]) if messages else None
            method = request.method if request is not None else messages[0].method if messages else ""
            moment = Moment(start_us, item.t_us)
            is_message = bool(messages) and messages[0].kind in MESSAGES
            data = _with_placeholders(data, method, moment) if is_message else _text(data, moment)
        arrow = transcript.SENT if item.channel == CLIENT_TO_SERVER else transcript.CAME
        yield arrow.encode() + b" " + data + b"\n"
    yield transcript.ended(end).encode() + b"\n"


def require_free(path: str) -> None:
    """Raise UserError if there is a file that is none of these, and so is not replaced."""
    try:
        with open(path, "rb") as file:
            begins = file.read(len(HEAD.encode()))
    except FileNotFoundError:
        return
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error
    if begins not in (HEAD.encode(), b""):
        raise UserError(f"{path}: there is such a file, which is no file for --expect; name another")


def save(path: str, content: bytes) -> None:
    """Write the file. Raises UserError."""
    try:
        with open(path, "wb") as file:
            file.write(content)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error


def read(path: str) -> tuple[Session, str]:
    """The session that a file expects, and the line with which it ends (empty: any). Raises UserError."""
    try:
        with open(path, "rb") as file:
            content = file.read().split(b"\n")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    items: list[Item] = []
    end = ""
    for number, line in enumerate(content, 1):
        arrow, _, data = line.rstrip(b"\r").partition(b" ")
        channel = ARROWS.get(arrow.decode(errors="replace"))
        if channel in (CLIENT_TO_SERVER, SERVER_TO_CLIENT):
            items.append(Line(number, channel, data, b"\n", 0, 0, 0))
        elif _END.fullmatch(text := line.strip().decode(errors="replace")):
            end = text
    if not items:
        raise UserError(f"{path}: expects nothing: no line begins with --> or <--; see --write-expect")
    session = observe(unknown_header(), items, [])
    session.evidence = Evidence(times=False)
    return session, end


def _with_placeholders(data: bytes, method: str, moment: Moment) -> bytes:
    def change(path: Path, value: Any) -> Any:
        if not isinstance(value, str | int | float) or isinstance(value, bool) or path[-1:] == ("id",):
            return SAME
        steps = tuple(step if isinstance(step, str) else f"[{step}]" for step in path)
        if volatile.is_state(steps) and isinstance(value, str):
            return placeholders.STATE
        name = next((step for step in reversed(path) if isinstance(step, str)), "")
        text = volatile.filled(value, name, kinds_at(steps, method, KINDS), placeholders.placeholder, moment)
        return text if "‹" in text and text != value else SAME

    return change_values(data, change)


def _text(data: bytes, moment: Moment) -> bytes:
    text = data.decode(errors="surrogateescape")
    return volatile.filled(text, "", KINDS, placeholders.placeholder, moment).encode(errors="surrogateescape")
