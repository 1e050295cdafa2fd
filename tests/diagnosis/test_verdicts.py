"""What holds for the verdict on every case of the catalogue and every recording of the tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.clients.recognition import may_have_stopped, recognise
from mcptap.diagnosis.cases.case import cases
from mcptap.diagnosis.cases.player import diagnosed
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.explain.limits import is_capture
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.diagnosis.explain.verdict import MOST_WORDS
from mcptap.recording.reader import Reader, State
from mcptap.text.sentences import balanced, word_count
from tests.diagnosis.sessions import event, line, message, opening

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
    assert not re.search(r"  |\.\.(\s|$)|\(unknown\)|\b[Rr]ecord \d", words)
    assert words[:1] == words[:1].upper() or re.match(r"[\w.-]+[/ .-]", words)
    healthy = found.outcome is Outcome.HEALTHY
    assert healthy == bool(NOTHING_IS_WRONG.search(words))
    bad = [f for f in diagnosis.findings() if f.level > Level.INFO]
    if any(not f.design and not RULES[f.rule].about_lock for f in bad):
        assert found.outcome in (Outcome.BROKEN, Outcome.WAITING)
        assert found.outcome is Outcome.BROKEN or found.open
    if healthy:
        assert not bad
        assert not found.open
        assert not found.limits
        assert not session.failures.calls + session.failures.others
        assert not session.losses.any
        assert not is_capture(diagnosis.evidence)
        by_client = may_have_stopped(recognise(session).client, session)
        assert by_client or not session.process.server_ended_first
        assert session.state != "crashed"


@pytest.mark.parametrize("file", sorted({case.file for case in cases()}))
def test_the_verdict_on_every_case_is_whole_and_never_clean_over_a_failure(file: str) -> None:
    for case in cases():
        if case.file == file:
            diagnosis = diagnosed(case)
            check(diagnosis)
            cut = re.search(r"""…(?!["'])""", diagnosis.verdict().words)
            assert not cut, f"only a stranger's words may be cut: {case.title}"


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


odd_texts = st.text(st.sampled_from("a b.()[]{}\"'`\n\r\x1b…;:") | st.characters(), max_size=60)


@given(name=odd_texts, client=odd_texts, said=odd_texts, noise=odd_texts, failed=st.booleans())
@settings(max_examples=80, deadline=None)
def test_no_recorded_text_leaves_a_verdict_open(
    name: str, client: str, said: str, noise: str, failed: bool
) -> None:
    call = message(id=1, method="tools/call", params={"name": name, "arguments": {}})
    content = {"content": [{"type": "text", "text": said}], "isError": failed}
    answer = message(id=1, result=content)
    glued = noise.replace("\n", " ").encode(errors="replace") + answer
    for sent in ([answer], [glued], [noise.encode(errors="replace"), answer], []):
        diagnosis = Diagnosis(None)
        lines = [*opening(client or "agent", tools={}), call, *sent]
        for number, data in enumerate(lines, 2):
            channel = "c2s" if data is call or number in (2, 4) else "s2c"
            diagnosis.feed(line(number, channel, data, number * 1000))
        diagnosis.feed(line(20, "stderr", said.encode(errors="replace"), 30_000))
        diagnosis.feed(event(21, "exit", 40_000, code=1))
        diagnosis.finish(State.FINISHED)
        check(diagnosis)
