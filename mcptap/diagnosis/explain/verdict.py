"""The verdict: what became of a session and why, in the terms of whoever uses the agent."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcptap.captures.evidence import Evidence, is_capture
from mcptap.clients.faults import Fault
from mcptap.clients.reactions import reactions
from mcptap.clients.recognition import Recognised, may_have_stopped
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.registry import RULES, matching
from mcptap.diagnosis.explain.advice import advice
from mcptap.diagnosis.explain.causing import causing_record
from mcptap.diagnosis.explain.last_words import last_words
from mcptap.diagnosis.explain.limits import cut, is_cut, limits
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.diagnosis.explain.wording import answer_of, call_of, called, plain_name
from mcptap.protocol.model.parts.failures import CALL, Failure
from mcptap.protocol.model.request import UNREADABLE, Request
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import MAY_STAY_OPEN, OPENERS
from mcptap.text.sentences import capital, fitted, snippet, telling_line, word_count
from mcptap.text.units import counted
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

MOST_WORDS = 30
"""A verdict has no more words than this, but for `AS_FAR`."""
AS_FAR = "As far as this log shows: "
"""Before the verdict on a capture of another tool."""
NOT_AS_LOCKED = "What the server offers is not what was approved."
UNUSED = "If the agent ignores a tool, look at its description, and whether the client hides it."

_RECORD = re.compile(r" \((?:id [^(),]{1,40}|(?:id [^()]{1,40}, )?records? [\d, and]+)\)")
_RECORD_BEFORE = re.compile(r"\(record \d+(?:: |, )")
_RECORD_BEHIND = re.compile(r", (?:answered in )?record \d+\)")
_RECORD_WITHIN = re.compile(r",? in record \d+")
_CALL = re.compile(r"tools/call of '([^']+)'")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a session came to."""

    outcome: Outcome
    words: str
    """One sentence or two, of at most `MOST_WORDS` words."""
    limits: str = ""
    """What the recording can't tell, in sentences; empty if all is in it."""
    open: int = 0
    """How many requests wait for their answer, or did when the session ended."""
    cut: str = ""
    """Of `limits` the sentence that the recording stops before the session does; empty if it does not."""
    record: int | None = None
    """The number of the record that shows the cause, or that waits."""
    advice: str = ""
    """What can be done about what waits, as long as no finding says it."""

    @property
    def said(self) -> str:
        """All of it in a text; that the recording is cut comes first, since all else depends on it."""
        others = self.limits.replace(self.cut, "").strip() if self.cut else self.limits
        return " ".join(filter(None, (self.cut, self.words, others)))


def verdict(
    findings: list[Finding],
    session: Session,
    client: Recognised,
    evidence: Evidence,
    lines: int = 0,
    passed_over: int = 0,
) -> Verdict:
    """The verdict on a session; `evidence` is what is provable of it by now.

    `lines` and `passed_over`: how many lines of a capture were read and not understood.
    """
    differing = [f for f in findings if RULES[f.rule].about_lock and f.level > Level.INFO]
    findings = [f for f in findings if not RULES[f.rule].about_lock]
    waiting = open_requests(session)
    outcome, words = _judged(findings, session, client, evidence, waiting)
    if evidence.unknown and is_capture(evidence) and outcome is not Outcome.UNCLEAR:
        words = AS_FAR + words
    if differing:
        words = f"{words} {NOT_AS_LOCKED}"
    return Verdict(
        outcome,
        words,
        limits(session, evidence, lines, passed_over),
        len(waiting),
        cut(session, evidence),
        causing_record(outcome, findings, session, waiting),
        advice(waiting, session) if outcome is Outcome.WAITING else "",
    )


def open_requests(session: Session) -> list[Request]:
    """Requests of both sides that wait, or did at the end, but for those that may; oldest first.

    What the server asks when the client is gone is no question to anybody.
    """
    end_us = session.end_us
    return [
        request
        for request in session.requests.unanswered()
        if request.method not in MAY_STAY_OPEN
        and request.number not in session.questions.provoked
        and (request.channel == CLIENT_TO_SERVER or request.t_us <= end_us)
    ]


