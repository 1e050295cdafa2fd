"""What the user expects of a server's times, with options of `check` and `probe` or in a settings file."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import SERVER, Hit, Hits, Stage, hit
from mcptap.diagnosis.rules.common import name_of
from mcptap.diagnosis.rules.expectations.expected_tools import SEVERAL, SOURCE, wanted
from mcptap.protocol.expectations import expected
from mcptap.protocol.expectations.expectation import MAX_START, Expectation
from mcptap.protocol.model.request import CANCELLED, PENDING, UNREADABLE, Request
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import MAY_STAY_OPEN
from mcptap.text.units import duration
from mcptap.wire import CLIENT_TO_SERVER


@rule(
    "expectation-latency",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.EXPECTATION,
    source=f"{SOURCE} (--max-latency), from request to answer without the time in which the server waited for the client",
    says="{what} {did} (record {n}); at most {most} were asked{others?}",
    brief="{what} {did}; at most {most} were asked",
    remedy="Find what takes so long: mcptap show FILE --filter 'latency:>1s', or allow it.",
    expected=True,
)
def expectation_latency(session: Session) -> Hits:
    if why_no_times(session):
        return None
    hits: list[Hit] = []
    for limit, names in session.expected.answers.items():
        for name, answers in names.items():
            request = answers.worst
            if request is not None and is_proven(session, answers.worst_us, limit):
                exact = session.fineness_us == 1
                others = f" ({answers.over:,} of {answers.count:,} took longer)" if exact else ""
                took, most = _apart(session, answers.worst_us, limit)
                hits.append(
                    hit(
                        request.answer,
                        f"{name} in {duration(limit.most)}",
                        what=name_of(request),
                        did=f"took {took}",
                        most=most,
                        others=others if answers.count > 1 else "",
                        more_records=tuple(answers.slow) if exact else (),
                        telling=answers.worst_us,
                    )
                )
        hits += _without_answer(session, limit)
    return hits


def _without_answer(session: Session, limit: Expectation) -> Iterator[Hit]:
    """Requests that had waited for longer when the session ended, or when the client gave up."""
    for request in left(session, limit):
        took_us = waited_us(session, request)
        if is_proven(session, took_us, limit):
            waited, most = _apart(session, took_us, limit)
            gave_up = ", when the client cancelled it" if request.state is CANCELLED else ""
            yield hit(
                request.number,
                f"{expected.name_of(request)} in {duration(limit.most)}",
                what=name_of(request),
                did=f"had no answer after {waited}{gave_up}",
                most=most,
                telling=took_us,
            )


def left(session: Session, limit: Expectation) -> list[Request]:
    """Requests under this limit that got no answer that can be read."""
    return [
        request
        for request in session.requests.in_state(PENDING, CANCELLED, UNREADABLE)
        if request.channel == CLIENT_TO_SERVER
        and request.method not in MAY_STAY_OPEN
        and request.number not in session.questions.provoked
        and limit.is_about(request)
    ]


def waited_us(session: Session, request: Request) -> int:
    """How long such a request waited, without the time in which the server waited for the client."""
    until_us = _until_us(session, request)
    busy_us = session.timing.client_busy_us(until_us) - request.client_busy_us
    return max(0, until_us - request.t_us - max(0, busy_us))


@rule(
    "expectation-start",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.EXPECTATION,
    source=f"{SOURCE} (--max-start), from the start of the process, or the request if that is later, to the first answer",
    says="The server {did} (record {n}); at most {most} were asked for its start",
    brief="The server {did}; at most {most} were asked for its start",
    remedy="Do what takes long after the first answer, or allow it.",
    expected=True,
)
def expectation_start(session: Session) -> Hits:
    request = session.expected.opening
    if request is None or session.partial or why_no_times(session):
        return None
    hits = []
    took_us = started_us(session, request)
    for one in wanted(session, MAX_START):
        if is_proven(session, took_us, one):
            took, most = _apart(session, took_us, one)
            did = f"needed {took} to answer {request.method}"
            if request.answer is None:
                did = f"had not answered {request.method} after {took}"
            hits.append(hit(request.answer or request.number, f"in {duration(one.most)}", did=did, most=most))
    return hits


def started_us(session: Session, request: Request) -> int:
    """How long the first answer took since its request, or how long there was none."""
    spawn = session.process.spawn
    since_us = max(request.t_us, spawn.t_us if spawn is not None else 0)
    if request.answer is not None:
        return max(0, request.answered_us - since_us)
    return max(0, _until_us(session, request) - since_us)


def _until_us(session: Session, request: Request) -> int:
    """Until when it certainly had no answer that can be read."""
    if request.state is UNREADABLE:
        return request.answered_us
    return request.cancelled_us if request.state is CANCELLED else session.end_us


def why_no_times(session: Session) -> str:
    """Why no time in it counts; empty if times do."""
    unknown = session.expected.unknown
    if "times" in unknown:
        return "this capture holds no times"
    return SEVERAL if "one_process" in unknown else ""


def is_proven(session: Session, took_us: int, limit: Expectation) -> bool:
    """Whether it took longer for certain: the clock of a log may be too coarse to tell."""
    return session.at_least(took_us) > limit.most


def is_within(session: Session, took_us: int, limit: Expectation) -> bool:
    """Whether it took no longer for certain."""
    return took_us + session.fineness_us - 1 <= limit.most


def too_coarse(session: Session) -> str:
    """That the clock of the log is too coarse."""
    return f"the times of this log are whole {'seconds' if session.fineness_us > 1000 else 'milliseconds'}"


def _apart(session: Session, took_us: int, limit: Expectation) -> tuple[str, str]:
    """A time and its limit in words that differ; of a coarse clock only what is certain."""
    if session.fineness_us > 1:
        return f"more than {duration(took_us - session.fineness_us)}", duration(limit.most)
    took, most = duration(took_us), duration(limit.most)
    return (took, most) if took != most else (f"{took_us / 1000:,.3f} ms", f"{limit.most / 1000:,.3f} ms")
