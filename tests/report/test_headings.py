"""What a line is, in a few words; how they look in a transcript its own tests show."""

from __future__ import annotations

import pytest

from mcptap.captures.evidence import COMPLETE
from mcptap.protocol.model.session import Session
from mcptap.recording.format.model import Line
from mcptap.report.headings import heading
from tests.helpers import as_bytes, call, error, text_result


def said(*steps):
    session = Session()
    for number, (channel, content) in enumerate(steps, 2):
        data = as_bytes(content).rstrip(b"\n")
        message = session.feed(Line(number, channel, data, b"\n", number * 1_000, number * 1_000, 0))
    found = heading(message, session, COMPLETE)
    return found.head, found.mark, found.mark_style


ASKED = ("c2s", call(1, "forecast"))


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([ASKED], ("tools/call forecast #1", "", "warning")),
        ([ASKED, ("s2c", text_result(1, "x"))], ("tools/call forecast #1 (1.0 ms)", "", "warning")),
        (
            [ASKED, ("s2c", text_result(1, "x", True))],
            ("tools/call forecast #1 (1.0 ms)", "isError", "error"),
        ),
        ([ASKED, ("s2c", error(1, -1, "no"))], ("tools/call forecast #1 (1.0 ms)", "ERROR", "error")),
        ([("s2c", text_result(9, "x"))], ("answer #9", "WAS NEVER ASKED", "warning")),
        ([("s2c", b"hello")], ("", "NOT JSON:", "error")),
        ([("s2c", b"")], ("", "EMPTY LINE", "error")),
        ([("s2c", b"[1,2]")], ("batch of 2", "", "warning")),
        ([("stderr", b"x")], ("", "", "warning")),
    ],
)
def test_of_each_kind_of_line(steps, expected):
    assert said(*steps) == expected
