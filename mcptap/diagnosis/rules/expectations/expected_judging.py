"""What of the user's expectations could not be judged.

That is no pass: it is told, and fails a check as what is not so. Only a limit of the settings file that nothing
in this session fell under is no more than a note, since the file is meant for other sessions too.
"""

from __future__ import annotations

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import SERVER, Hits, Stage, hit
from mcptap.diagnosis.rules.expectations.expected_times import (
    is_proven,
    is_within,
    left,
    started_us,
    too_coarse,
    waited_us,
    why_no_times,
)
from mcptap.diagnosis.rules.expectations.expected_tools import (
    SOURCE,
    forbidden,
    list_of_true_size,
    whole_list,
    why_no_list,
)
from mcptap.protocol.expectations.expectation import (
    FORBID_TOOL,
    MAX_LATENCY,
    MAX_LIST_TOKENS,
    MAX_START,
    Expectation,
)
from mcptap.protocol.model.session import Session

NOTHING_ASKED = "nothing was asked that it limits"


@rule(
    "expectation-unjudged",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.EXPECTATION,
    source=f"{SOURCE}; what was not measured is not taken for met",
    says='"{asked}" could not be judged: {why}',
    remedy="Judge a session in which it can be seen, or leave the expectation out.",
    expected=True,
    tells_unjudged=True,
)
def expectation_unjudged(session: Session) -> Hits:
    hits = []
    for one in session.expected.wanted:
        why = _why(session, one)
        if why:
            idle = one.is_standing and why == NOTHING_ASKED
            level = Level.INFO if idle else None
            hits.append(hit(None, str(one), level=level, asked=str(one), why=why))
    return hits


def _why(session: Session, one: Expectation) -> str:
    """Why it could not be judged; empty if it could."""
    if one.name == MAX_LATENCY:
        return _why_no_latency(session, one)
    if one.name == MAX_START:
        return _why_no_start(session, one)
    if one.name == MAX_LIST_TOKENS:
        return "" if list_of_true_size(session) is not None else why_no_list(session)
    if one.name == FORBID_TOOL and forbidden(session, one):
        return ""
    return "" if whole_list(session) is not None else why_no_list(session)


def _why_no_start(session: Session, one: Expectation) -> str:
    request = session.expected.opening
    if session.partial or request is None:
        return why_no_times(session) or "the client's first request is not in it"
    took_us = started_us(session, request)
    if why_no_times(session) or is_proven(session, took_us, one):
        return why_no_times(session)
    if request.answer is None:
        return f"{request.method} was not answered, and the session ended before the time was up"
    return "" if is_within(session, took_us, one) else too_coarse(session)


def _why_no_latency(session: Session, one: Expectation) -> str:
    answers = [each for each in session.expected.answers[one].values() if each.count]
    waiting = left(session, one)
    late = [*(each.worst_us for each in answers), *(waited_us(session, request) for request in waiting)]
    if not late or why_no_times(session):
        return why_no_times(session) or NOTHING_ASKED
    if any(is_proven(session, took_us, one) for took_us in late):
        return ""
    if not answers:
        return "no answer came that can be read, and the session ended before the time was up"
    return "" if all(is_within(session, each.worst_us, one) for each in answers) else too_coarse(session)
