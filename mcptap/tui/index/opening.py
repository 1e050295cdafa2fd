"""Opening what the screen can show: a recording, or a capture of another tool, of which one is made."""

from __future__ import annotations

import os
import tempfile
from contextlib import closing

from mcptap.errors import UserError
from mcptap.recording.format.decode import is_recording
from mcptap.recording.paths import SUFFIX
from mcptap.tui.index.feed import Feed

HEADER_LIMIT = 1 << 20


def feed_of(path: str, *, is_probe: bool = False) -> Feed:
    """A feed of the recording at this path, or of one that is made of the capture there, which goes with it.

    It is not started yet. Raises UserError.
    """
    try:
        if holds_recording(path):
            return Feed(path, is_probe=is_probe)
        return Feed(_made_of(path), made_of=path, make=_made_of)
    except OSError as error:
        raise UserError(f"{path}: cannot be opened: {error.strerror}") from error


def holds_recording(path: str) -> bool:
    """Whether the file is a recording; if not, it may be a capture. Raises OSError."""
    if not os.path.exists(path):
        from mcptap.captures.sections import selected

        path, number = selected(path)
        if number:
            return False
    with open(path, "rb") as file:
        head = file.readline(HEADER_LIMIT)
    return not head or is_recording(head)


def _made_of(path: str) -> str:
    """A private recording of what the capture holds. Raises OSError and UserError."""
    from mcptap.captures.convert import recording_of
    from mcptap.captures.open import open_source

    with closing(open_source(path)) as source:
        fd, made = tempfile.mkstemp(prefix="mcptap-", suffix=SUFFIX)
        try:
            with open(fd, "wb") as file:
                file.writelines(recording_of(source))
        except BaseException:
            os.unlink(made)
            raise
    return made
