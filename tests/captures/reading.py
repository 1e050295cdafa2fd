"""Captures for tests: text that is read as a file would be."""

from contextlib import closing
from pathlib import Path

from mcptap.captures.open import Source, open_source, source_of
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Finding
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


def judged(path: Path | str) -> list[Finding]:
    """The findings about the last session of a file."""
    with closing(open_source(str(path))) as source:
        diagnosis = Diagnosis(source.header, timed=source.evidence.times, evidence=source.evidence)
        for item in source.items():
            diagnosis.feed(item)
        return diagnosis.finish(source.state(), source.unfinished())
