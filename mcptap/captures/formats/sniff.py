"""Which foreign format a capture is in, judged by how it begins."""

from __future__ import annotations

from typing import Any

from mcptap.captures.formats.bare import BareDecoder
from mcptap.captures.formats.cassette import (
    CassetteLinesDecoder,
    is_cassette_header,
)
from mcptap.captures.formats.decoder import Decoder, is_message, object_of
from mcptap.captures.formats.mcpsnoop import McpsnoopDecoder, is_mcpsnoop
from mcptap.captures.formats.shown import LINE, ShownDecoder
from mcptap.captures.formats.steps import KNOWN as KNOWN_STEPS
from mcptap.captures.formats.steps import StepsDecoder
from mcptap.captures.formats.tagged import CONTENTS, TaggedDecoder, side_of
from mcptap.captures.formats.transcript import ARROW, REMARK, TranscriptDecoder
from mcptap.recording.format.model import NOT_JSON, RecordingError, parse_line

HEAD = 256 << 10
"""How many bytes at the beginning of a file are looked at."""

KNOWN = (
    "a recording of mcptap, mcpsnoop or mcp-cassette, bare JSON-RPC lines, a transcript with --> and <--, "
    'or JSON lines with "dir" and "raw"'
)


def decoder_for(head: bytes) -> Decoder:
    """The decoder for a capture that begins with these bytes (whole lines, or all there is).

    Raises RecordingError (without the file's name) if they are no capture.
    """
    lines = [line for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
    if not lines:
        raise RecordingError("is empty: nothing was recorded")
    first = object_of(lines[0])
    if first is not None:
        decoder = _by_first_object(first)
        if decoder is not None:
            return decoder
    texts = [line.decode(errors="surrogateescape") for line in lines]
    if any(map(KNOWN_STEPS.fullmatch, texts)):
        return StepsDecoder(texts)
    if _is_shown(lines):
        return ShownDecoder()
    if _is_transcript(lines):
        return TranscriptDecoder()
    if any(is_message(parse_line(line)) for line in lines) or _begins_pretty_printed(lines):
        return BareDecoder()
    raise RecordingError(f"is no capture that mcptap can read; it reads {KNOWN}")


def _by_first_object(first: dict[str, Any]) -> Decoder | None:
    if is_cassette_header(first):
        return CassetteLinesDecoder(first)
    if is_mcpsnoop(first):
        return McpsnoopDecoder(first)
    if side_of(first) and any(name in first for name in CONTENTS):
        return TaggedDecoder()
    if isinstance(first.get("dir"), str) and any(name in first for name in CONTENTS):
        raise RecordingError(
            f'says "dir":{first["dir"]!r}, which does not tell the sender; write c2s, s2c or stderr'
        )
    return None


def _is_shown(lines: list[bytes]) -> bool:
    """Whether at least two lines, and most of those with arrows, have a record number and a time."""
    numbered = sum(1 for line in lines if LINE.match(line.decode(errors="replace")))
    arrows = sum(1 for line in lines if ARROW.match(line))
    return numbered >= 2 and numbered * 2 > arrows


def _is_transcript(lines: list[bytes]) -> bool:
    """Whether lines have arrows, and behind at least half of them stands JSON.

    Where it is not so, the text is about a session (`--> initialize`), not the session.
    """
    contents = [found[2] for found in map(ARROW.match, lines) if found]
    contents = [text for text in contents if not REMARK.match(text)]
    json = sum(1 for text in contents if text.lstrip().startswith((b"{", b"[")))
    return bool(contents) and json * 2 >= len(contents)


def _begins_pretty_printed(lines: list[bytes]) -> bool:
    opening = lines[0].strip()
    return (
        opening in (b"{", b"[", b"[{")
        and any(b'"jsonrpc"' in line for line in lines)
        and (parse_line(lines[0]) is NOT_JSON)
    )
