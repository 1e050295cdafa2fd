"""What a rule waits for, written `[channel] occasion [subject]`.

| occasion | when | subject |
|-|-|-|
| `request`, `notification` | one came | its method |
| `opening` | a request of the client came before its `notifications/initialized` | its method |
| `result`, `error` | a response came that fits a request and can be read | the method of the request |
| `unreadable` | a response came that fits a request, in a form that nobody can read | its method, too |
| `unmatched` | a response came that fits no open request (`message.match` says how) | |
| `flaw` | a message is odd | one of `message.flaws` |
| `frame` | a line is no message | its kind |
| `rejected` | of a line only the beginning is known, and that its receiver could not use it | |
| `pieces` | a message was found spread over several lines | |
| `echo` | a line of the server repeats one of the client, recorded as `message.about` | |
| `line` | a line is long or has an unusual terminator | |
| `event` | something happened | the kind of event |
| `state` | asked whenever findings are wanted, and at the end; nothing that it says is kept | |

A method may end with `*`; `?` is any method that MCP does not know.
"""

from __future__ import annotations

from typing import NamedTuple

from mcptap.protocol.model.message import MESSAGES, Flaw, Kind
from mcptap.protocol.revisions import KNOWN
from mcptap.wire import CHANNELS

BY_METHOD = frozenset({"request", "opening", "notification", "result", "error", "unreadable", "unmatched"})
"""Occasions whose subject is a method."""
UNKNOWN_METHOD = "?"
_SUBJECTS = {
    "flaw": frozenset(Flaw),
    "frame": frozenset(Kind) - MESSAGES,
    "event": None,
    "rejected": frozenset(),
    "pieces": frozenset(),
    "echo": frozenset(),
    "line": frozenset(),
    "state": frozenset(),
}
"""What may stand behind an occasion that has nothing to do with a method; None for anything."""


class Occasion(NamedTuple):
    """One thing that a rule waits for; empty fields stand for any."""

    channel: str
    name: str
    subject: str

    def fits(self, channel: str, name: str, subject: str) -> bool:
        """Whether this is what is waited for."""
        if self.name != name or (self.channel and self.channel != channel):
            return False
        wanted = self.subject
        return not wanted or subject == wanted or (wanted.endswith("*") and subject.startswith(wanted[:-1]))


def parse(text: str) -> Occasion:
    """An occasion from its text. Raises ValueError if there is no such channel, occasion or subject."""
    channel, rest = "", text.strip()
    first, _, behind = rest.partition(" ")
    if first in CHANNELS:
        channel, rest = first, behind
    name, _, subject = rest.partition(" ")
    if name in BY_METHOD:
        wanted = Occasion("", name, subject)
        known = any(wanted.fits("", name, method) for method in (*KNOWN, UNKNOWN_METHOD))
    elif name in _SUBJECTS:
        subjects = _SUBJECTS[name]
        known = not subject or subjects is None or subject in subjects
    else:
        raise ValueError(f"{text!r}: there is no occasion {name!r}")
    if not known:
        raise ValueError(f"{text!r}: {name} knows no {subject!r}")
    return Occasion(channel, name, subject)
