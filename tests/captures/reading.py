"""Captures for tests: text that is read as a file would be."""

from mcptap.captures.open import Source, source_of
from mcptap.recording.format.model import Item, Line

INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
ANSWER = '{"result":{"capabilities":{}},"id":1,"jsonrpc":"2.0"}'
LIST = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'


def read(data: str | bytes) -> tuple[Source, list[Item]]:
    """A capture with these bytes, and its items."""
    raw = data.encode() if isinstance(data, str) else data
    source = source_of("capture", raw)
    return source, list(source.items())


def lines(data: str | bytes) -> list[tuple[int, str, bytes]]:
    """Number, channel and bytes of the lines of a capture."""
    return [(i.number, i.channel, i.data) for i in read(data)[1] if isinstance(i, Line)]