def without_numbers(text: str) -> str:
    """A text without ids and numbers of records, which belong to the findings; calls go by their tool."""
    text = _RECORD_BEHIND.sub(")", _RECORD_BEFORE.sub("(", _RECORD.sub("", text)))
    text = _RECORD_WITHIN.sub("", text)
    return _CALL.sub(r"`\1`", text)


def _judged(
    findings: list[Finding],
    session: Session,
    client: Recognised,
    evidence: Evidence,
    waiting: list[Request],
) -> tuple[Outcome, str]:
    bad = [f for f in findings if f.level > Level.INFO and not f.design]
    if bad and not _only_waits(bad, waiting, session):
        return Outcome.BROKEN, _broken(bad, findings, session, client, waiting)
    ended = evidence.process and session.process.server_ended_first
    if ended and not may_have_stopped(client.client, session):
        return Outcome.BROKEN, f"The server ended ({session.process.ending}) while the client was connected."
    if waiting and evidence.whole and not is_cut(session, evidence):
        return Outcome.WAITING, _waiting(waiting, session, client)
    remarks = [f for f in findings if f.level > Level.INFO]
    failed = _failed(session, evidence, remarks)
    if failed:
        return Outcome.CALLS_FAILED, failed
    unclear = _unclear(session, evidence, waiting)
    if unclear:
        return Outcome.UNCLEAR, fitted(unclear, MOST_WORDS)
    return Outcome.HEALTHY, _healthy(session)


def _only_waits(bad: list[Finding], waiting: list[Request], session: Session) -> bool:
    """Whether nothing else is found than that requests wait, and these may still be answered or were left."""
    numbers = {request.number for request in waiting}
    mild = not session.ended or all(f.level < Level.ERROR for f in bad)
    return mild and all(f.line in numbers for f in bad)


# --- broken ----------------------------------------------------------------------------------


def _broken(
    bad: list[Finding],
    findings: list[Finding],
    session: Session,
    client: Recognised,
    waiting: list[Request],
) -> str:
    first = bad[0]
    lost = [] if _is_read(first, client) else _lost_with(first, findings, session)
    sentence = fitted(_silence(first, session, client) or _cause(first, lost), MOST_WORDS)
    for more in _more(first, bad[1:], session, waiting):
        if word_count(sentence) + word_count(more) <= MOST_WORDS:
            return f"{sentence} {more}"
    return sentence


def _silence(first: Finding, session: Session, client: Recognised) -> str:
    """For a cause that makes an agent go silent without an error: say so."""
    silence = RULES[first.rule].silence
    if silence is None:
        return ""
    asked = session.listings.of["tools/list"].asked
    return silence.fill(
        {
            "client": plain_name(client.name) if client.name else "this client",
            "reaction": "asked all the same" if asked else "never asked",
        }
    )


def _cause(finding: Finding, lost: list[Request]) -> str:
    """What did not arrive, and why."""
    if not lost:
        return without_numbers(finding.headline)
    why = without_numbers(finding.brief)
    more = f" and {counted(len(lost) - 1, 'other answer')}" if len(lost) > 1 else ""
    verb = "returned" if lost[0].tool and not more else "arrived"
    return f"{capital(answer_of(lost[0]))}{more} never {verb}: {why}"


def _is_read(finding: Finding, client: Recognised) -> bool:
    """Whether this client, or each library that it may be built on, is known to read such a message."""
    known = reactions(finding.fault) if finding.fault is not None else {}
    rows = [client.client] if client.client is not None else client.libraries
    outcomes = [known[row.id].outcome if row.id in known else None for row in rows]
    return bool(outcomes) and all(outcome is not None and outcome.reads for outcome in outcomes)


