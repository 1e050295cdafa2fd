"""What the row of a run of stderr says: of all its lines the one that tells most."""

from __future__ import annotations

from collections.abc import Sequence

from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Line
from mcptap.tui.index.index import RecordIndex

LOOKED_AT = 10_000
"""Lines at the end of a run that are looked through."""

TOGETHER = 48
"""Lines that are looked at together: a trace is seldom longer."""

_FAILURES = (b"error", b"exception", b"traceback", b"panic", b"fatal", b"fail", b"kill", b"abort", b"denied")
"""What makes lines worth reading closely."""


def lines_of_run(index: RecordIndex, records: Sequence[int]) -> list[tuple[int, Line]]:
    """Those of these records that are lines. Raises OSError."""
    decoded = ((i, decode_record(index.read(i), i + 1)) for i in records)
    return [(i, record) for i, record in decoded if isinstance(record, Line)]


def telling_line(index: RecordIndex, run: range) -> str:
    """The last line of a run that speaks of a failure; else its last line. Raises OSError."""
    from mcptap.diagnosis.explain.last_words import last_words

    looked_to, failing = index.folds.told.get(run.start, (0, ()))
    if looked_to > run.stop:
        looked_to, failing = 0, ()  # playing went back to before it
    lines = index.folds.last_lines(run, LOOKED_AT)
    for end in range(len(lines), 0, -TOGETHER):
        together = lines[max(0, end - TOGETHER) : end]
        if together[-1] < looked_to:
            break
        if _speaks_of_failure(index, together):
            failing = tuple(together)
            break
    index.folds.told[run.start] = (run.stop, failing)
    told = lines_of_run(index, failing or lines[-TOGETHER:])
    return last_words([line.data.decode(errors="replace") for _, line in told]).telling


def _speaks_of_failure(index: RecordIndex, lines: list[int]) -> bool:
    if lines[-1] - lines[0] < len(lines):
        data = index.read_span(lines[0], lines[-1] + 1).lower()
    else:
        data = b"".join(map(index.read, lines)).lower()
    return any(word in data for word in _FAILURES)
