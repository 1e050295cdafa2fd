"""The transcript on stdout, as it grows."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from mcptap.play.send import transcript
from mcptap.text.terminal import Terminal
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR, split_terminator

if TYPE_CHECKING:
    from mcptap.masking.masker import Masker
    from mcptap.play.server.stop import Exit
    from mcptap.recording.format.model import Line


class Printer:
    """Prints the transcript as it grows. A reader that has gone away is no error here.

    `masker` is for what passes; None shows it as it is.
    """

    def __init__(self, cut: int | None, quiet: bool, masker: Masker | None = None) -> None:
        self._cut = cut
        self._gone = quiet
        self._masker = masker
        self._terminal = Terminal(sys.stdout)

    def sent(self, data: bytes) -> None:
        """Print what goes to the server."""
        content, end = split_terminator(data)
        self._print(transcript.sent(self._masked(CLIENT_TO_SERVER, content) + end, self._cut))

    def received(self, line: Line) -> None:
        """Print a line of the server's stdout; pass one of its stderr on."""
        data = self._masked(line.channel, line.data)
        if line.channel == STDERR:
            os.write(2, data + line.eol)
        else:
            self._print(transcript.received(data, line.eol, self._cut))

    def ended(self, end: Exit) -> None:
        """Print how the server ended."""
        self._print(transcript.ended(end))

    def _masked(self, channel: str, data: bytes) -> bytes:
        assert channel in (CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR)
        return data if self._masker is None else self._masker.line(channel, data)

    def _print(self, text: str) -> None:
        if self._gone:
            return
        try:
            for line in text.split("\n"):
                sys.stdout.write(self._terminal.fit(line) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            self._gone = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
