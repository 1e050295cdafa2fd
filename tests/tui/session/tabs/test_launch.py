"""The launch page: what the tap wrote about the start stands there."""

from __future__ import annotations

from mcptap.recording.format.decode import decode_header
from mcptap.shim.launch import Launch
from mcptap.tui.session.tabs.launch import launch_lines


def test_the_page_says_what_the_streams_of_the_tap_were() -> None:
    kinds = ["pipe", "socket", "null"]
    written = Launch([b"server"], None, {}, "server", stdio=kinds).header(locked=True)
    pieces = [piece for line in launch_lines(decode_header(written), [], 200) for piece in line.pieces]
    shown = "".join(text for text, _ in pieces)
    assert ", stdin pipe, stdout socket, stderr null" in shown


def test_the_page_says_that_the_clients_side_was_a_terminal() -> None:
    launch = Launch([b"server"], None, {}, "server")
    launch.unrecorded = ["c2s"]
    lines = launch_lines(decode_header(launch.header(locked=True)), [], 200)
    shown = "".join(text for line in lines for text, _ in line.pieces)
    assert "the client's side was not recorded: it was a terminal" in shown
