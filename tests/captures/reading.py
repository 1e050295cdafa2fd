"""Captures for tests: text that is read as a file would be."""

import io

from mcptap.captures.format import Beginning
from mcptap.captures.reader import CaptureReader
from mcptap.recording.format.model import Item, Line

INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
ANSWER = '{"result":{"capabilities":{}},"id":1,"jsonrpc":"2.0"}'
LIST = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'


def read(data: str | bytes) -> tuple[CaptureReader, list[Item]]:
    """A capture with these bytes, and its items."""
    raw = data.encode() if isinstance(data, str) else data
    source = CaptureReader("capture", Beginning(io.BytesIO(raw)))
    return source, list(source.items())


def lines(data: str | bytes) -> list[tuple[int, str, bytes]]:
    """Number, channel and bytes of the lines of a capture."""
    return [(i.number, i.channel, i.data) for i in read(data)[1] if isinstance(i, Line)]
