"""The findings about a whole recording, and how many problems it has."""

from __future__ import annotations

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.recording.reader import Reader


def findings_in(path: str, sibling: bool | None = None) -> list[Finding]:
    """The findings about a recording.

    `sibling` tells whether the client started the server once more right after, so that this
    session was a probe. Raises RecordingError if the file is no recording.
    """
    with Reader(path) as reader:
        diagnosis = Diagnosis(reader.header, sibling=sibling)
        for item in reader.items():
            diagnosis.feed(item)
        return diagnosis.finish(reader.state(), reader.unfinished())


def count_problems(path: str, sibling: bool | None = None) -> dict[str, int]:
    """How many findings of each level `findings_in` gives, by its word; those on tool design left out."""
    counts = {level.word: 0 for level in sorted(Level, reverse=True)}
    for finding in findings_in(path, sibling):
        if not finding.design:
            counts[finding.level.word] += 1
    return counts
