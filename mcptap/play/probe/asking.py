"""The session of the hard questions: asked one by one, in a fresh process when one ends the server."""

from __future__ import annotations

from collections.abc import Collection

from mcptap.play.client.connection import Connection, connect
from mcptap.play.client.persona import request_meta
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.probe.questions import questions
from mcptap.play.probe.verdict import Grade, Question, Verdict, judge

MAX_STARTS = 5
"""How often a server that questions end or stop from answering is started for the rest of them."""


async def ask_questions(
    progress: ProbeProgress, stateless: bool, wrong_arguments: Collection[str] = ()
) -> None:
    """Ask all questions of this era, and add the verdicts to the result.

    `wrong_arguments` are the names of the tools that are to be called with arguments they refuse.
    """
    section = "questions (2026-07-28)" if stateless else "questions"
    meta = request_meta() if stateless else None
    server, ordinary = progress.description(stateless), progress.ordinary_method(stateless)
    todo = list(questions(server, meta, ordinary, wrong_arguments))
    for _ in range(MAX_STARTS):
        async with connect(progress.settings, section) as connection:
            progress.note_session(connection)
            if await progress.open(connection, stateless, section, "the rest") is None:
                return
            await _ask_while_it_answers(progress, connection, todo, section)
        if not todo:
            return
    why = f"the server had to be started {MAX_STARTS} times"
    progress.result.add(section, f"{len(todo)} more", Grade.SKIPPED, why)


async def _ask_while_it_answers(
    progress: ProbeProgress, connection: Connection, todo: list[Question | Verdict], section: str
) -> None:
    """Ask, and take what was asked off the list, until it is empty or the server answers no more."""
    answers = True
    while todo and answers:
        asked = todo.pop(0)
        if isinstance(asked, Question):
            verdict, answers = await _ask(progress, connection, asked)
        else:
            verdict = asked
        progress.result.verdicts.setdefault(section, []).append(verdict)
    if answers:
        await progress.end_input(connection, section, "end of input after all that")


async def _ask(progress: ProbeProgress, connection: Connection, question: Question) -> tuple[Verdict, bool]:
    """The verdict, and whether the server still answers an ordinary request behind it."""
    begin = len(connection.received)
    connection.note_question(question.name)
    progress.result.calls += question.calls_tool
    await connection.send(question.data)
    response = None
    if question.key is not None:
        limit_s = progress.settings.call_s if question.calls_tool else None
        response = await connection.response_to(question.key, begin, limit_s)
    # Whatever comes without being asked for comes before the response to a request behind it.
    behind = await progress.request_something_ordinary(connection)
    if behind is not None:
        connection.note_question()
    end = len(connection.received) if behind is None else connection.received.index(behind)
    others = [m for m in connection.received[begin:end] if m is not response]
    verdict = judge(question, response, others, connection.ended)
    if behind is None and not connection.ended and verdict.grade is not Grade.BAD:
        verdict = Verdict(question.name, Grade.BAD, "after it, the server answers nothing any more")
    return verdict, behind is not None
