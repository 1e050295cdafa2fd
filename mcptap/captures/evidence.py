"""What a capture can prove. A recording of mcptap can prove everything; others know less."""

from __future__ import annotations

from dataclasses import dataclass


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
    whole: bool = True
    """That the capture begins and ends with the session: what is not in it did not happen."""
    assumptions: tuple[str, ...] = ()
    """What was assumed in reading it, in sentences."""

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
    "whole": "whether it is the whole session",
}
"""What a capture can prove or not: fields of `Evidence`, and how each is called where it can't."""

COMPLETE = Evidence()
"""What a recording of mcptap knows."""
