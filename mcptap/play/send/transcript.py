"""The transcript of a play as text: the same play gives the same text, and no line drives a terminal.

    --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    <-- {"jsonrpc":"2.0","id":1,"result":{}}
    exit code: 0

A line stands there as it was on the wire; below one that is no message stands that it is none. What could
drive a terminal is written out (`␛`), and so are bytes that are not UTF-8 (`\\xff`); a CR before the newline
is shown as `␍`.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.jsontext.scanner import Span, spans
from mcptap.jsontext.splice import edit
from mcptap.play.server.stop import Exit
from mcptap.protocol.model.message import BATCH, BLANK, MESSAGES, classify
from mcptap.recording.format.model import Line
from mcptap.text.escape import visible
from mcptap.wire import SERVER_TO_CLIENT

SENT, CAME = "-->", "<--"
UNENDED = "    (no newline at the end of this line)"
POLLUTION = "    (no message: pollution of stdout)"


def sent(raw: bytes, cut: int | None) -> str:
    """The text for bytes that went to the server: usually one line."""
    content, newline, rest = raw.partition(b"\n")
    return _entry(SENT, content, ended=bool(newline) and not rest, cut=cut)


def received(data: bytes, eol: bytes, cut: int | None) -> str:
    """The text for a line of the server's stdout."""
    text = _entry(CAME, data + eol.removesuffix(b"\n"), ended=eol.endswith(b"\n"), cut=cut)
    kind = classify(Line(0, SERVER_TO_CLIENT, data, eol, 0, 0, 0)).kind
    return text if kind in MESSAGES or kind in (BATCH, BLANK) else f"{text}\n{POLLUTION}"


def ended(end: Exit) -> str:
    """The last line: how the server ended."""
    return f"exit code: {end.status}" + (f" ({end.signal})" if end.signal else "")


def _entry(arrow: str, content: bytes, *, ended: bool, cut: int | None) -> str:
    text = visible(shorten(content.decode(errors="backslashreplace"), cut))
    return f"{arrow} {text}" + ("" if ended else f"\n{UNENDED}")


def shorten(text: str, limit: int | None) -> str:
    """A line whose long values are cut with `…`.

    In JSON, strings are cut after `limit` characters, and arrays of more than four times as
    many after their first item; other text is cut as a whole. None cuts nothing.
    """
    if limit is None or len(text) <= limit:
        return text
    try:
        places = sorted(_with_first_ends(text), key=lambda found: found[0].start)
    except ValueError:
        return text[:limit] + "…"
    edits: list[tuple[int, int, str]] = []
    cuts: list[tuple[int, int]] = []  # of the arrays around a place, the innermost last
    for place, first_end in places:
        while cuts and cuts[-1][1] <= place.start:
            cuts.pop()
        if cuts and cuts[-1][0] <= place.start:
            continue
        size = place.end - place.start
        if isinstance(place.value, str) and len(place.value) > limit:
            edits.append((place.start, place.end, _cut_string(text[place.start : place.end], limit)))
        elif isinstance(place.value, list) and size > 4 * limit and first_end < place.end - 1:
            cuts.append((first_end, place.end - 1))
            edits.append((*cuts[-1], ",…"))
    return edit(text, sorted(edits))


def _with_first_ends(text: str) -> Iterator[tuple[Span, int]]:
    """Each value, and where the first of those ends that it holds; its own end if it holds none."""
    held: list[Span] = []  # values whose container has not ended yet
    for span in spans(text):
        first_end = span.end
        while held and held[-1].start > span.start:
            first_end = held.pop().end
        held.append(span)
        yield span, first_end


def _cut_string(spelled: str, limit: int) -> str:
    """A JSON string, cut; never in the middle of an escape."""
    at = 1
    for _ in range(limit):
        at += (6 if spelled[at + 1] == "u" else 2) if spelled[at] == "\\" else 1
    return spelled[:at] + '…"'
