"""A check as text for people."""

from __future__ import annotations

import io
import re

import pytest
from rich.cells import cell_len

from mcptap.captures.evidence import evidence_of
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.recording.format.model import Header
from mcptap.report.formats.text import summary, write
from mcptap.report.results import CheckedFile
from mcptap.text.terminal import Terminal
from tests.report.samples import EVIL, checked, foreign, results


def text(width: int = 0, colour: bool = False) -> str:
    terminal = Terminal(io.StringIO(), {})
    terminal.width, terminal.has_colour = width, colour
    return "\n".join(write(results(), terminal))


def test_the_text_opens_with_the_verdict_then_the_root_cause_and_ends_with_the_launch():
    shown = text()
    places = [
        shown.index(piece)
        for piece in (
            "The server does not declare tools; this client never asked.",
            "1 record took no part in this: it is not a JSON object.",
            "error: capability-undeclared-tools  records 3, 5, 9 and 4 more",
            "Effect: TypeScript 2.x clients never ask.",
            "Remedy: Declare capabilities.tools.",
            "warning: launch-cwd",
            "info: crlf  record 4",
            "Tool design",
            "warning: tool-error-as-text  record 8",
            "Ignored: blank-line (2)",
            "a/x.jsonl",
            "weather (weather 2.0)",
            "agent 1.2.3, started by agent",
            "python 'weather server.py'",
            "/usr/bin/python",
            "/home/someone/project",
        )
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("colour", [False, True])
def test_recorded_text_never_drives_a_terminal(colour):
    shown = text(80, colour)
    if colour:
        shown = re.sub(r"\x1b\[[0-9;]*m", "", text(80, colour).replace(EVIL, "EVIL"))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)


def test_there_is_no_colour_in_a_pipe():
    assert "\x1b" not in text()


def test_lines_keep_to_the_width():
    assert max(map(cell_len, text(60).splitlines())) <= 60


def test_a_foreign_capture_says_what_it_cannot_tell():
    lines = list(write(results(foreign()), Terminal(io.StringIO(), {})))
    assert lines[:2] == ["Only a part was seen.", "A capture without times."]
    assert "assumed   senders" in lines


def test_the_summary_counts_files_and_levels():
    assert summary(results(unusable=True)) == (
        "2 files, 1 error, 1 warning, 1 note, 1 remark on tool design, 1 unusable"
    )


def test_the_summary_counts_the_sessions_of_a_file_apart_from_files():
    one = [checked("a.log#1"), checked("a.log#2"), checked("b.jsonl")]
    assert summary(results(*one)).startswith("2 files, 3 sessions, ")


def test_of_several_files_a_clean_one_takes_a_line_and_a_summary_is_last():
    clean = checked("clean.jsonl")
    clean.findings = []
    clean.outcome = Outcome.HEALTHY
    waiting = checked("waiting.jsonl")
    waiting.findings = []
    waiting.outcome, waiting.verdict = Outcome.WAITING, "`forecast` waits."
    lines = list(write(results(checked(), clean, waiting), Terminal(io.StringIO(), {})))
    assert "a/x.jsonl" in lines
    assert "clean.jsonl: nothing found" in lines
    assert "waiting.jsonl: `forecast` waits." in lines
    assert lines[-1].startswith("3 files, 1 error")


@pytest.mark.parametrize(
    ("follows", "printed"), [("nobody reads it", "  Nobody reads it."), ("", "  Remedy: Mend it.")]
)
def test_a_finding_does_not_say_again_what_the_verdict_says(follows: str, printed: str):
    file = checked()
    message = f"Record 5 is torn{'; ' if follows else ''}{follows}."
    file.verdict = "Record 5 is torn. Besides: more."
    file.findings = [Finding("x", Level.ERROR, 5, message, remedy="Mend it.", follows=follows)]
    lines = list(write(results(file), Terminal(io.StringIO(), {})))
    at = lines.index("error: x  record 5")
    assert lines[at + 1] == printed


def test_a_finding_that_says_more_than_the_verdict_is_printed_whole():
    file = checked()
    file.verdict = "Record 5 is torn."
    file.findings = [Finding("x", Level.ERROR, 5, "Record 5 is torn in two; mend it.", follows="mend it")]
    assert "  Record 5 is torn in two; mend it." in write(results(file), Terminal(io.StringIO(), {}))


def test_a_client_whose_side_was_a_terminal_is_not_told_to_have_said_nothing():
    header = Header({"name": "server", "unrecorded": ["c2s"]})
    one = CheckedFile(
        "a.jsonl", header, evidence_of(header), "finished", "Only the server's side was recorded."
    )
    shown = "\n".join(write(results(one), Terminal(io.StringIO(), {})))
    assert "client    its name is not recorded" in shown
    assert not re.search("unknown|never named|no revision agreed", shown)
