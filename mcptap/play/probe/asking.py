"""The session of the hard questions: asked one by one, in a fresh process when one ends the server."""

from __future__ import annotations

from mcptap.play.client.connection import Connection, connect
from mcptap.play.client.opening import request_meta
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.probe.questions import questions
from mcptap.play.probe.result import ProbedSession
from mcptap.play.probe.verdict import Grade, Question, Verdict, judge

MAX_STARTS = 5
"""How often a server that questions end or stop from answering is started for the rest of them."""


async def ask_questions(progress: ProbeProgress, stateless: bool) -> None:
    """Ask all questions of this era, and add the verdicts to the result."""
    section = "questions (2026-07-28)" if stateless else "questions"
    meta = request_meta() if stateless else None
    todo = list(questions(progress.description(stateless), meta, progress.ordinary_method(stateless)))
    for _ in range(MAX_STARTS):
        async with connect(progress.settings, section) as connection:
            session = progress.note_session(connection)
            if await progress.open(connection, stateless, section, "the rest") is None:
                return
            await _ask_while_it_answers(progress, connection, todo, section, session)
        if not todo:
            return
    why = f"the server had to be started {MAX_STARTS} times"
    progress.result.add(section, f"{len(todo)} more", Grade.SKIPPED, why)


async def _ask_while_it_answers(
    progress: ProbeProgress,
    connection: Connection,
    todo: list[Question | Verdict],
    section: str,
    session: ProbedSession,
) -> None:
    """Ask, and take what was asked off the list, until it is empty or the server answers no more."""
    answers = True
    while todo and answers:
        asked = todo.pop(0)
        if isinstance(asked, Question):
            verdict, answers = await _ask(progress, connection, asked, session)
        else:
            verdict = asked
        progress.result.verdicts.setdefault(section, []).append(verdict)
    session.counts = answers
    if answers:
        await progress.end_input(connection, section, "end of input after all that")


async def _ask(
    progress: ProbeProgress, connection: Connection, question: Question, session: ProbedSession
) -> tuple[Verdict, bool]:
    """The verdict, and whether the server still answers an ordinary request behind it."""
    begin = len(connection.received)
    session.bad_lines.add(question.data.rstrip(b"\r\n"))
    await connection.send(question.data)
    response = None
    if question.key is not None:
        response = await connection.response_to(question.key, begin)
    # Whatever comes without being asked for comes before the response to a request behind it.
    behind = await progress.request_something_ordinary(connection)
    end = len(connection.received) if behind is None else connection.received.index(behind)
    others = [m for m in connection.received[begin:end] if m is not response]
    session.provoked.update(m.number for m in others)
    if response is not None:
        session.provoked.add(response.number)
    verdict = judge(question, response, others, connection.ended)
    if behind is None and not connection.ended and verdict.grade is not Grade.BAD:
        verdict = Verdict(question.name, Grade.BAD, "after it, the server answers nothing any more")
    return verdict, behind is not None
