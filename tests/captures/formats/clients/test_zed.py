"""Zed's log, beside the samples."""

from mcptap.recording.format.model import Line
from tests.captures.reading import read

HEAD = "2026-03-14T09:26:53+01:00 TRACE [context_server::client] "


def lines(*texts: str) -> list[Line]:
    return [i for i in read("".join(f"{HEAD}{text}\n" for text in texts))[1] if isinstance(i, Line)]


def test_what_can_not_be_used_is_told_once():
    told = ["recv: x", "Unhandled JSON from context_server: x", "Unhandled JSON from context_server: y"]
    assert [(line.channel, line.data) for line in lines(*told)] == [("s2c", b"x"), ("s2c", b"y")]


def test_what_the_transport_repeats_is_left_out():
    text = (
        f"{HEAD}outgoing message: {{}}\n" + HEAD.replace("::client", "::transport") + "outgoing message: {}\n"
    )
    assert len(read(text)[1]) == 1


def test_messages_are_unknown_where_nothing_was_traced():
    source, _ = read(f"{HEAD}context server stderr: x\n")
    assert not source.evidence.messages
    assert read(f"{HEAD}recv: {{}}\n")[0].evidence.messages


def test_how_the_server_was_started_is_told_and_that_the_log_may_break_off():
    start = f'{HEAD}starting context server (executable="/opt/a b\\"", args=["x, y"])\n'
    source, _ = read(start + f"{HEAD}recv: {{}}\n")
    assert (source.evidence.whole, source.header.argv) == (False, ['/opt/a b"', "x, y"])
