"""What a capture of another tool leaves open: said, not judged."""

from __future__ import annotations

from mcptap.protocol.message import spell_id
from mcptap.protocol.session import Session
from mcptap.recording.knowledge import Knowledge

NAMED = 3


def unproven(session: Session, knowledge: Knowledge, left_out: int = 0) -> str:
    """What this capture can't decide, in sentences; empty for a recording of mcptap.

    `left_out` counts the lines that could not be read: an answer may be among them.
    """
    if not knowledge.unknown:
        return ""
    sentences = ["What this capture does not tell was not judged."]
    waiting = [] if knowledge.whole or left_out else session.unanswered()
    if waiting:
        named = [f"{pair.method} (id {spell_id(pair.id)}, line {pair.number})" for pair in waiting[:NAMED]]
        more = len(waiting) - len(named)
        if more:
            named.append(f"{more} more")
        sentences.append(f"It shows no answer to {_and(named)}; if none came, that is why the agent waits.")
    return " ".join(sentences)


def _and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
