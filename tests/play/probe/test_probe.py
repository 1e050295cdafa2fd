"""The probe against servers of its own, all of them real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from mcptap.clients.faults import Fault
from mcptap.clients.table import CLIENTS
from mcptap.commands import main
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.findings import findings_of, is_excused
from mcptap.play.probe.probe import probe
from mcptap.play.probe.result import ProbedSession, ProbeResult
from mcptap.play.probe.tool_calls import ToolCall
from mcptap.play.probe.verdict import Grade
from mcptap.play.server.launch import Launch
from mcptap.play.server.process_tree import all_processes
from mcptap.play.server.stop import StopStep
from mcptap.recording.format.model import Line
from mcptap.recording.reader import Reader
from tests.helpers import Tape

HERE = Path(__file__).parents[1]
LETTER = [sys.executable, str(HERE / "letter_server.py")]
SMALL = [sys.executable, str(HERE / "small_server.py")]


def probed(argv: list[str], folder: Path, calls: list[ToolCall] | None = None, **options: Any) -> ProbeResult:
    settings = ConnectionSettings(
        Launch(argv), timeout_s=20, start_s=30, record=f"{folder}{os.sep}", tell=pytest.fail
    )
    return trio.run(partial(probe, settings, calls or [], **options))


def grades(result: ProbeResult) -> dict[str, Grade]:
    return {v.question: v.grade for section in result.verdicts.values() for v in section}


def client_lines(result: ProbeResult) -> list[Any]:
    sent = []
    for session in result.sessions:
        with Reader(session.path) as reader:
            sent += [i.value for i in reader.items() if isinstance(i, Line) and i.channel == "c2s"]
    return sent


def test_a_server_to_the_letter_passes_every_question(tmp_path):
    calls = [ToolCall("add", {"a": 1, "b": 2}), ToolCall("wait", {}, cancel=True)]
    result = probed(LETTER, tmp_path, calls)
    odd = [v for s in result.verdicts.values() for v in s if v.grade not in (Grade.FINE, Grade.SKIPPED)]
    assert odd == []
    assert [f.finding for f in findings_of(result.sessions) if f.finding.level > Level.INFO] == []
    assert result.server is not None
    assert [r["name"] for r in result.server.lists["resources"]] == ["c", "d", "e"]
    assert grades(result)["wait, cancelled"] is Grade.FINE
    assert grades(result)["add"] is Grade.FINE


def test_no_tool_is_called_with_valid_arguments_unless_asked_for(tmp_path):
    calls = [
        m
        for m in client_lines(probed(LETTER, tmp_path))
        if isinstance(m, dict) and m.get("method") == "tools/call"
    ]
    known = [m["params"] for m in calls if m["params"]["name"] in ("add", "wait")]
    assert known == [{"name": "add", "arguments": {}}]


def test_a_server_that_a_question_ends_is_asked_the_rest_in_a_fresh_process(tmp_path):
    result = probed([*SMALL, "dies-of-noise"], tmp_path)
    assert grades(result)["a line that is not JSON"] is Grade.BAD
    assert grades(result)["an unknown tool"] is Grade.DIFFERS
    assert "end of input after all that" in grades(result)
    # The verdict says it; the findings do not say it again.
    assert [f.finding.rule for f in findings_of(result.sessions) if f.counts] == []


def test_a_server_that_hangs_over_a_question_is_asked_the_rest_in_a_fresh_process(tmp_path):
    settings = ConnectionSettings(
        Launch([*SMALL, "hangs-over-noise"]), 0.5, 20, record=f"{tmp_path}{os.sep}", tell=pytest.fail
    )
    result = trio.run(probe, settings)
    verdicts = {v.question: v for v in result.verdicts["questions"]}
    assert verdicts["a line that is not JSON"].words == "after it, the server answers nothing any more"
    assert verdicts["an unknown method"].grade is Grade.FINE
    assert [f.finding.rule for f in findings_of(result.sessions) if f.counts] == []


def test_a_server_of_the_stateless_revision_alone_is_not_blamed_for_that(tmp_path):
    result = probed([*SMALL, "stateless"], tmp_path)
    assert result.bad == []
    assert [f.finding.rule for f in findings_of(result.sessions) if f.counts] == []
    assert grades(result)["initialize"] is Grade.DIFFERS
    assert grades(result)["a request of an unknown revision"] is Grade.FINE
    assert result.server is not None
    assert result.server.is_stateless


def test_a_server_that_answers_no_ping_is_not_said_to_hang_over_every_question(tmp_path):
    settings = ConnectionSettings(
        Launch([*SMALL, "deaf-to-ping"]), 0.5, 20, record=f"{tmp_path}{os.sep}", tell=pytest.fail
    )
    result = trio.run(probe, settings)
    assert [v.question for v in result.bad] == ["ping"]


def test_an_answer_to_a_notification_is_bad_whoever_asked(tmp_path):
    result = probed([*SMALL, "answers-notifications"], tmp_path)
    assert grades(result)["a notification"] is Grade.BAD
    assert grades(result)["an unknown notification"] is Grade.BAD


def test_noise_on_stdout_is_not_excused_by_a_bad_line(tmp_path):
    result = probed([*SMALL, "shouts-at-noise"], tmp_path)
    assert grades(result)["a line that is not JSON"] is Grade.BAD
    assert "stdout-not-json" in [f.finding.rule for f in findings_of(result.sessions) if f.counts]


def test_a_server_that_answers_nothing_is_told_so_without_questions(tmp_path):
    settings = ConnectionSettings(
        Launch([*SMALL, "silent"]), 0.3, 0.3, record=f"{tmp_path}{os.sep}", tell=pytest.fail
    )
    result = trio.run(probe, settings)
    assert grades(result)["initialize"] is Grade.BAD
    assert grades(result)["all questions"] is Grade.SKIPPED


def test_nothing_is_left_of_servers_that_ignore_the_end_and_term(tmp_path, monkeypatch):
    before = children()
    impatient = (StopStep("close", 0.2), StopStep("SIGTERM", 0.2))
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


@pytest.mark.parametrize(
    ("finding", "excused"),
    [
        (Finding("request-unanswered", Level.ERROR, 5, "", records=[5], side="server"), True),
        (Finding("request-unanswered", Level.ERROR, 6, "", records=[6], side="server"), False),
        (Finding("request-unanswered", Level.ERROR, 5, "", records=[5, 6], side="server"), False),
        (Finding("id-null", Level.ERROR, 6, "", records=[6], side="client"), True),
        (
            Finding("x", Level.ERROR, 5, "", records=[5], side="server", fault=Fault.NOT_JSON),
            False,
        ),
        (Finding("tools-list-empty", Level.WARNING, None, "", side="server"), False),
    ],
)
def test_a_finding_is_excused_only_if_the_probe_provoked_all_of_it(finding, excused):
    assert is_excused(finding, ProbedSession("x", "questions"), {5}) is excused


def test_the_command_prints_json_and_its_status_says_whether_all_is_well(tmp_path, capsys, monkeypatch):
    from mcptap.commands.probe import main

    arguments = ["--json", "--record", f"{tmp_path}/", "--"]
    assert main([*arguments, *SMALL]) == 0
    good = json.loads(capsys.readouterr().out)
    assert good["server"]["info"]["name"] == "small"
    assert main([*arguments, *SMALL, "greets"]) == 1
    bad = json.loads(capsys.readouterr().out)
    assert "stdout-not-json" in [f["rule"] for f in bad["findings"]]


def test_a_server_is_probed_as_a_recording_says_it_was_started(tmp_path, capsys):
    from mcptap.commands.probe import main

    (tmp_path / "small_data.txt").write_text("here")
    env = {"names": ["MY_API_KEY", "PATH"], "values": {"MY_API_KEY": "x", "PATH": os.environ["PATH"]}}
    argv = [*SMALL, "needs-key", "needs-file"]
    with Tape(tmp_path / "old.jsonl", argv=argv, cwd=str(tmp_path), env=env):
        pass
    arguments = ["--json", "--record", f"{tmp_path}/new/", "--like", str(tmp_path / "old.jsonl")]
    assert main(arguments) == 0
    assert main([*arguments, "--as", "codex"]) == 1
    _, told = json.loads(f"[{capsys.readouterr().out.replace('}' + chr(10) + '{', '},{')}]")
    assert "MY_API_KEY" in told["client"]["cause"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "--like"),
        (["--as", "no-such-client", "--", "x"], "--as list"),
        (["--call", "add", "[1]", "--", "x"], "JSON object"),
        (["--call", "add", "{", "--", "x"], "no JSON"),
        (["--env", "X", "--", "x"], "NAME=VALUE"),
        (["--", "no-such-command-at-all"], "no-such-command-at-all"),
    ],
)
def test_what_cannot_be_probed_is_one_sentence(tmp_path, capsys, arguments, word):

    assert main(["probe", "--record", f"{tmp_path}/", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert word in err


def test_every_client_is_listed(capsys):
    from mcptap.commands.probe import main

    assert main(["--as", "list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(CLIENTS)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_probe_ends_its_server_and_says_so_in_a_sentence(tmp_path, number):
    command = [sys.executable, "-m", "mcptap", "probe", "--record", f"{tmp_path}/r/", "--", *SMALL, "silent"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        server = wait_for_server_of(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert out == b""
    assert err.count(b"\n") == 1
    assert server not in {p.pid for p in all_processes()}


def wait_for_server_of(probe: subprocess.Popen[bytes]) -> int:
    """The pid of the server, once it runs: before that, and for others, a child looks like the probe."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and probe.poll() is None:
        for child in [p.pid for p in all_processes() if p.parent == probe.pid]:
            try:
                words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[1:2] == [SMALL[1].encode()]:
                return child
    raise AssertionError("no server came")


def test_a_server_that_floods_is_given_up_and_named(tmp_path):
    result = probed([*SMALL, "floods"], tmp_path)
    assert "no answer" in {v.words for v in result.bad}
    assert "stdout-not-json" in {f.finding.rule for f in findings_of(result.sessions)}


def test_sessions_that_could_not_be_recorded_are_not_called_clean(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["probe", "--record", f"{tmp_path}/file/", "--", *LETTER]) == 1
    shown = capsys.readouterr().out
    assert "sessions that could not be recorded were not judged." in shown
    assert "nothing is wrong" not in shown