def _lost_with(finding: Finding, findings: list[Finding], session: Session) -> list[Request]:
    """The requests whose answers never came because of it, or came in a form that nobody could read."""
    numbers = {finding.line, *finding.records}
    unreadable = [r for r in session.requests.in_state(UNREADABLE) if r.answer in numbers]
    if unreadable:
        ready = session.handshake.initialized
        # Who says that it is ready read the answer to initialize all the same, and reads others of that form.
        went_on = ready is not None and any(
            r.method in OPENERS and r.answer is not None and r.answer < ready.number for r in unreadable
        )
        return [] if went_on else unreadable
    follows = matching(RULES[finding.rule].explains) - {finding.rule}
    explained = {other.line for other in findings if other.rule in follows and other.loses_request}
    taken = explained | (numbers - {finding.line} if finding.loses_request else set())
    waiting = open_requests(session)
    own = next((r for r in waiting if r.number == finding.line), None)
    lost = [r for r in waiting if r.number in taken]
    if own is None or not lost:
        return lost
    # The finding is about one request that stayed open, and its like: so many are told as stayed open.
    return [own, *(r for r in waiting if r.channel == own.channel and r is not own)]


def _more(first: Finding, others: list[Finding], session: Session, waiting: list[Request]) -> list[str]:
    """What else there is to say, the most telling first; as much of it is said as there is room for."""
    said: list[str] = []
    if waiting and not session.ended and first.line not in {r.number for r in waiting}:
        said.append(
            f"{called(waiting[0])} still waits."
            if waiting[0].tool
            else f"{capital(answer_of(waiting[0]))} has not come yet."
        )
    follows = matching(RULES[first.rule].explains) | {first.rule}
    own = [f for f in others if f.rule not in follows]
    if own:
        said.append(f"Besides: {without_numbers(own[0].brief)}.")
        said.append(f"{capital(counted(len(own), 'more finding'))}.")
    elif any(f.rule != first.rule for f in others):
        said.append("All else follows from it.")
    return said


# --- waiting ---------------------------------------------------------------------------------


def _waiting(waiting: list[Request], session: Session, client: Recognised) -> str:
    by_client = [r for r in waiting if r.channel == CLIENT_TO_SERVER]
    asked = [r for r in waiting if r.channel == SERVER_TO_CLIENT and r.method != "ping"]
    first = (by_client or waiting)[0]
    more = f", as {'have' if len(by_client) > 2 else 'has'} {counted(len(by_client) - 1, 'more request')}"
    more = more if len(by_client) > 1 else ""
    since = f" {session.lasting(session.end_us - first.t_us)}" if session.timed else ""
    if session.ended:
        after = f", after{since}," if since else ""
        what, is_away = (called(first), "open") if first.tool else (capital(answer_of(first)), "missing")
        kind = "more request" if first.tool else "more answer"
        others = f" and {counted(len(waiting) - 1, kind)}" if len(waiting) > 1 else ""
        was = "were" if others else "was"
        sentence = f"{what}{others} {was} still {is_away}{after} when the client left."
    elif asked and by_client:
        question = asked[0]
        since = f" for {session.lasting(session.end_us - question.t_us)}" if session.timed else ""
        what = plain_name(question.method)
        name = called(first) if first.tool else capital(answer_of(first))
        sentence = f"{name} waits for the client, which has not answered {what}{since}."
    elif not by_client:
        sentence = f"The server has waited{since} for the client to answer {called(first)}."
    else:
        limit = _usual_limit(first, client)
        waits = f"{called(first)} has waited{since} for its answer"
        if not first.tool:
            waits = f"The client has waited{since} for {answer_of(first)}"
            more = f" and {counted(len(by_client) - 1, 'more answer')}" if more else ""
        sentence = f"{waits}{more}{limit}."
    sentence = fitted(sentence, MOST_WORDS)
    meanwhile = _meanwhile(first, session) if first in by_client and not asked else ""
    wrote = f' On stderr the server wrote: "{meanwhile}".' if meanwhile else ""
    return sentence + wrote if word_count(sentence + wrote) <= MOST_WORDS else sentence


def _meanwhile(request: Request, session: Session) -> str:
    """What the server wrote to stderr since the request, or since its start if that opens the session."""
    since = 0 if request.method in OPENERS else request.number
    telling = last_words([text for number, text in session.process.stderr if number > since]).telling
    return snippet(telling, 16, 120)


