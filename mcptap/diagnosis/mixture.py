"""Signs that a capture holds lines of more than one process, so that ids and order mean nothing."""

from __future__ import annotations

from mcptap.captures.evidence import Evidence, is_capture
from mcptap.protocol.model.message import REQUEST, Match, Message

OPENED_AGAIN = (
    "it opens twice with one id, so it may hold lines of several processes; ids and order were not judged"
)
IDS_CLASH = (
    "ids in it clash, and other sessions stand in the same file, whose lines may be among these; ids and "
    "order were not judged"
)

_REUSED = frozenset({Match.REUSED, Match.REUSED_OPEN})
"""Who opens a second time in one process counts on; a second process counts anew."""
_CLASHES = _REUSED | {Match.DUPLICATE, Match.UNKNOWN}


class Mixture:
    """Watches the messages of one session. A recording of mcptap is of one process, and shows no sign."""

    def __init__(self, evidence: Evidence) -> None:
        self._watches = is_capture(evidence)
        self._alone = evidence.alone

    def sign(self, message: Message) -> str:
        """What shows, with this message, that there may be several processes; empty if nothing does."""
        if not self._watches:
            return ""
        sign = ""
        if message.match in _REUSED and message.kind == REQUEST and message.method == "initialize":
            sign = OPENED_AGAIN
        elif not self._alone and (
            message.match in _CLASHES or (message.match == Match.TO_NOTIFICATION and message.id is not None)
        ):
            sign = IDS_CLASH
        self._watches = not sign
        return sign
