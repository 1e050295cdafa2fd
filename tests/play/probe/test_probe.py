"""The probe against servers of its own, all of them real processes."""

from __future__ import annotations

import os

import pytest
import trio

from mcptap.clients.client import StopStep
from mcptap.diagnosis.engine.finding import Level
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.allowed import Allowed, ToolCall
from mcptap.play.probe.probe import probe
from mcptap.play.probe.questions import UNKNOWN_TOOL
from mcptap.play.probe.report.findings import findings_of
from mcptap.play.probe.verdict import Grade
from mcptap.play.server.launch import Launch
from mcptap.play.server.process_tree import all_processes
from tests.play.probing import LETTER, SMALL, client_lines, grades, probed


def test_a_server_to_the_letter_passes_every_question(tmp_path):
    calls = ToolCall("add", {"a": 1, "b": 2}), ToolCall("wait", {}, cancel=True)
    result = probed(LETTER, tmp_path, Allowed(calls, wrong_arguments=("add",)))
    odd = [v for s in result.verdicts.values() for v in s if v.grade not in (Grade.FINE, Grade.SKIPPED)]
    assert odd == []
    assert [f.finding for f in findings_of(result.sessions) if f.finding.level > Level.INFO] == []
    assert result.server is not None
    assert [r["name"] for r in result.server.lists["resources"]] == ["c", "d", "e"]
    assert grades(result)["wait, cancelled"] is Grade.FINE
    assert grades(result)["add"] is Grade.FINE
    assert grades(result)["add without its arguments"] is Grade.FINE
    assert result.calls == 3


def test_nothing_that_may_act_is_sent_unless_asked_for(tmp_path):
    result = probed(LETTER, tmp_path)
    asked = [m for m in client_lines(result) if isinstance(m, dict)]
    tools = {m["params"]["name"] for m in asked if m.get("method") == "tools/call"}
    assert tools == {UNKNOWN_TOOL}
    assert {m.get("method") for m in asked} - {"tools/call"} == {
        "initialize",
        "server/discover",
        "notifications/initialized",
        "notifications/cancelled",
        "notifications/mcptap/no-such-thing",
        "mcptap/no-such-method",
        "ping",
        "tools/list",
        "resources/list",
        "resources/templates/list",
    }
    assert result.calls == 0
    left_out = {v.question for v in result.verdicts["calls"] if v.grade is Grade.SKIPPED}
    assert left_out == {"a call", "cancellation of a call", "wrong arguments", "reading resources"}


def test_a_server_that_answers_nothing_is_told_so_without_questions(tmp_path):
    settings = ConnectionSettings(
        Launch([*SMALL, "silent"]), 0.3, 0.3, record=f"{tmp_path}{os.sep}", tell=pytest.fail
    )
    result = trio.run(probe, settings)
    assert grades(result)["initialize"] is Grade.BAD
    assert grades(result)["all questions"] is Grade.SKIPPED


def test_nothing_is_left_of_servers_that_ignore_the_end_and_term(tmp_path, monkeypatch):
    before = children()
    impatient = (StopStep("close", 0.2), StopStep("SIGTERM", 0.2, group=True))
    monkeypatch.setattr("mcptap.play.client.connection.STOP", impatient)
    result = probed([*SMALL, "deaf"], tmp_path)
    assert grades(result)["end of input"] is Grade.BAD
    assert children() <= before


def test_probes_in_a_row_leave_no_process_and_no_descriptor(tmp_path):
    probed(SMALL, tmp_path)
    descriptors, processes = len(os.listdir("/dev/fd")), children()
    for _ in range(5):
        probed(SMALL, tmp_path)
    assert len(os.listdir("/dev/fd")) == descriptors
    assert children() <= processes


def children() -> set[int]:
    return {p.pid for p in all_processes() if p.parent == os.getpid()}


def test_a_server_that_floods_is_given_up_and_named(tmp_path):
    result = probed([*SMALL, "floods"], tmp_path, start_s=5)
    assert "no answer" in {v.words for v in result.bad}
    assert "stdout-not-json" in {f.finding.rule for f in findings_of(result.sessions)}