def _usual_limit(request: Request, client: Recognised) -> str:
    """How long the client at hand waits, or its library if its versions agree, as a clause."""
    known = reactions(Fault.NO_INITIALIZE_RESPONSE if request.method in OPENERS else Fault.NO_RESPONSE)
    if client.client is not None and client.client.id in known:
        return f"; {client.client.name} {known[client.client.id].words}"
    words = {known[library.id].words for library in client.libraries if library.id in known}
    if len(words) != 1 or client.interpreter:
        return ""
    return f"; the {client.libraries[0].name} {words.pop()}"


# --- failed calls ----------------------------------------------------------------------------


def _failed(session: Session, evidence: Evidence, remarks: list[Finding]) -> str:
    """Which calls came to nothing although no rule was broken; empty if none did."""
    failures = session.failures
    unfulfilled = [w for w in session.stateless.waits if not w.retried and session.ended and evidence.client]
    losses = session.losses.any or session.losses.outlined
    whole = evidence.client and not is_capture(evidence) and not is_cut(session, evidence) and not losses
    head = "Nothing is broken, but " if whole else ""
    if failures.calls:
        total = max(session.traffic.by_method.get(CALL, 0), failures.calls)
        failed = [f for f in failures.first if f.is_call]
        share = f"{failures.calls:,} of {total:,}" if failures.calls < total else f"all {total:,}"
        count = "the only call" if total == 1 else f"{share} calls"
    elif failures.others:
        failed = failures.first
        total = max(session.traffic.requests, failures.others)
        count = f"{failures.others:,} of {total:,} requests"
    elif unfulfilled:
        wait = unfulfilled[0]
        asked = f" ({wait.kinds[0]})" if wait.kinds else ""
        name = call_of(wait.method, wait.tool)
        sentence = f"{head}{name} asked for input{asked}, and the client never came back"
        return fitted(sentence, MOST_WORDS)
    elif remarks:
        what = remarks[0].brief if head else remarks[0].headline
        return fitted(head + without_numbers(what), MOST_WORDS)
    else:
        return ""
    each = {failure.request.tool or failure.number: _told(failure, session) for failure in reversed(failed)}
    told = [*reversed(each.values())]
    does = "came to nothing" if all(f.cancelled_us is not None for f in failed) else "failed"
    sentence = capital(f"{head}{count} {does}: {told[0]}")
    for other in told[1:]:
        if word_count(sentence) + word_count(other) > MOST_WORDS:
            break
        sentence += f"; {other}"
    return fitted(sentence, MOST_WORDS)


def _told(failure: Failure, session: Session) -> str:
    name, said = called(failure.request), snippet(telling_line(failure.text), 12, 80)
    quoted = f' ("{said}")' if said else ""
    if failure.cancelled_us is None:
        return f"{name}{quoted}"
    late = ", though it was answered" if failure.request.answer is not None else ""
    after = f" after {session.lasting(failure.cancelled_us)}" if session.timed else ""
    return f"the client cancelled {name}{after}{quoted}{late}"


# --- nothing is wrong, as far as can be seen -------------------------------------------------


def _without_messages(session: Session) -> str:
    """For a log that does not have the messages themselves: the failure that it tells, if any."""
    told = session.process.log_error
    if told is None:
        return "The messages themselves are not in this log, and it tells no error of the client"
    said = snippet(told.fields["text"], 16, 120)
    return f'The messages themselves are not in this log; an error that it tells: "{said}"'


