"""What a capture can prove. A recording of mcptap can prove everything; others know less."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from mcptap.recording.format.content import as_count
from mcptap.recording.format.header import Header, as_list, as_text
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR


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
    fineness_us: int = 1
    """How fine its times are, in µs: 1,000,000 of a log in whole seconds."""
    order: bool = True
    """That no line stands before another that passed earlier: a request never after its answer."""
    directions: bool = True
    """Who sent each line. If not, it was guessed from the shape of the message."""
    framing: bool = True
    """The exact bytes of every line: terminators, marks, blank lines, encoding, length."""
    messages: bool = True
    """The messages themselves. If not, the log only tells that some passed."""
    contents: bool = True
    """What messages said: parameters, results. If not, only methods, ids and codes of errors."""
    members: bool = True
    """That a message has the members that it had on the wire. A recorder that takes messages apart and puts
    them together again may have left out or added one."""
    values: bool = True
    """That no value was replaced or shortened, as redaction does with tokens and passwords."""
    launch: bool = True
    """How the server was started: arguments and working directory."""
    process: bool = True
    """What became of the process and the channels: spawn, signals, ends, who ended first."""
    status: bool = True
    """With which exit status or by which signal the process ended."""
    one_process: bool = True
    """That all lines are of one process. If not, ids and order mean nothing."""
    alone: bool = True
    """That no other process can have written to it at the same time. If not, an id that comes twice may be of
    two."""
    stderr: bool = True
    """What the server wrote to stderr."""
    client: bool = True
    """What the client sent."""
    server: bool = True
    """What the server sent."""
    whole: bool = True
    """That the capture begins and ends with the session: what is not in it did not happen. It can't be
    without `client` and `server`."""
    assumptions: tuple[str, ...] = ()
    """What was assumed in reading it, in sentences."""
    notes: tuple[str, ...] = ()
    """Why something is not known of what mcptap recorded, or stands elsewhere, in clauses."""

    @property
    def unknown(self) -> list[str]:
        """What is not known, in words for people; empty for a recording of mcptap."""
        return [words for name, words in PROVABLE.items() if not getattr(self, name)]


SECONDS, MILLISECONDS = 1_000_000, 1_000
"""How fine the times of a log are."""

PROVABLE = {
    "times": "times",
    "order": "the order of lines that passed close together",
    "directions": "senders",
    "framing": "exact bytes",
    "messages": "the messages themselves",
    "contents": "what messages said",
    "members": "whether messages had all their members",
    "values": "whether values were replaced or shortened",
    "launch": "how the server was started",
    "process": "how it ended",
    "status": "its exit status",
    "one_process": "which of several processes a line is of",
    "alone": "whether another process wrote at the same time",
    "stderr": "stderr",
    "client": "what the client sent",
    "server": "what the server sent",
    "whole": "whether it is the whole session",
}
"""What a capture can prove or not: fields of `Evidence`, and how each is called where it can't."""

CLIENT_ON_TERMINAL = "the client's side was not recorded: it was a terminal, which the server had itself"
FILTERED = "only the records that match a filter are in it, so what is missing was not judged"
STDERR_JOINED = "stderr was one with stdout (2>&1), so its lines stand among those of the server's stdout"

LOCAL_TIME = "its times have no zone and were taken for those of this machine"

SEVERAL_PROCESSES = (
    "several processes wrote to it, maybe at the same time, and no line tells which; so ids and order were "
    "not judged"
)


def fineness_of(fractions: Iterable[str]) -> int:
    """How fine times are, in µs, that are told with these digits behind the seconds."""
    digits = max(map(len, fractions), default=0)
    return 1 if digits > 3 else MILLISECONDS if digits else SECONDS


COMPLETE = Evidence()
"""What a recording of mcptap knows."""


def is_capture(evidence: Evidence) -> bool:
    """Whether another tool recorded it."""
    return evidence.origin != COMPLETE.origin


def unseen_channels(evidence: Evidence) -> frozenset[str]:
    """The server's channels of which lines may have passed that are not in the capture."""
    missing = {STDERR: not evidence.stderr, SERVER_TO_CLIENT: not evidence.messages}
    return frozenset(channel for channel, is_missing in missing.items() if is_missing)


def evidence_of(header: Header) -> Evidence:
    """What a recording of mcptap with this header knows; of a converted capture what that knew."""
    evidence = from_fields(header.capture) if header.capture else COMPLETE
    if CLIENT_TO_SERVER in header.unrecorded:
        evidence = replace(evidence, client=False, whole=False, notes=(CLIENT_ON_TERMINAL,))
    if header.export.get("filter"):
        evidence = replace(evidence, whole=False, notes=(*evidence.notes, FILTERED))
    if header.joined:
        evidence = replace(evidence, stderr=False, notes=(*evidence.notes, STDERR_JOINED))
    return evidence


def to_fields(evidence: Evidence) -> dict[str, Any]:
    """Evidence as the field `capture` of a header, when a capture is converted."""
    fields = {
        "origin": evidence.origin,
        "unknown": [name for name in PROVABLE if not getattr(evidence, name)],
        "assumptions": list(evidence.assumptions),
        "notes": list(evidence.notes),
    }
    return fields if evidence.fineness_us == 1 else {**fields, "fineness": evidence.fineness_us}


def from_fields(fields: dict[str, Any]) -> Evidence:
    """The evidence that `to_fields` gave; names that this mcptap does not know are left out."""
    unknown = [name for name in as_list(fields.get("unknown")) if name in PROVABLE]
    return Evidence(
        origin=as_text(fields.get("origin")) or "a capture of another tool",
        fineness_us=max(1, as_count(fields.get("fineness")) or 1),
        assumptions=tuple(map(as_text, as_list(fields.get("assumptions")))),
        notes=tuple(map(as_text, as_list(fields.get("notes")))),
        **dict.fromkeys(unknown, False),
    )
