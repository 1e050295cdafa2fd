"""The log of the C# SDK, beside the samples."""

from mcptap.recording.format.model import Event, Line
from tests.captures.reading import read

TRACE = "trce: ModelContextProtocol.Client.StdioClientTransport[1]\n      "


def test_apostrophes_in_a_message_do_not_end_it():
    text = f"{TRACE}Client (a) transport sending message. Message: '{{\"method\":\"it's'.\"}}'.\n"
    assert [item.data for item in read(text)[1]] == [b'{"method":"it\'s\'."}']


def test_lines_of_another_end_are_not_of_this_session():
    both = (
        f"{TRACE}Client (a) transport received message. Message: '1'.\n"
        f"{TRACE}Server (a) transport sending message. Message: '1'.\n"
    )
    assert [(item.number, item.channel) for item in read(both)[1]] == [(2, "s2c")]


def test_a_failure_without_its_line_is_told_with_the_first_character_if_the_library_says_it():
    info = "info: ModelContextProtocol.Client.StdioClientTransport[1]\n"
    failed = f"{info}      Client (a) transport message parsing failed.\n"
    first = "      System.Text.Json.JsonException: 'h' is an invalid start of a value.\n"
    told = read(f"{failed}{first}{failed}")[1]
    assert [(type(item), item.number) for item in told] == [(Line, 2), (Event, 5)]
    assert told[0].data == b"h"
