"""What holds for the verdict on every case of the catalogue and every recording of the tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcptap.diagnosis.cases.case import Case, cases
from mcptap.diagnosis.cases.player import diagnosed
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.explain.limits import is_capture
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.diagnosis.explain.verdict import MOST_WORDS
from mcptap.recording.reader import Reader, State
from mcptap.text.sentences import balanced, word_count

ROOT = Path(__file__).parents[2]
RECORDINGS = sorted(
    path
    for folder in ("recordings", "tests/diagnosis/real", "tests/play/recordings")
    for path in (ROOT / folder).glob("*.jsonl")
)
NOTHING_IS_WRONG = re.compile(r"\bnothing (else )?is wrong\b", re.I)


def check(diagnosis: Diagnosis) -> None:
    """Raises AssertionError if the verdict is no whole sentence, or calls healthy what is not."""
    found, session = diagnosis.verdict(), diagnosis.session
    words = found.words
    assert 0 < word_count(words) <= MOST_WORDS
    assert balanced(words) == words
    assert words.count('"') % 2 == 0
    assert words.count("`") % 2 == 0
    assert re.search(r"""[.?!…]["')]?$""", words)
    assert not re.search(r"  |\.\.|\(unknown\)|\brecord \d", words)
    assert words[:1] == words[:1].upper() or re.match(r"[\w.-]+[/ .-]", words)
    healthy = found.outcome is Outcome.HEALTHY
    assert healthy == bool(NOTHING_IS_WRONG.search(words))
    bad = [f for f in diagnosis.findings() if f.level > Level.INFO]
    if any(not f.design for f in bad):
        assert found.outcome in (Outcome.BROKEN, Outcome.WAITING)
        assert found.outcome is Outcome.BROKEN or found.open
    if healthy:
        assert not bad
        assert not found.open
        assert not found.limits
        assert not session.failures.calls + session.failures.others
        assert not session.losses.any
        assert not is_capture(diagnosis.evidence)
        assert not session.process.server_ended_first
        assert session.state != "crashed"


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.title)
def test_the_verdict_on_every_case_is_whole_and_never_clean_over_a_failure(case: Case) -> None:
    check(diagnosed(case))


def _diagnoses(path: Path) -> Iterator[Diagnosis]:
    """A recording as it is, and as if it were read, or cut, behind some of its items."""
    with Reader(str(path)) as reader:
        items = list(reader.items())
        for count in sorted({*range(0, len(items), max(1, len(items) // 20)), len(items)}):
            states = (reader.state(), State.LIVE, State.CRASHED) if count < len(items) else (reader.state(),)
            for state in states:
                diagnosis = Diagnosis(reader.header)
                for item in items[:count]:
                    diagnosis.feed(item)
                diagnosis.finish(state)
                yield diagnosis


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_the_verdict_on_every_recording_is_so_wherever_it_breaks_off(path: Path) -> None:
    for diagnosis in _diagnoses(path):
        check(diagnosis)
