"""A server that is shipped beside its recording: its folder takes the place of the recorded one.

A recording that is passed on names a folder of the machine it was made on. Where that is not here, a
folder of the same name beside the file may hold the server, as `recordings/weather` does for the samples.
What is run then was not made here, whatever the header says: the user is asked.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from mcptap.recording.format.model import Header


@dataclass(frozen=True, slots=True)
class Shipped:
    """What takes the place of the recorded folder and words."""

    cwd: str | None
    argv: Sequence[str]
    folder: str
    """The folder beside the recording."""


def shipped(header: Header, argv: Sequence[str], recording: str) -> Shipped | None:
    """What is shipped beside a recording in place of what is not here; None if nothing is."""
    beside = os.path.dirname(os.path.abspath(recording))
    cwd = header.cwd
    words = [_in_place_of(word, beside) for word in argv]
    found = [word for word in words if word]
    if cwd and not os.path.isdir(cwd):
        cwd = os.path.join(beside, os.path.basename(cwd))
        if not os.path.basename(cwd) or not os.path.isdir(cwd):
            return None
        found.append(os.path.join(cwd, "here"))
    if not found:
        return None
    replaced = [word or old for word, old in zip(words, argv, strict=True)]
    return Shipped(cwd or None, replaced, os.path.dirname(found[-1]))


def _in_place_of(word: str, beside: str) -> str:
    """The file beside the recording for an absolute path that is not here; empty if there is none."""
    if not os.path.isabs(word) or os.path.exists(word):
        return ""
    folder, name = os.path.split(word)
    path = os.path.join(beside, os.path.basename(folder), name)
    return path if os.path.basename(folder) and os.path.isfile(path) else ""
