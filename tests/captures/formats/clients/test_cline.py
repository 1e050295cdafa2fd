"""Cline's output channel, beside the samples."""

from mcptap.recording.format.lines import BEGINS
from tests.captures.reading import read


def test_what_servers_wrote_and_what_was_rejected_is_told_and_the_rest_passed_over():
    text = (
        'Server "a" info: INFO up\nTransport error for "a": SyntaxError: Unexpected token \'h\', "harbour da"'
        "... is not valid JSON\nFailed to fetch tools for a: timeout\nsomething else\n"
    )
    source, items = read(text)
    assert [getattr(item, "known", "-") for item in items] == ["", BEGINS, "-"]
    assert (source.header.name, source.passed_over) == ("a", 1)
