"""Gemini CLI's debug log, beside the samples."""

from mcptap.recording.format.lines import BEGINS
from tests.captures.reading import read

HEAD = "[2026-03-14T09:26:53.589Z] "


def test_stderr_goes_on_over_lines_without_a_time():
    text = f"{HEAD}[DEBUG] [MCP STDERR (harbour)]: one\n  two\n{HEAD}[LOG] Flushing events.\n"
    source, items = read(text)
    assert [(item.channel, item.data) for item in items] == [("stderr", b"one"), ("stderr", b"  two")]
    assert (source.header.name, source.passed_over) == ("harbour", 1)


def test_a_line_that_was_no_json_is_known_by_its_beginning():
    said = "MCP ERROR (harbour): SyntaxError: Unexpected token 'L', \"Loaded 65 \"... is not valid JSON"
    (item,) = read(f"{HEAD}[ERROR] {said}\n")[1]
    assert (item.channel, item.data, item.known) == ("s2c", b"Loaded 65 ", BEGINS)
