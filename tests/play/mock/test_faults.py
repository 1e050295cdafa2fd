"""Each fault is named by its rule: the stand-in is played in a time of its own, and `check` judges."""

from __future__ import annotations

import heapq
import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from mcptap.diagnosis.catalogue import rules_for
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.problems import findings_in
from mcptap.play.mock.faults import FAULTS, FaultInjection
from mcptap.play.mock.mock import Mock, Planned
from mcptap.play.mock.server_script import Exit, Write, script_of
from tests.play.tape import INITIALIZE, INITIALIZED, Tape, add, as_line, healthy, request

CLIENT = [INITIALIZE, INITIALIZED, request(2, "tools/list"), add(3, 1, 2), add(4, 2, 2)]
PATIENCE_MS = 70_000


class Play:
    """A client that waits for each answer for 70 s at most, and a mock, in a time of their own."""

    def __init__(self, mock: Mock) -> None:
        self.tape = Tape()
        self._mock = mock
        self._planned: list[tuple[int, int, Write | Exit]] = []
        self._order = count()
        self._input_ended = False
        self._server_ended = False

    def run(self) -> Tape:
        self._plan(self._mock.start())
        for message in CLIENT:
            self.tape.client(message)
            self._plan(self._mock.receive(as_line(message)))
            self._wait(for_answer="id" in message)
            if self._server_ended:
                return self.tape
        self.tape.eof("c2s")
        self._input_ended = True
        self._planned.clear()
        self._plan(self._mock.end_of_input())
        self._wait(for_answer=False)
        return self.tape

    def _plan(self, actions: list[Any]) -> None:
        for action in actions:
            assert isinstance(action, Planned)
            due = self.tape.at + action.step.after_us // 1000
            heapq.heappush(self._planned, (due, next(self._order), action.step))

    def _wait(self, for_answer: bool) -> None:
        """Let happen what is due, and if an answer is waited for, what is due until it comes."""
        limit = self.tape.at + PATIENCE_MS
        while self._planned and not self._server_ended:
            due, _, step = self._planned[0]
            if due > (limit if for_answer else self.tape.at):
                break
            heapq.heappop(self._planned)
            self.tape.at = max(self.tape.at, due)
            self._do(step)
            for_answer = for_answer and not (isinstance(step, Write) and step.is_answer)
        if for_answer:
            self.tape.at = limit

    def _do(self, step: Write | Exit) -> None:
        if isinstance(step, Write):
            self.tape.server(step.data)
            return
        self._server_ended = True
        if not self._input_ended:
            self.tape.eof("s2c").eof("c2s")
        self.tape.event("exit", code=step.code, us=self.tape.at * 1000)


def played(folder: Path, fault: FaultInjection | None) -> list[Finding]:
    script = script_of(healthy().items(folder / "healthy.jsonl"))
    mock = Mock(script, faults=[] if fault is None else [fault])
    found = findings_in(str(Play(mock).run().write(folder / "played.jsonl")))
    assert not mock.unused_faults
    return found


def test_without_a_fault_there_is_nothing_to_find(tmp_path):
    assert [f for f in played(tmp_path, None) if f.level > Level.INFO and not f.design] == []


@pytest.mark.parametrize("name", FAULTS)
def test_check_names_the_fault(tmp_path, name):
    fault = FAULTS[name].fault
    rules = {rule.id for rule in rules_for(fault)}
    found = played(tmp_path, FaultInjection(FAULTS[name]))
    assert rules & {f.rule for f in found}
    # The fault is one fault: nothing else above info follows from it.
    assert {f.rule for f in found if f.level > Level.INFO and not f.design} <= rules


@pytest.mark.parametrize("name", ["dropped-answer", "pretty-printed", "long-line"])
def test_a_fault_can_be_put_on_one_method_only(tmp_path, name):
    script = script_of(healthy().items(tmp_path / "healthy.jsonl"))
    mock = Mock(script, faults=[FaultInjection(FAULTS[name], method="tools/call")])
    listed = mock.receive(as_line(request(2, "tools/list")))
    assert json.loads(listed[0].step.data)["id"] == 2
    assert mock.unused_faults
    mock.receive(as_line(add(3, 1, 2)))
    assert not mock.unused_faults
    # One answer is changed, not every one.
    assert json.loads(mock.receive(as_line(add(4, 2, 2)))[0].step.data)["id"] == 4


def test_a_long_line_is_the_same_answer(tmp_path):
    script = script_of(healthy().items(tmp_path / "healthy.jsonl"))
    plain = Mock(script).receive(as_line(add(3, 1, 2)))[0].step.data
    long = (
        Mock(script, faults=[FaultInjection(FAULTS["long-line"])]).receive(as_line(add(3, 1, 2)))[0].step.data
    )
    assert len(long) > 10 << 20
    assert json.loads(long) == json.loads(plain)


def test_the_delay_can_be_chosen(tmp_path):
    script = script_of(healthy().items(tmp_path / "healthy.jsonl"))
    fault = FaultInjection(FAULTS["delayed-answer"], delay_us=2_000_000)
    assert Mock(script, faults=[fault]).receive(as_line(add(3, 1, 2)))[0].step.after_us == 2_000_000


def test_several_faults_all_count_whatever_their_order(tmp_path):
    script = script_of(healthy().items(tmp_path / "tape.jsonl"))
    names = ["duplicate-answer", "crlf", "pollution-glued", "error-null"]
    mock = Mock(script, faults=[FaultInjection(FAULTS[name]) for name in names])
    lines = [action.step.data for action in mock.receive(as_line(add(3, 1, 2)))]
    assert len(lines) == 2
    for line in lines:
        assert line.startswith(b"Server ready")
        assert b'"error":null' in line
        assert line.endswith(b"\r\n")
    assert mock.unused_faults == []


def test_a_fault_that_takes_an_answer_away_leaves_the_next_one_to_the_others(tmp_path):
    script = script_of(healthy().items(tmp_path / "tape.jsonl"))
    faults = [FaultInjection(FAULTS[name], "tools/call") for name in ("wrong-id-type", "dropped-answer")]
    mock = Mock(script, faults=faults)
    assert mock.receive(as_line(add(3, 1, 2))) == []
    assert mock.unused_faults == ["wrong-id-type"]
    (answer,) = mock.receive(as_line(add(4, 1, 2)))
    assert b'"id":"4"' in answer.step.data.replace(b" ", b"")
    assert mock.unused_faults == []


def test_a_fault_that_finds_no_answer_left_is_not_used(tmp_path):
    script = script_of(healthy().items(tmp_path / "tape.jsonl"))
    mock = Mock(script, faults=[FaultInjection(FAULTS[n], "tools/call") for n in ("null-field", "bom")])
    mock.receive(as_line(add(3, 1, 2)))
    assert mock.unused_faults == ["null-field"]
