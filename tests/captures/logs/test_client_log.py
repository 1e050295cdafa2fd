"""What clients' sentences tell of a process."""

import errno

import pytest

from mcptap.captures.evidence import COMPLETE
from mcptap.captures.logs.client_log import NOT_STARTED, ClientLog, code_of, said, stderr_lines
from mcptap.captures.sections import Section
from mcptap.recording.format.model import Event

AT = (7, 1000, 2000)


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("spawn npx ENOENT", "ENOENT"),
        ("A system error occurred (spawn npx ENOENT)", "ENOENT"),
        ("spawn C:\\Program Files\\sea\\harbour.exe EACCES", "EACCES"),
        ("spawn UNKNOWN", "UNKNOWN"),
        ("Connection failed after 5ms: spawn harbour ENOENT", "ENOENT"),
    ],
)
def test_a_command_that_could_not_be_started_is_known_by_its_code(sentence: str, code: str):
    found = NOT_STARTED.search(sentence)
    assert found is not None
    assert found["code"] == code
    (event,) = ClientLog(COMPLETE, "Sea")._not_started(AT, sentence)
    assert isinstance(event, Event)
    assert event.kind == "spawn"
    assert event.fields["errno"] == getattr(errno, code, 0)


@pytest.mark.parametrize("sentence", ["the harbour spawned an EAGLE", "respawn later", "Starting npx"])
def test_other_sentences_tell_of_no_failed_start(sentence: str):
    assert NOT_STARTED.search(sentence) is None


def test_a_session_ends_once():
    log = ClientLog(COMPLETE, "Sea")
    (event,) = log._closed(AT, by_server=True)
    assert isinstance(event, Event)
    assert event.kind == "exit"
    assert not {"code", "signal"} & event.fields.keys()
    assert log._closed(AT, by_server=False) == []
    assert log._exited(AT, code=1) == []
    assert log._not_started(AT, "spawn npx ENOENT") == []


def test_of_two_processes_nobody_knows_which_one_ended():
    log = ClientLog(COMPLETE, "Sea")
    log.only(Section(0, 9, "harbour", shared=True))
    assert log.header.name == "harbour"
    assert log._closed(AT, by_server=True) == []


def test_an_error_that_the_client_made_is_no_answer():
    assert code_of("MCP error -32602: no such harbour") == -32602
    assert code_of("MCP error -32000: Connection closed") is None
    assert code_of("MCP error -32001: Request timed out") is None
    assert code_of("no such harbour") is None


def test_stderr_is_given_line_by_line():
    assert [line.data for line in stderr_lines(AT, "one\r\n\ntwo\n")] == [b"one", b"", b"two"]


def test_only_odd_levels_are_told():
    assert "level" not in said(AT, "all is well", "info").fields
    assert said(AT, " boom\n", "error").fields["text"] == "boom"
