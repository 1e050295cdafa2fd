"""Servers and clients side by side, as a table and as JSON."""

from __future__ import annotations

import io
import json

import pytest

from mcptap.diagnosis.engine.finding import Level
from mcptap.masking.masker import Masker
from mcptap.play.probe.client_report import ClientOutcome
from mcptap.play.side_by_side.table import MANY, as_json, different, lines, summary
from mcptap.text.terminal import Terminal
from tests.play.side_by_side.trials import trial

PIPE = Terminal(io.StringIO(), {})


def told(*trials, masker=None):
    return "\n".join(lines(trials, PIPE, masker))


def test_a_server_that_could_not_be_started_was_not_judged() -> None:
    row = told(trial(outcome=ClientOutcome.FAILED, tools=[], why="no such program")).splitlines()[1]
    assert row.split()[2:5] == ["no", "-", "-"]


def test_clients_of_one_server_are_rows():
    text = told(
        trial(client="codex"), trial(client="zed", outcome=ClientOutcome.HUNG, tools=[], why="no answer")
    )
    head, codex, zed, *rest = text.splitlines()
    assert head.split() == ["CLIENT", "CONNECTS", "TOOLS", "PROBLEMS", "WHAT", "IS", "DIFFERENT"]
    assert codex.split() == ["Codex", "yes", "2", "none", "nothing"]
    assert zed.split() == ["Zed", "no", "-", "none", "no", "answer"]
    assert rest[1] == "Zed: hung: no answer"
    assert rest[-1] == "2 sessions played; 1 with something wrong; no tool was called."


def test_servers_of_one_client_are_rows_without_its_name():
    text = told(trial("one"), trial("two", skipped="disabled"))
    head, one, two, *rest = text.splitlines()
    assert head.split()[:2] == ["SERVER", "CONNECTS"]
    assert one.split() == ["one", "yes", "2", "none", "nothing"]
    assert two.split() == ["two", "not", "tried", "-", "-", "disabled"]
    assert rest[-1].startswith("1 session played, 1 not tried; nothing is wrong with what was asked")
    assert "no tool was called" in rest[-1]


def test_both_are_named_where_both_differ():
    text = told(trial("one"), trial("two", client="codex", less="it lists no tools", cause="the cwd"))
    assert text.split("\n")[0].split()[:2] == ["SERVER", "CLIENT"]
    assert "it lists no tools; the cwd" in text
    assert "two as Codex: 2 tools: a, b\n  less    it lists no tools\n  cause   the cwd\n" in text


def test_what_many_are_not_tried_for_is_told_once():
    text = told(trial("one"), *(trial(f"s{n}", skipped="reached by HTTP") for n in range(MANY)))
    assert text.count("reached by HTTP") == 1
    assert "not tried, reached by HTTP: s0 as Claude Code, s1 as " in text


def test_findings_fail_a_row_and_are_told_without_their_secrets():
    text = told(trial("one", level=Level.ERROR), trial("two", level=Level.INFO), masker=Masker())
    assert "error   stdout-not-json (record 7): A print of ‹masked:" in text
    assert "sk-ant" not in text
    assert "Remedy: Leave it." in text
    assert text.count("stdout-not-json") == 1
    assert "2 sessions played; 1 with something wrong; no tool was called." in text


@pytest.mark.parametrize(
    ("client", "facts", "words"),
    [
        ("claude-code", {}, "nothing"),
        ("rust-sdk", {}, "nothing; its working directory and environment not known"),
        ("codex", {"outcome": ClientOutcome.NO_TOOLS, "tools": [], "why": "it lists none"}, "it lists none"),
        ("codex", {"outcome": ClientOutcome.FAILED, "why": "no such file", "cause": "the cwd"}, "the cwd"),
    ],
)
def test_what_is_different_is_the_cause_where_there_is_one(client, facts, words):
    assert different(trial(client=client, **facts)) == words


def test_a_row_says_nothing_of_a_client_that_drives_the_terminal():
    assert "\x1b" not in told(trial("\x1b[2J", outcome=ClientOutcome.FAILED, why="\x1b[2J"), trial("x"))


def test_json_has_what_the_table_has():
    rows = [trial("one", level=Level.ERROR), trial("two", skipped="disabled")]
    told = json.loads(json.dumps(as_json(rows)))
    assert told["ok"] is False
    one, two = told["sessions"]
    assert (one["server"], one["client"], one["connects"], one["tools"]) == (
        "one",
        "claude-code",
        True,
        ["a", "b"],
    )
    assert one["findings"][0]["rule"] == "stdout-not-json"
    assert two == {
        "server": "two",
        "client": "claude-code",
        "config": None,
        "line": None,
        "skipped": "disabled",
    }
    assert as_json([trial("one")])["ok"] is True


def test_a_sum_names_how_many_were_played():
    wrong = summary([trial("x", level=Level.WARNING)], 2)
    assert wrong == "1 session played; 1 with something wrong; 2 tool calls were made."
    assert summary([trial("x")], 1).endswith("opening and lists; 1 tool call was made.")
