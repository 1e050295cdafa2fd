"""The agent of the demonstration: what it shows of a server, with real processes."""

import sys

import pytest
import trio

from mcptap.play.demo import agent
from mcptap.play.demo.agent import SERVER, Step, play

ANSWERS = "import sys; sys.stdin.readline(); print({answer!r}, flush=True); sys.stdin.read()"


def steps(command: list[str]) -> list[Step]:
    async def main() -> list[Step]:
        return [step async for step in play(command)]

    return trio.run(main)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch):
    monkeypatch.setattr(agent, "TIMEOUT_S", 0.3)
    monkeypatch.setattr(agent, "END_WAIT_S", 0.3)


def test_the_demonstration_goes_well_until_the_call_that_gets_no_answer(monkeypatch):
    monkeypatch.setattr(agent, "TIMEOUT_S", 30)

    async def main() -> list[Step]:
        found = []
        async for step in play([sys.executable, SERVER]):
            found.append(step)
            if step.action == "call warnings":
                monkeypatch.setattr(agent, "TIMEOUT_S", 0.1)  # for the answer that never comes
        return found

    assert [(step.action, step.result) for step in trio.run(main)] == [
        ("connect", "connected to demo-weather"),
        ("list tools", "forecast, warnings"),
        ("list prompts", "pack-my-bag"),
        ("call warnings", "No warnings for Oslo."),
        ("call forecast", None),
    ]


def test_with_a_server_that_never_answers_there_is_one_step_and_it_is_gone_afterwards():
    assert steps(python("import time; time.sleep(600)")) == [Step("connect", None)]


def test_with_a_server_that_ends_at_once_there_is_one_step():
    assert steps(python("")) == [Step("connect", None)]


@pytest.mark.parametrize("answer", ["no json", "[]", '{"id":1}', '{"id":"1","result":{}}'])
def test_what_is_no_answer_to_its_request_is_passed_over(answer):
    assert steps(python(ANSWERS.format(answer=answer))) == [Step("connect", None)]


def test_a_command_that_is_not_there_is_an_error():
    with pytest.raises(OSError, match="no-such-server"):
        steps(["no-such-server-7f3a"])
