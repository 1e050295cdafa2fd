"""What is said of a server that pollutes, crashes or has to be killed."""

import pytest

from mcptap.masking.masker import Masker
from mcptap.play.client.client_script import ClientScript
from mcptap.play.send.actions import Outcome
from mcptap.play.send.player import PlayResult
from mcptap.play.send.troubles import bad_end, pollution
from mcptap.play.server.stop import Exit
from mcptap.recording.format.model import Event, Line


def played(end=None, *stray: bytes, signals=()):
    outcome = Outcome(pollution=[Line(1, "s2c", data, b"\n", 0, 0, 0) for data in stray])
    return PlayResult(outcome, end or Exit(0, None), {}, signals=signals)


def ended(**fields):
    return ClientScript([], end=Event(9, "exit", 0, 0, {"k": "exit", **fields}))


def test_lines_that_are_no_messages_are_counted_and_the_first_quoted_masked():
    assert pollution(played(), Masker()) == ""
    one = pollution(played(None, b"token=s3cr3t0123456789abc"), Masker())
    assert "1 line on stdout that is no message" in one
    assert "s3cr3t" not in one
    assert '"a", "b" and 1 more' in pollution(played(None, b"a", b"b", b"c"), Masker())


@pytest.mark.parametrize(
    ("end", "signals", "words"),
    [
        (Exit(0, None), (), ""),
        (Exit(3, None), (), "ended with exit code 3"),
        (Exit(None, "SIGSEGV"), (), "was killed by SIGSEGV"),
        (Exit(None, "SIGTERM"), ("SIGTERM",), ""),
        (Exit(143, None), ("SIGTERM",), ""),
        (Exit(None, "SIGKILL"), ("SIGTERM", "SIGKILL"), "had to be killed"),
    ],
)
def test_an_end_is_bad_only_if_the_recorded_one_was_not(end, signals, words):
    result = played(end, signals=signals)
    assert words in bad_end(result, ClientScript([]))
    assert bool(bad_end(result, ClientScript([]))) == bool(words)
    assert bool(bad_end(result, ended(code=0))) == bool(words)
    assert bad_end(result, ended(code=1)) == bad_end(result, ended(signal="SIGKILL")) == ""
