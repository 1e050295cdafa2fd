"""What `script` wrote down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.formats.system.typescript import plain
from mcptap.recording.format.model import Event, Line, RecordingError
from tests.captures.reading import ANSWER, INITIALIZE, read

STARTED = 'Script started on 2026-03-14 09:26:53+00:00 [TERM="xterm"]\n'


def test_messages_are_lines_and_the_rest_of_the_terminal_is_told():
    text = (
        f"{STARTED}\x1b[?2004h$ node x.js\r\n{INITIALIZE}\r\n\x1b[?2004l\r{INITIALIZE}\r\n"
        f"\x1b[32mServer ready\x1b[0m\r\n{ANSWER}\r\n^C\r\nScript done on 2026-03-14 [done]\n"
    )
    source, items = read(text)
    assert [type(item) for item in items] == [Event, Line, Event, Line, Event]
    assert [item.channel for item in items if isinstance(item, Line)] == ["c2s", "s2c"]
    assert [item.fields["text"] for item in items if isinstance(item, Event)] == [
        "$ node x.js",
        "Server ready",
        "^C",
    ]
    assert not source.evidence.framing


def test_a_terminal_without_messages_is_refused():
    with pytest.raises(RecordingError, match="none of its lines is a message"):
        read(f"{STARTED}$ ls\r\nREADME.md\r\n")


@given(
    st.text(st.characters(exclude_categories=["C"]), max_size=30),
    st.sampled_from(["\x1b[31m", "\x1b[2K", "\r"]),
)
def test_colours_are_taken_off_and_text_stays(text: str, control: str):
    assert plain(f"{control}{text}{control}\r".encode()) == text.encode().strip()
