"""Which revision a mock agrees to."""

import pytest

from mcptap.play.mock.negotiation import negotiated
from mcptap.play.mock.server_script import Reaction, Write
from mcptap.protocol.model.message import Message, classify
from mcptap.recording.format.model import Line
from tests.play.tape import as_line, request


def said(content) -> Message:
    return classify(Line(1, "c2s", as_line(content).rstrip(b"\n"), b"\n", 0, 0, 0))


def answered(version, asked):
    """The data of the answer, recorded for 2025-06-18, and the note."""
    data = b'{"result": { "protocolVersion":"%s","x":1},"id":1}\n' % version.encode()
    noise = Write(0, "stderr", b"ready\n")
    opening = said(request(1, "initialize", protocolVersion="2025-06-18"))
    reaction = Reaction(opening, steps=[noise, Write(0, "s2c", data, (), True)])
    steps, note = negotiated(reaction, said(request(2, "initialize", protocolVersion=asked)))
    assert steps[0] is noise
    return steps[1].data, note


@pytest.mark.parametrize(
    ("recorded", "asked", "agreed"),
    [
        ("2025-06-18", "2024-11-05", "2024-11-05"),
        ("2025-06-18", "2025-06-18", "2025-06-18"),
        ("2025-06-18", "2025-11-25", "2025-06-18"),
        ("2025-06-18", "2026-07-28", "2025-06-18"),
        ("2025-06-18", "2020-01-01", "2025-06-18"),
        ("2025-03-26", "2024-11-05", "2025-03-26"),
        ("2025-06-18", 7, "2025-06-18"),
    ],
)
def test_an_older_revision_if_the_recorded_one_was_agreed_to(recorded, asked, agreed):
    data, note = answered(recorded, asked)
    assert data == b'{"result": { "protocolVersion":"%s","x":1},"id":1}\n' % agreed.encode()
    assert bool(note) == (agreed != recorded)


def test_other_requests_are_no_matter_of_it():
    reaction = Reaction(said(request(1, "x", protocolVersion="2025-06-18")))
    assert negotiated(reaction, said(request(1, "x", protocolVersion="2024-11-05"))) == ([], "")
