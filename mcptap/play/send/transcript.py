"""The transcript of a play as text: the same play gives the same text, and no line drives a terminal.

    --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    <-- {"jsonrpc":"2.0","id":1,"result":{}}
    exit code: 0

A line stands there as it was on the wire. What could drive a terminal is written out (`␛`), and so
are bytes that are not UTF-8 (`\\xff`); a CR before the newline is shown as `␍`.
"""

from __future__ import annotations

from mcptap.jsontext.scanner import Span, spans
from mcptap.jsontext.splice import edit
from mcptap.play.server.stop import Exit
from mcptap.text.escape import visible

SENT, CAME = "-->", "<--"
UNENDED = "    (no newline at the end of this line)"


def sent(raw: bytes, cut: int | None) -> str:
    """The text for bytes that went to the server: usually one line."""
    content, newline, rest = raw.partition(b"\n")
    return _entry(SENT, content, ended=bool(newline) and not rest, cut=cut)


def received(data: bytes, eol: bytes, cut: int | None) -> str:
    """The text for a line of the server's stdout."""
    return _entry(CAME, data + eol.removesuffix(b"\n"), ended=eol.endswith(b"\n"), cut=cut)


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
        places = list(spans(text))
    except (ValueError, RecursionError):
        return text[:limit] + "…"
    edits = _cut_arrays(places, limit)
    gone = [(start, end) for start, end, _ in edits]
    for place in places:
        if not isinstance(place.value, str) or len(place.value) <= limit:
            continue
        if not any(start <= place.start < end for start, end in gone):
            edits.append((place.start, place.end, _cut_string(text[place.start : place.end], limit)))
    return edit(text, sorted(edits))


def _cut_arrays(places: list[Span], limit: int) -> list[tuple[int, int, str]]:
    """Edits that leave only the first item of each long array."""
    firsts = {place.path[:-1]: place.end for place in places if place.path and place.path[-1] == 0}
    cuts: list[tuple[int, int, str]] = []
    for place in sorted(places, key=lambda place: place.start):
        if not isinstance(place.value, list) or place.end - place.start <= 4 * limit:
            continue
        start, end = firsts.get(place.path, place.end), place.end - 1
        if start < end and not any(a <= place.start < b for a, b, _ in cuts):
            cuts.append((start, end, ",…"))
    return cuts


def _cut_string(spelled: str, limit: int) -> str:
    """A JSON string, cut; never in the middle of an escape."""
    at = 1
    for _ in range(limit):
        at += (6 if spelled[at + 1] == "u" else 2) if spelled[at] == "\\" else 1
    return spelled[:at] + '…"'
