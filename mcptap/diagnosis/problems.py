"""How many problems a recording has, for lists of recordings."""

from __future__ import annotations

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Level
from mcptap.recording.reader import Reader


def count_problems(path: str, sibling: bool | None = None) -> dict[str, int]:
    """Findings of a recording by the words of their levels, those on tool design left out.

    `sibling` tells whether the client started the server once more right after, so that this
    session was a probe. Raises RecordingError if the file is no recording.
    """
    counts = {level.word: 0 for level in sorted(Level, reverse=True)}
    with Reader(path) as reader:
        diagnosis = Diagnosis(reader.header, sibling=sibling)
        state = reader.state()
        for item in reader.items():
            diagnosis.feed(item)
        for finding in diagnosis.finish(state, reader.unfinished()):
            if not finding.design:
                counts[finding.level.word] += 1
    return counts
