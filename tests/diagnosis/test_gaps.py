"""What is missing in a recording is not held against anybody."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.recording.format.model import Damaged, Event, Item
from mcptap.recording.reader import Reader, State

SAMPLES = Path(__file__).parent.parent.parent / "recordings"


def _hole(kind: str, item: Item) -> Item:
    if kind == "damage":
        return Damaged(item.number, b"", "it is not a JSON object")
    return Event(item.number, "gap", 0, 0, {"records": 1, "bytes": 1, "since": 0, "why": "no space"})


def _items(sample: str) -> list[Item]:
    with Reader(str(SAMPLES / f"{sample}.jsonl")) as reader:
        return list(reader.items())


@pytest.mark.parametrize("kind", ["gap", "damage"])
@pytest.mark.parametrize("sample", ["clean-handshake", "clean-stateless"])
def test_a_healthy_session_stays_healthy_whatever_record_is_missing(sample: str, kind: str) -> None:
    whole = _items(sample)
    for first in range(len(whole)):
        for count in (1, 2, 5):
            diagnosis = Diagnosis()
            holed = [*whole[:first], _hole(kind, whole[first]), *whole[first + count :]]
            for item in holed:
                diagnosis.feed(item)
            found = diagnosis.finish(State.FINISHED)
            assert [f.message for f in found if f.level.word != "info"] == [], (first, count)
            assert not diagnosis.evidence.whole


def test_what_stands_in_the_recording_is_found_in_spite_of_a_gap() -> None:
    diagnosis = Diagnosis()
    for item in _items("polluted"):
        diagnosis.feed(item)
    diagnosis.feed(Event(999, "gap", 0, 0, {"records": 1}))
    assert "stdout-glued" in [f.rule for f in diagnosis.finish(State.FINISHED)]


def test_a_recording_of_nothing_but_a_gap_does_not_claim_that_nothing_was_said() -> None:
    diagnosis = Diagnosis()
    diagnosis.feed(Event(2, "gap", 0, 0, {"records": 0, "rest": True}))
    diagnosis.finish(State.FINISHED)
    assert diagnosis.verdict() == "What the two sides said is not in the recording."
