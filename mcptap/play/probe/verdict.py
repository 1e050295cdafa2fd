"""A question to a server, and the verdict on what came back."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mcptap.protocol.model.message import BATCH, MESSAGES, RESPONSE, Message


class Grade(Enum):
    """How an answer is judged."""

    FINE = "fine"
    DIFFERS = "differs"
    """Not to the letter, but no client suffers."""
    BAD = "bad"
    """Counts as a finding."""
    SKIPPED = "not tried"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one question, in words."""

    question: str
    grade: Grade
    words: str


@dataclass(frozen=True, slots=True)
class Question:
    """One line to send, and how each kind of answer is to be judged.

    `key` is the id whose answer is waited for; without one the line asks for no answer, and
    what comes until the next ordinary request is answered is taken for it.
    """

    name: str
    data: bytes
    key: str | None = None
    right_codes: frozenset[int] = field(default_factory=frozenset)
    """Error codes that are right."""
    error: Grade = Grade.DIFFERS
    """Any other error."""
    result: Grade = Grade.BAD
    tool_error: Grade = Grade.BAD
    """A result with `isError`."""
    silence: Grade = Grade.BAD
    expectation: str = ""
    """What is expected, in words for somebody who has to mend the server."""
    calls_tool: bool = False
    """Whether it calls a tool that the server lists."""


def judge(question: Question, response: Message | None, others: list[Message], gone: bool) -> Verdict:
    """The verdict on what came: the response with the question's id, and what came besides.

    `gone` says that the server has ended.
    """
    stray = [m for m in others if m.kind not in MESSAGES and m.kind != BATCH]
    if question.key is None and response is None:
        response = next((m for m in others if m.kind in (RESPONSE, BATCH)), None)
    if stray:
        words = f"it writes {_shown(stray[0])} on stdout, which no client can read"
        return Verdict(question.name, Grade.BAD, words)
    if response is None:
        if gone:
            return _verdict(question, Grade.BAD, "the server ended")
        return _verdict(question, question.silence, "no answer")
    if response.kind == BATCH:
        return _verdict(question, question.result, "an array of answers")
    error = response.error
    if isinstance(error, dict):
        code = error.get("code")
        grade = Grade.FINE if code in question.right_codes else question.error
        return _verdict(question, grade, f"error {code}, {_cut(str(error.get('message')))}")
    result = response.result
    if isinstance(result, dict) and result.get("isError") is True:
        return _verdict(question, question.tool_error, f"a result with isError{text_of(result)}")
    return _verdict(question, question.result, f"a result{text_of(result)}")


def _verdict(question: Question, grade: Grade, words: str) -> Verdict:
    if grade is not Grade.FINE and question.expectation:
        words += f" (expected: {question.expectation})"
    return Verdict(question.name, grade, words)


def text_of(result: Any) -> str:
    """The first text in the result of a tool, cut to a line, behind a colon; empty if there is none."""
    content = result.get("content") if isinstance(result, dict) else None
    for block in content if isinstance(content, list) else ():
        text = block.get("text") if isinstance(block, dict) else None
        if isinstance(text, str) and text.strip():
            return f": {_cut(text)}"
    return ""


def _shown(message: Message) -> str:
    return f'"{_cut(message.line.data.decode(errors="backslashreplace"))}"'


def _cut(text: str, length: int = 80) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
