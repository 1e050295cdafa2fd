"""What a capture can prove. A recording of mcptap can prove everything; others know less."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mcptap.recording.format.header import Header
from mcptap.wire import CLIENT_TO_SERVER


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about a session besides its messages.

    A rule that needs what is not known stays quiet. All true, which is the default, is a
    recording of mcptap.
    """

    origin: str = "a recording of mcptap"
    """What the capture is, as it is told to people."""
    times: bool = True
    """When each line passed. If not, all times are 0 and only the order counts."""
    order: bool = True
    """That no line stands before another that passed earlier: a request never after its answer."""
    directions: bool = True
    """Who sent each line. If not, it was guessed from the shape of the message."""
    framing: bool = True
    """The exact bytes of every line: terminators, marks, blank lines, encoding, length."""
    values: bool = True
    """That no value was replaced or shortened, as redaction does with tokens and passwords."""
    launch: bool = True
    """How the server was started: arguments and working directory."""
    process: bool = True
    """What became of the process and the channels: spawn, signals, ends, exit."""
    stderr: bool = True
    """What the server wrote to stderr."""
    client: bool = True
    """What the client sent."""
    whole: bool = True
    """That the capture begins and ends with the session: what is not in it did not happen. It can't be
    without `client`."""
    assumptions: tuple[str, ...] = ()
    """What was assumed in reading it, in sentences."""
    notes: tuple[str, ...] = ()
    """Why something is not known of what mcptap recorded, or stands elsewhere, in clauses."""

    @property
    def unknown(self) -> list[str]:
        """What is not known, in words for people; empty for a recording of mcptap."""
        return [words for name, words in PROVABLE.items() if not getattr(self, name)]


PROVABLE = {
    "times": "times",
    "order": "the order of lines that passed close together",
    "directions": "senders",
    "framing": "exact bytes",
    "values": "whether values were replaced or shortened",
    "launch": "how the server was started",
    "process": "how it ended",
    "stderr": "stderr",
    "client": "what the client sent",
    "whole": "whether it is the whole session",
}
"""What a capture can prove or not: fields of `Evidence`, and how each is called where it can't."""

CLIENT_ON_TERMINAL = "the client's side was not recorded: it was a terminal, which the server had itself"
STDERR_JOINED = "stderr was one with stdout (2>&1), so its lines stand among those of the server's stdout"

COMPLETE = Evidence()
"""What a recording of mcptap knows."""


def evidence_of(header: Header) -> Evidence:
    """What a recording of mcptap with this header knows."""
    evidence = COMPLETE
    if CLIENT_TO_SERVER in header.unrecorded:
        evidence = replace(evidence, client=False, whole=False, notes=(CLIENT_ON_TERMINAL,))
    if header.joined:
        evidence = replace(evidence, stderr=False, notes=(*evidence.notes, STDERR_JOINED))
    return evidence
