"""What a capture of another tool cannot tell, in sentences for people."""

from __future__ import annotations

from mcptap.captures.evidence import Evidence
from mcptap.protocol.model.ids import spell_id
from mcptap.protocol.model.session import Session
from mcptap.text.enumeration import listed

NAMED = 3


def capture_limits(session: Session, evidence: Evidence, left_out: int = 0) -> str:
    """What this capture can't decide, in sentences; empty for a recording of mcptap.

    `left_out` counts the lines that could not be read: an answer may be among them.
    """
    if not evidence.unknown:
        return ""
    sentences = ["What this capture does not tell was not judged."]
    waiting = [] if evidence.whole or left_out else session.requests.unanswered()
    if waiting:
        named = [
            f"{request.method} (id {spell_id(request.id)}, record {request.number})" for request in waiting
        ]
        missing = listed(named, NAMED)
        sentences.append(f"It shows no answer to {missing}; if none came, that is why the agent waits.")
    return " ".join(sentences)
