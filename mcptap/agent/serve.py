"""The process of `mcptap mcp`: stdin and stdout, and the step from the handshake to work.

A client waits for `initialize` at each of its starts, and mostly calls nothing. So lines are answered one by
one, with nothing imported, until the first tool is called; then trio, the diagnosis and all else are, and
calls run beside each other from there on.
"""

from __future__ import annotations

import os
import sys

from mcptap.agent.conversation import Batch, Call, Conversation
from mcptap.agent.lines import LONGEST_LINE, READ_SIZE, Lines, write
from mcptap.agent.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Work = Callable[[Settings, Conversation, Call | Batch, Iterable[bytes | None], Lines, int], None]

ENDED = 0
NO_READER = 141
"""The exit statuses: the client closed our input; it no longer reads what we say."""


def serve(settings: Settings) -> int:
    """Serve until the client closes our input; returns the exit status."""
    _end_at_interrupts()
    out = _guarded_stdout()
    conversation, lines = Conversation(), Lines()
    try:
        while piece := os.read(0, READ_SIZE):
            waiting = lines.feed(piece)
            for line in waiting:
                if line is None:
                    write(out, conversation.too_long(LONGEST_LINE))
                    continue
                said = conversation.receive(line)
                if isinstance(said, Call | Batch):
                    work = _imported_work()
                    work(settings, conversation, said, [*waiting], lines, out)
                    os._exit(ENDED)  # to take apart what the answers imported takes a client's patience
                if isinstance(said, bytes):
                    write(out, said)
    except BrokenPipeError:
        return NO_READER
    except KeyboardInterrupt:
        return 130
    return ENDED


def _imported_work() -> Work:
    """All that works on calls, imported now.

    To give its threads names, trio looks for a library as it is imported, for which `ctypes` starts ldconfig.
    This server starts nothing, so no library is found.
    """
    import ctypes.util

    find = ctypes.util.find_library
    ctypes.util.find_library = lambda name: None  # noqa: ARG005 - named as in ctypes
    try:
        from mcptap.agent.work import work
    finally:
        ctypes.util.find_library = find
    return work


def _guarded_stdout() -> int:
    """A descriptor of our own for stdout; whatever else is written there goes to stderr from now on."""
    out = os.dup(1)
    try:
        os.dup2(2, 1)
    except OSError:  # there is no stderr
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
    return out


def _end_at_interrupts() -> None:
    """End at once: nothing is held that would have to be put away, and no traceback helps a client."""
    import _signal as signal  # type: ignore[import-not-found]  # see mcptap.cli

    if sys.platform != "win32":
        signal.signal(signal.SIGINT, signal.SIG_DFL)
