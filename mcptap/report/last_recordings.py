"""The last recording of each of some command lines, and what it came to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mcptap.captures.summary import Summary, summarise
from mcptap.diagnosis.problems import judged
from mcptap.masking.masker import Masker
from mcptap.recording.format.model import RecordingError
from mcptap.recording.library import header_of, search
from mcptap.recording.made_here import masker

MOST_LOOKED_AT = 2000
"""Of so many recordings, the newest ones, the command line is looked at."""


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A server's command line. `open_texts` are those in it that stand for what is not known."""

    argv: Sequence[str]
    open_texts: Sequence[str] = ()


class LastRecordings:
    """Reads the first line of each of the user's recordings once, and judges only those that are asked for.

    Secrets of command lines are masked in recordings, and equal ones alike: so the masked ones are compared.
    """

    def __init__(self) -> None:
        self._masker: Masker = masker()
        self._paths = iter(search().paths[:MOST_LOOKED_AT])
        self._seen: list[tuple[str, list[str]]] = []
        self._known: dict[str, Summary | None] = {}

    def of(self, line: CommandLine) -> Summary | None:
        """The newest session of a server that was started so, judged; None if there is none.

        Sessions in which mcptap, or a client that only looked, played the client are passed over.
        """
        if not line.argv:
            return None
        wanted = [_known_pieces(word, line.open_texts) for word in self._masker.argv(line.argv)]
        for path, argv in self._recorded():
            if len(argv) == len(wanted) and all(map(_fits, wanted, argv)):
                summary = self._judged(path)
                if summary is not None:
                    return summary
        return None

    def _recorded(self) -> list[tuple[str, list[str]]]:
        for path in self._paths:
            header = header_of(path)
            if header is not None and not header.probe:
                self._seen.append((path, self._masker.argv(header.argv)))
        return self._seen

    def _judged(self, path: str) -> Summary | None:
        if path not in self._known:
            try:
                summary = summarise(path)
                self._known[path] = None if summary.is_probe else judged(summary, is_probe=False)
            except RecordingError:
                self._known[path] = None
        return self._known[path]


def _known_pieces(word: str, open_texts: Sequence[str]) -> list[str]:
    """What is known of a word: the pieces between which anything may stand."""
    longest_first = sorted(open_texts, key=len, reverse=True)
    return re.split("|".join(map(re.escape, longest_first)), word) if open_texts else [word]


def _fits(pieces: list[str], word: str) -> bool:
    """Whether a word has these pieces in this order, the first and the last at its ends.

    A regular expression would take very long over the many pieces that a stranger's configuration may have.
    """
    first, *middle = pieces
    if not middle:
        return word == first
    last = middle.pop()
    at, end = len(first), len(word) - len(last)
    if end < at or not word.startswith(first) or not word.endswith(last):
        return False
    for piece in middle:
        found = word.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True
