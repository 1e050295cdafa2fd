"""JSON lines that name the sender of each line."""

import json

import pytest

from mcptap.recording.format.model import RecordingError
from tests.captures.reading import INITIALIZE, lines, read


def test_tagged_lines_keep_their_exact_text():
    text = "\n".join(
        json.dumps({"dir": side, "raw": raw})
        for side, raw in [("s2c", "\ufeffStarting"), ("c2s", INITIALIZE), ("stderr", "loading"), ("s2c", "")]
    )
    assert lines(text) == [
        (1, "s2c", "\ufeffStarting".encode()),
        (2, "c2s", INITIALIZE.encode()),
        (3, "stderr", b"loading"),
        (4, "s2c", b""),
    ]


def test_a_direction_that_depends_on_who_wrote_it_is_refused():
    with pytest.raises(RecordingError, match="does not tell the sender"):
        read(json.dumps({"dir": "out", "raw": INITIALIZE}))
