"""Servers of which each teaches one lesson: the one command for it, and the words that it must print.

And that a probe acts on nothing: a server whose tools write down that they were called.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from mcptap.commands import main
from tests.play.probing import LETTER

SERVERS = Path(__file__).parents[1] / "servers"
CLEAN = "nothing is wrong with what was asked; no tool was called."


def subject(*kind: str) -> list[str]:
    return [sys.executable, str(SERVERS / "subjects.py"), *kind]


@pytest.fixture
def told(capsys, tmp_path):
    """The exit status of a command of mcptap, and its text with single spaces."""

    def run(*words: str):
        status = main(list(words))
        return status, " ".join(capsys.readouterr().out.split())

    return run


# --- nothing acts ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("era", "options", "called"),
    [
        ("both", (), []),
        ("handshake", ("--as", "claude-code", "--json"), []),
        ("handshake", ("--call-read-only",), ["peek"]),
        ("stateless", ("--call", "send_mail", "{}"), ["send_mail"]),
        ("handshake", ("--cancel", "send_mail", "{}"), ["send_mail"]),
        ("handshake", ("--wrong-arguments", "delete_all"), ["delete_all"]),
    ],
    ids=["plain", "as", "read-only", "call", "cancel", "wrong arguments"],
)
def test_a_tool_runs_only_if_it_was_named(told, tmp_path, era, options, called):
    log = tmp_path / "log"
    log.touch()
    told("probe", "--no-record", "--timeout", "5", *options, "--", *subject(era, "log", str(log)))
    assert log.read_text().split() == called


# --- the lessons -----------------------------------------------------------------------------


def test_a_healthy_server_of_both_eras_is_told_so_and_that_no_tool_was_called(told):
    status, text = told("probe", "--no-record", "--", *subject("both", "scales"))
    assert status == 0
    assert "accepted: speaks 2026-07-28" in text
    assert "accepted: 2025-06-18" in text
    assert "nothing is wrong with what was asked" in text
    assert text.endswith("; no tool was called.")


def test_a_print_in_a_tool_shows_when_the_tool_is_called(told):
    server = subject("handshake", "scales", "print")
    status, text = told("probe", "--no-record", "--call", "scale_notes", "{}", "--", *server)
    assert status == 1
    assert "error: stdout-not-json" in text
    assert "Spelling F major" in text


def test_a_server_to_the_letter_has_nothing_to_mend(told):
    status, text = told("probe", "--no-record", "--", *LETTER)
    assert status == 0
    assert text.endswith(CLEAN)
    assert " bad " not in text
    assert " differs " not in text


def test_a_server_that_lists_less_in_another_folder_is_compared_with_home(told, tmp_path):
    (tmp_path / "notes.txt").touch()
    place = "--cwd", str(tmp_path)
    status, text = told("probe", "--no-record", "--as", "claude-desktop", *place, "--", *subject("folder"))
    assert status == 1
    assert "less than at home it lists no tools, and lacks today" in text
    assert "the working directory / makes the difference" in text


@pytest.mark.parametrize("era", ["handshake", "stateless"])
def test_a_server_that_declares_nothing_is_told_so_in_both_eras(told, era):
    status, text = told("probe", "--no-record", "--", *subject(era, "empty"))
    assert status == 0
    assert "declares nothing" in text
    assert "capability-none" in text
    assert "1 note" in text or "2 notes" in text


def test_a_contract_of_pages_reads_and_cancellation_is_kept(told):
    options = "--call-read-only", "--cancel", "wait", "{}"
    status, text = told("probe", "--no-record", *options, "--", *subject("contract"))
    assert status == 0
    assert "tools 2 on 2 pages: today, wait" in text
    assert "fine today a result: done" in text
    assert "fine wait, cancelled no answer to the call; the request behind it is answered" in text
    assert text.endswith("2 tool calls were made.")


def test_an_answer_to_what_was_cancelled_breaks_the_contract(told):
    status, text = told("probe", "--no-record", "--cancel", "wait", "{}", "--", *subject("answers"))
    assert status == 1
    assert "bad wait, cancelled the call was answered all the same" in text


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["true"], "this is no MCP server on stdio: it ended by itself (exit status 0)"),
        (["cat"], "this is no MCP server on stdio: it repeats the lines that it is sent."),
        (["ls", "--help"], "this is no MCP server on stdio: it wrote "),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_what_is_no_server_is_told_so(told, command, words):
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]}")
    status, text = told("probe", "--no-record", "--timeout", "0.2", "--start-timeout", "0.2", "--", *command)
    assert status == 1
    assert words in text


def test_check_judges_a_probe_s_recordings_as_the_probe_did(told, tmp_path):
    place = str(tmp_path / "r")
    assert told("probe", "--record", f"{place}/", "--", *LETTER)[0] == 0
    status, text = told("check", place)
    assert (status, "error" in text) == (0, False)
    headers = {path: json.loads(path.read_bytes().splitlines()[0]) for path in Path(place).iterdir()}
    questions = next(path for path, header in headers.items() if header["probe"] == "questions")
    status, text = told("check", str(questions))
    assert status == 0
    assert text.startswith("Nothing is wrong: ")
    assert "a session of mcptap probe: questions" in text
    _, text = told("show", str(questions))
    assert "mcptap probe asks: a line that is not JSON" in text
