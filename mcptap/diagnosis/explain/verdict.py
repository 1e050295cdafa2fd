"""The findings in one or two sentences."""

from __future__ import annotations

from mcptap.clients.recognition import Recognised
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.registry import RULES, matching
from mcptap.diagnosis.explain.wording import capital, quote
from mcptap.protocol.model.session import Session

NOTHING = "Nothing is wrong on the wire."
REMAINS = (
    "If the agent still does not use a tool, look elsewhere: the model did not choose it, its "
    "description does not say when to, or the client filters or defers it."
)


def verdict(findings: list[Finding], session: Session, client: Recognised) -> str:
    """What went wrong, or that nothing did and what that leaves."""
    bad = [f for f in findings if f.level > Level.INFO and not f.design]
    if not bad:
        remarks = [f for f in findings if f.level > Level.INFO and f.design]
        return f"{NOTHING} But as to the tools: {_sentence(remarks[0])}" if remarks else _clean(session)
    first = bad[0]
    sentence = _silence(first, session, client) or _sentence(first)
    return f"{sentence} {_rest(first, bad[1:])}"


def _clean(session: Session) -> str:
    """Nothing was found: say what the recording holds, since an empty one proves no healthy server."""
    if not session.traffic.lines:
        if session.partial:
            return "What the two sides said is not in the recording."
        if session.ended:
            return "Nothing was said: neither side sent a single line."
        return "Nothing was said so far."
    if not session.handshake.done and not session.stateless.proven:
        return f"{NOTHING} But no session came about: {_opening(session)}."
    tools, calls = len(session.listings.tools), session.traffic.by_method.get("tools/call", 0)
    if not session.listings.of["tools/list"].answered and not calls:
        return f"{NOTHING} The client did not ask for tools."
    facts = []
    if session.listings.of["tools/list"].answered:
        facts.append("one tool was listed" if tools == 1 else f"{tools or 'no'} tools were listed")
    facts.append(
        "none was called"
        if not calls
        else "one call was made"
        if calls == 1
        else f"{calls:,} calls were made"
    )
    return f"{NOTHING} {capital(', and '.join(facts))}. {REMAINS}"


def _opening(session: Session) -> str:
    if session.handshake.initialize is None and session.stateless.discover is None:
        return "the client sent neither initialize nor server/discover"
    return (
        "the opening request has no answer yet"
        if not session.ended
        else "the opening request was not accepted"
    )


def _silence(first: Finding, session: Session, client: Recognised) -> str:
    """For a cause that makes an agent go silent without an error: say so."""
    silence = RULES[first.rule].silence
    if silence is None:
        return ""
    asked = session.listings.of["tools/list"].asked
    return silence.fill(
        {
            "client": quote(client.name, 40) or "this client",
            "reaction": "asked all the same" if asked else "never asked",
        }
    )


def _sentence(finding: Finding) -> str:
    text = finding.message.rstrip()
    if finding.count > 1:
        text = text.rstrip(".") + f" ({finding.count} times)."
    return text


def _rest(first: Finding, others: list[Finding]) -> str:
    """What else was found: consequences of the first finding, and other causes."""
    follows = matching(RULES[first.rule].explains) | {first.rule}
    own = [f for f in others if f.rule not in follows]
    if not others:
        return "Nothing else is wrong."
    if not own:
        same = others[0].rule == first.rule
        return "There is more of the same kind." if same else "All else follows from it."
    kinds = len({f.rule for f in own})
    aside = (
        ", though it cost no request"
        if first.loses_request and RULES[own[0].rule].about_pollution and not own[0].loses_request
        else ""
    )
    if kinds == 1:
        return f"Besides{aside}: {own[0].brief}."
    return f"Besides, {kinds} more kinds of findings, the worst{aside}: {own[0].brief}."
