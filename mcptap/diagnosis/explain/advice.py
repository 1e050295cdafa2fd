"""What whoever waits can do now, before any rule speaks: where to look for what a request waits for."""

from __future__ import annotations

from collections.abc import Sequence

from mcptap.diagnosis.explain.launchers import launch_hint
from mcptap.diagnosis.explain.wording import plain_name
from mcptap.protocol.model.request import Request
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import ASK_PERSONS, OPENERS
from mcptap.wire import CLIENT_TO_SERVER


def advice(waiting: Sequence[Request], session: Session) -> str:
    """A sentence about the oldest request that waits; empty if the session is over."""
    if session.ended or not waiting:
        return ""
    questions = [r for r in waiting if r.channel != CLIENT_TO_SERVER and r.method != "ping"]
    if questions:
        method = plain_name(questions[0].method)
        if questions[0].method in ASK_PERSONS:
            return f"Look at the client: {method} may stand there as a question to you."
        return f"It is the client that has to answer {method}, or to refuse it."
    own = [r for r in waiting if r.channel == CLIENT_TO_SERVER]
    if not own:
        return ""
    first, process = own[0], session.process
    is_opening = first.method in OPENERS
    if is_opening and session.header is not None and not process.stderr:
        hint = launch_hint(session.header.argv, ended=False)
        if hint:
            return f"{hint}."
    since = 0 if is_opening else first.number
    written = [number for number, text in process.stderr if number > since and text.strip()]
    if written:
        return f"The server wrote to stderr since: see record {written[-1]:,}, its last line."
    if is_opening:
        return "Nothing came on stderr: start the server by hand, and see what it waits for."
    where = f"the handler of `{plain_name(first.tool)}`" if first.tool else plain_name(first.method)
    return f"Nothing came on stderr since: look in the server at what {where} waits for."
