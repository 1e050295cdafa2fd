"""Which record a verdict is about: where somebody who opens the recording looks first."""

from __future__ import annotations

from collections.abc import Sequence

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.protocol.model.request import Request
from mcptap.protocol.model.session import Session
from mcptap.wire import CLIENT_TO_SERVER


def causing_record(
    outcome: Outcome, findings: Sequence[Finding], session: Session, waiting: Sequence[Request]
) -> int | None:
    """The number of the record that shows the cause, or that waits; None if there is none.

    `waiting` are the requests without an answer, oldest first.
    """
    match outcome:
        case Outcome.BROKEN:
            shown = [f.line for f in findings if f.level > Level.INFO and not f.design and f.line]
            end = session.process.server_end
            return shown[0] if shown else end.number if end is not None else None
        case Outcome.CALLS_FAILED:
            failures = session.failures.first
            failed = [f for f in failures if f.is_call] or failures
            remarks = [f.line for f in findings if f.level > Level.INFO and f.line]
            waits = [wait.answer for wait in session.stateless.waits if not wait.retried]
            return next(iter([*(f.number for f in failed), *waits, *remarks]), None)
        case Outcome.WAITING | Outcome.UNCLEAR:
            own = [r for r in waiting if r.channel == CLIENT_TO_SERVER] or list(waiting)
            return own[0].number if own else _refused_opening(session)
        case _:
            return None


def _refused_opening(session: Session) -> int | None:
    """The request with which the client tried to open a session that did not come about."""
    if session.handshake.done or session.stateless.proven:
        return None
    opening = session.handshake.initialize or session.stateless.discover
    return opening.number if opening is not None else None
