"""The terminal of the MCP Inspector, beside the samples."""

import pytest

from mcptap.recording.format.model import Event, Line, RecordingError
from tests.captures.reading import read

HEAD = "New STDIO connection request\n"


def test_a_line_that_was_no_json_is_told_and_its_stack_left_out():
    said = "SyntaxError: Unexpected token 'a', \"abc\" is not valid JSON"
    error = f"Error from MCP server: {said}\n    at JSON.parse\n"
    items = read(HEAD + error)[1]
    assert [(type(item), item.number) for item in items] == [(Event, 1), (Line, 2)]
    assert items[1].data == b"abc"


def test_a_command_that_could_not_be_started_is_a_failed_start():
    text = "STDIO transport: command=uvz, args=a,b\nError in /stdio route: Error: spawn uvz ENOENT\n"
    source, items = read(HEAD + text)
    assert items[2].fields["errno"] == 2
    assert source.header.argv == ["uvz", "a", "b"]


def test_one_such_line_makes_no_terminal():
    with pytest.raises(RecordingError, match="is no capture"):
        read("Error from MCP server: SyntaxError: x\nand so on\n")
