"""What `mcptap send` would start and send, without doing it."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcptap.play.client.client_script import ClientLine, ClientScript
from mcptap.play.send import transcript
from mcptap.text.escape import visible
from mcptap.text.terminal import Terminal
from mcptap.text.units import counted
from mcptap.wire import CLIENT_TO_SERVER

if TYPE_CHECKING:
    from mcptap.masking.masker import Masker
    from mcptap.play.server.relaunch import Relaunch


def show(script: ClientScript, plan: Relaunch, masker: Masker, cut: int | None) -> None:
    """Print it; on a terminal the lines are cut to its width."""
    terminal = Terminal(sys.stdout)
    for line in lines(script, plan, masker, cut):
        print(terminal.fit(line))


def lines(script: ClientScript, plan: Relaunch, masker: Masker, cut: int | None) -> Iterator[str]:
    """The command with its folder, and each line of the client with its record number; secrets are masked."""
    launch = plan.launch
    masker.learn(launch.argv)
    yield visible(f"would start {shlex.join(launch.shown)}")
    yield visible(f"  in {launch.cwd or os.getcwd()}")
    if launch.env is not None:
        yield f"  with the recorded environment ({counted(len(launch.env), 'variable')})"
    if plan.is_strange:
        yield "  once you have said yes: the recording was not made here, and it says what to start"
    if plan.needed:
        yield visible(f"  once it has the values of {', '.join(masked.words for masked in plan.needed)}")
    yield f"and would send {counted(len(script.entries), 'line')}:"
    for entry in script.entries:
        line = entry.line if isinstance(entry, ClientLine) else entry.message.line
        if_asked = "" if isinstance(entry, ClientLine) else "  (when the server asks)"
        text = masker.line(CLIENT_TO_SERVER, line.data).decode(errors="backslashreplace")
        yield f"{line.number:>6} {transcript.SENT} {visible(transcript.shorten(text, cut))}{if_asked}"
