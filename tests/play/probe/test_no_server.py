"""What is said of a command that answers nothing."""

import pytest

from mcptap.play.probe.no_server import Silence
from mcptap.play.server.stop import Exit
from mcptap.protocol.model.message import classify
from mcptap.recording.format.model import Line

NONE = "this is no MCP server on stdio"
BEFORE = "before it answered anything"


def line(content):
    return classify(Line(1, "s2c", content, b"\n", 0, 0, 0))


@pytest.mark.parametrize(
    ("stdout", "stderr", "echoed", "end", "words"),
    [
        (
            [],
            [],
            0,
            Exit(0, None),
            f"{NONE}: it ended by itself (exit status 0) {BEFORE}",
        ),
        (
            [b"usage: git [-v | --version]", b"", b"start a working area"],
            [],
            0,
            Exit(1, None),
            f'{NONE}: it wrote 2 lines that are no messages to stdout ("usage: git [-v | --version]") and '
            f"ended by itself (exit status 1) {BEFORE}",
        ),
        (
            [b"{", b'  "id": 1'],
            [],
            0,
            Exit(0, None),
            f"{NONE}: it wrote 2 lines that are no messages to stdout (\"'id': 1\") and ended by itself "
            f"(exit status 0) {BEFORE}",
        ),
        ([], [], 3, None, f"{NONE}: it repeats the lines that it is sent"),
        (
            [],
            [],
            0,
            None,
            "this may be no MCP server on stdio: it answered neither server/discover nor initialize within "
            "60 s",
        ),
        (
            [],
            ["Traceback (most recent call last):", "ModuleNotFoundError: No module named 'mcp'"],
            0,
            Exit(1, None),
            f"no session came about: it ended by itself (exit status 1) {BEFORE}; on stderr it "
            "wrote \"ModuleNotFoundError: No module named 'mcp'\"",
        ),
        (
            [],
            [],
            0,
            Exit(None, "SIGSEGV"),
            f"{NONE}, or one that failed in silence: it ended by itself (signal SIGSEGV) {BEFORE}",
        ),
        ([b'{"jsonrpc":"2.0","method":"notifications/message"}'], [], 0, None, ""),
    ],
    ids=["true", "help", "pretty", "cat", "sleep", "no module", "crash", "speaks"],
)
def test_a_command_that_answers_nothing_is_told_by_what_it_did(stdout, stderr, echoed, end, words):
    assert Silence([line(content) for content in stdout], stderr, echoed, end).words(60) == words