def _unclear(session: Session, evidence: Evidence, waiting: list[Request]) -> str:
    """Why it can't be said that nothing is wrong; empty if it can."""
    traffic, losses = session.traffic, session.losses
    if not traffic.messages and losses.damaged and is_capture(evidence):
        return f"No line of it is MCP, of {losses.damaged.total():,}: what happened can't be told"
    if losses.damaged.total() > traffic.messages and is_capture(evidence):
        lines = traffic.messages + losses.damaged.total()
        return f"{traffic.messages:,} of {lines:,} lines are MCP: too few to say what happened"
    if not evidence.messages:
        return _without_messages(session)
    if not evidence.client:
        ended = f"; it ended with {session.process.ending}" if session.process.exit is not None else ""
        wrote = "" if traffic.lines else ", and it wrote no line to stdout"
        return f"Only the server's side was recorded{wrote}{ended}"
    if not evidence.server:
        return "Only the client's side was recorded: what the server answered was not seen"
    if not evidence.one_process:
        return (
            "Lines of several processes may stand in this log, and none tells whose it is: what became of "
            "each can't be told"
        )
    if not traffic.lines:
        if session.partial:
            return "What the two sides said is not in the recording"
        if session.ended:
            return "Nothing was said: neither side sent a single line"
        return "Nothing was said so far"
    if waiting:
        return _unknown_end(waiting[0], session, evidence)
    only = [channel for channel in (CLIENT_TO_SERVER, SERVER_TO_CLIENT) if channel in traffic.first_line]
    if len(only) == 1 and not evidence.whole:
        side = "client" if only == [CLIENT_TO_SERVER] else "server"
        return f"Only the {side}'s lines are here: what the other side said was not seen"
    if not session.handshake.done and not session.stateless.proven and not session.partial:
        return _no_session(session)
    facts = f" ({_facts(session)})"
    if losses.passed_over:
        return f"What was judged is in order{facts}, but not all records were"
    if losses.any and not is_capture(evidence):
        return f"What was recorded is in order{facts}, but records are missing"
    if losses.outlined:
        return f"What was judged is in order{facts}, but not all that large messages say was judged"
    if is_cut(session, evidence):
        return f"What was recorded is in order{facts}, but the recording ends in the middle"
    if is_capture(evidence) or session.partial:
        return f"What this capture shows is in order{facts}, but it does not show everything"
    return ""


def _unknown_end(request: Request, session: Session, evidence: Evidence) -> str:
    name = called(request)
    if session.losses.passed_over:
        return f"Not all records were judged; the answer to {name} may be among the others"
    if is_capture(evidence):
        return f"The capture shows no answer to {name}: if none came, that is why the agent waits"
    if is_cut(session, evidence):
        waited_us = session.end_us - request.t_us if session.timed else 0
        since = f", {session.lasting(waited_us)} after it was asked" if waited_us else ""
        if not request.tool:
            return f"{capital(answer_of(request))} had not come yet where the recording breaks off{since}"
        return f"{name} had no answer yet where the recording breaks off{since}"
    return f"Records are missing, among them perhaps the answer to {name}"


def _no_session(session: Session) -> str:
    if session.traffic.http2 is not None:
        return "The two sides spoke HTTP/2 over stdio, which is recorded and not judged"
    if session.handshake.initialize is None and session.stateless.discover is None:
        return "No session came about: the client sent neither initialize nor server/discover"
    if session.traffic.only_discover and session.stateless.discover is not None:
        if session.sibling:
            return ""
        return "Only a probe was seen: the client asked server/discover, was refused, and left"
    return "No session came about: the opening request was not accepted"


def _healthy(session: Session) -> str:
    so_far = "" if session.ended else " so far"
    if not session.handshake.done and not session.stateless.proven:
        return f"Nothing is wrong{so_far}: this start was a probe, and another one followed."
    return f"Nothing is wrong{so_far}: {_facts(session)}. {UNUSED if session.listings.tools else ''}".rstrip()


def _facts(session: Session) -> str:
    tools, calls = len(session.listings.tools), session.traffic.by_method.get(CALL, 0)
    listed = session.listings.of["tools/list"].answered
    if not listed and not calls:
        return "the client did not ask for tools"
    facts = []
    if listed and not tools and session.listings.of["tools/list"].newest is None:
        facts.append("the tools were listed")  # how many is not known
    elif listed:
        more = "more than " if session.listings.is_cut else ""
        facts.append(f"{more}{counted(tools, 'tool')} {'was' if tools == 1 else 'were'} listed")
    made = f"{counted(calls, 'call')} {'was' if calls == 1 else 'were'} made"
    facts.append(made if calls else "none was called")
    return ", ".join(facts)
