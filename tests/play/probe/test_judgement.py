"""What a client makes of what a server wrote, by what is known of it."""

from __future__ import annotations

import pytest

from mcptap.clients.client import Client, Opening
from mcptap.clients.faults import Fault
from mcptap.clients.table import CLIENTS
from mcptap.play.probe.client_report import ClientOutcome, ClientReport
from mcptap.play.probe.judgement import Judgement, dropped, forgiven
from mcptap.protocol.model.message import Flaw, Message, classify
from mcptap.recording.format.model import Line


def judged(client: Client) -> tuple[Judgement, ClientReport]:
    seen = ClientReport(client, ClientOutcome.LISTED)
    return Judgement(client, seen), seen


def received(*lines: bytes) -> list[Message]:
    return [classify(Line(n, "s2c", data, b"\n", 0, 0, 0)) for n, data in enumerate(lines, 4)]


def test_a_client_ignores_messages_with_flaws_for_which_it_waits():
    assert Flaw.EXTRA_MEMBER in dropped(CLIENTS["claude-code"])
    assert Flaw.EXTRA_MEMBER not in dropped(CLIENTS["codex"])
    assert Flaw.RESULT_AND_ERROR not in dropped(CLIENTS["python-sdk-1"]), "it takes the error"


def test_a_client_reads_lines_with_faults_that_it_does_not_mind():
    assert forgiven(CLIENTS["python-sdk-2"]) == {Fault.NOT_A_NUMBER}
    assert forgiven(CLIENTS["typescript-sdk-1"]) == {Fault.INVALID_UTF8}
    assert Fault.BYTE_ORDER_MARK in forgiven(CLIENTS["codex"])


@pytest.mark.parametrize(
    ("client", "version", "why"),
    [
        ("gemini-cli", "2025-11-25", "which Gemini CLI does not take"),
        ("claude-code", "2099-01-01", "Claude Code fails to initialize"),
        ("cline", "2026-07-28", "its library, if it is the TypeScript SDK, throws and closes the connection"),
        ("cursor", "2099-01-01", "what Cursor does is not known"),
    ],
)
def test_a_revision_that_a_client_does_not_take_ends_it(client, version, why):
    judgement, seen = judged(CLIENTS[client])
    opening = CLIENTS[client].opening.value or Opening("2025-11-25")
    assert not judgement.takes_revision(opening, version)
    assert seen.outcome is ClientOutcome.DISCONNECTED
    assert why in seen.why
    assert seen.doubtful is (client in ("cline", "cursor"))


@pytest.mark.parametrize(("client", "version"), [("codex", "2099-01-01"), ("gemini-cli", "2024-11-05")])
def test_a_revision_that_a_client_takes_lets_it_go_on(client, version):
    judgement, seen = judged(CLIENTS[client])
    opening = CLIENTS[client].opening.value
    assert opening is not None
    assert judgement.takes_revision(opening, version)
    assert seen.outcome is ClientOutcome.LISTED


def test_a_line_that_is_no_message_does_what_is_known_of_that_client():
    judgement, seen = judged(CLIENTS["gemini-cli"])
    judgement.judge_lines(received(b"{}", b"up", b'{"x":NaN}'), connected_at=0)
    assert seen.outcome is ClientOutcome.DISCONNECTED
    assert 'record 5 on stdout is not JSON ("up")' in seen.why
    judgement, seen = judged(CLIENTS["opencode"])
    judgement.judge_lines(received(b"up", b'{"x":NaN}'), connected_at=None)
    assert seen.outcome is ClientOutcome.LISTED
    assert len(seen.remarks) == 1


def test_bytes_that_are_no_text_end_the_reading_of_python():
    judgement, seen = judged(CLIENTS["python-sdk-1"])
    judgement.judge_lines(received(b'{"a":"\xe9"}'), connected_at=0)
    assert seen.outcome is ClientOutcome.DISCONNECTED
    assert "record 4 on stdout is not UTF-8; Python SDK 1.30.0 raises UnicodeDecodeError" in seen.why
