"""What a server on the Python SDK logs: its stderr, or stderr and stdout in one file (`server > log 2>&1`).

Messages stand in it as Python prints objects, mostly without what they said: no lines of a session. Bare
answers in it are stdout's; of another line nobody knows whether it was stdout or stderr, except where text
and an answer share one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.lines import is_message
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.recording.format.model import Item, parse_line
from mcptap.wire import SERVER_TO_CLIENT, STDERR

LOGGER = re.compile(rb"\bmcp\.server\b(?:\.[\w.]+)?|\bFastMCP\b|\bfastmcp[\w.]*")
LEVEL = re.compile(
    rb"^(?:(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]+:|"
    rb"\[?\d[\d/:,. T-]+\]? +(?:- [\w.]+ - )?(?:DEBUG|INFO|WARNING|ERROR)\b)"
)
REQUEST = re.compile(rb"Processing request of type\s+(\w+)Request\b")
GLUED = re.compile(rb'[^\s{[].*?(\{"(?:jsonrpc|id|result|method)".*\})\s*$', re.DOTALL)
JOINED = "stdout and stderr are one in it: of a line that is no message nobody knows which it was"

EVIDENCE = Evidence(
    origin="the stderr of a server on the Python SDK",
    times=False,
    framing=False,
    messages=False,
    contents=False,
    launch=False,
    process=False,
    status=False,
    client=False,
    whole=False,
)


class PythonServerDecoder(LogDecoder):
    """Decodes such a log. `joined`: whether stdout is in it, too."""

    def __init__(self, joined: bool) -> None:
        evidence = EVIDENCE
        if joined:
            origin = "stdout and stderr of a server on the Python SDK"
            evidence = replace(
                evidence, origin=origin, messages=True, contents=True, stderr=False, notes=(JOINED,)
            )
        super().__init__(evidence)
        self._joined = joined

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The line, as one of the channel that it can be told to be of."""
        raw = raw.rstrip(b"\r")
        if not raw.strip():
            return
        if self._joined and (is_message(parse_line(raw)) or is_glued(raw)):
            yield self.line(number, SERVER_TO_CLIENT, raw)
        elif not self._joined or LEVEL.match(raw):
            yield self.line(number, STDERR, raw)
        else:
            yield self.log(number, raw.decode(errors="replace"))


def is_glued(raw: bytes) -> bool:
    """Whether text and a message share the line."""
    found = GLUED.match(raw)
    return found is not None and is_message(parse_line(found[1]))


def recognise(beginning: Beginning) -> PythonServerDecoder | None:
    """A decoder if lines are those of Python's loggers, some of the SDK."""
    lines = beginning.lines
    own = sum(1 for line in lines if LOGGER.search(line, 0, 200) or REQUEST.search(line))
    leveled = sum(1 for line in lines if LEVEL.match(line))
    messages = sum(1 for line in lines if line[:1] == b"{" and is_message(parse_line(line)))
    if not own or (leveled + messages) * 2 < len(lines):
        return None
    return PythonServerDecoder(messages > 0 or any(map(is_glued, lines)))


FORMAT = Format("stderr of servers on the Python SDK", Certainty.SHAPED, recognise)
