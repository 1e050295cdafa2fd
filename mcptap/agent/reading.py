"""A recording read item by item as the diagnosis sees it, at the pace of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from mcptap.agent.pace import Pace
from mcptap.agent.shelf import Known
from mcptap.captures.open import RecordingSource
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.query.row import ItemRow
from mcptap.recording.format.model import Event
from mcptap.recording.reader import State
from mcptap.report.events import event_words

_STRIDE = 512


class Reading:
    """One pass over a recording. `state` is what became of it, once all was read."""

    def __init__(self, known: Known, pace: Pace) -> None:
        self._known = known
        self.state = State.UNKNOWN
        self._pace = pace

    def rows(self) -> Iterator[ItemRow]:
        """Each item, with its message and the request that this belongs to.

        Raises RecordingError, StoppedError, and OutOfTimeError where the time for the answer is over.
        """
        with closing(RecordingSource(self._known.path)) as source:
            total = self._known.size
            diagnosis = Diagnosis(source.header, evidence=source.evidence)
            for count, item in enumerate(source.items()):
                message = diagnosis.feed(item)
                words = event_words(item) if isinstance(item, Event) else ""
                yield ItemRow(item, message, words)
                if count % _STRIDE == 0:
                    self._pace.at(source.position, total)
            for line in source.unfinished():
                yield ItemRow(line, None)
            self.state = source.state()
