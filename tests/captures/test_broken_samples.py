"""Samples that were cut, put together and mutated: none crashes, and a cut one accuses nobody anew."""

from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.captures.open import Source, open_sources
from mcptap.diagnosis.beginning import look_ahead
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.recording.format.model import RecordingError

SAMPLES = Path(__file__).parent / "samples"
PATHS = sorted(path for path in SAMPLES.rglob("*") if path.is_file() and path.suffix != ".toml")
NO_ANSWER = frozenset({"request-unanswered", "initialize-unanswered"})
"""What may be found where a file breaks off: that something had no answer."""

MARKS = st.integers(0, 1 << 20)
CHANGES = st.lists(st.tuples(MARKS, st.binary(max_size=4)), min_size=1, max_size=4)

every_sample = pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(SAMPLES)))


def errors(path: Path) -> set[str]:
    """The rules that find errors in the sessions of a file, opened and judged as `check` does."""
    try:
        return {rule for source in open_sources(str(path)) for rule in errors_of(source)}
    except RecordingError:
        return set()


@cache
def errors_of_whole(path: Path) -> set[str]:
    """What a sample shows that was left as it is; the same for all examples."""
    return errors(path)


def errors_of(source: Source) -> set[str]:
    with closing(source):
        partial, items = look_ahead(source.items(), source.evidence)
        diagnosis = Diagnosis(
            source.header, timed=source.evidence.times, partial=partial, evidence=source.evidence
        )
        for item in items:
            diagnosis.feed(item)
        diagnosis.finish(source.state(), source.unfinished())
        assert diagnosis.verdict(source.lines, source.passed_over).words
        return {finding.rule for finding in diagnosis.findings() if finding.level.word == "error"}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("broken")


def errors_in(written: Path, like: Path, data: bytes) -> set[str]:
    """What is found in a file of the same name with these bytes."""
    path = written / like.name
    path.write_bytes(data)
    return errors(path)


@every_sample
@settings(max_examples=2)
@given(mark=MARKS)
def test_a_sample_that_was_cut_shows_no_error_that_the_whole_does_not(path: Path, mark: int, written: Path):
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    at, line = mark % (len(data) + 1), mark % (len(lines) + 1)
    known = errors_of_whole(path) | NO_ANSWER
    for piece in (data[:at], data[at:], b"".join(lines[:line]), b"".join(lines[line:])):
        found = errors_in(written, path, piece)
        assert found <= known, f"{found - known} in {piece[:200]!r} … {piece[-200:]!r}"


@every_sample
def test_a_sample_twice_in_one_file_accuses_nobody_anew(path: Path, written: Path):
    data = path.read_bytes()
    assert errors_in(written, path, data + data) <= errors_of_whole(path)


@settings(max_examples=20)
@given(one=st.sampled_from(PATHS), other=st.sampled_from(PATHS), random=st.randoms(use_true_random=False))
def test_two_samples_whose_lines_are_mixed_crash_nothing(
    one: Path, other: Path, random: Random, written: Path
):
    rest = [path.read_bytes().splitlines(keepends=True) for path in (one, other)]
    mixed = []
    while any(rest):
        mixed.append(random.choice([lines for lines in rest if lines]).pop(0))
    errors_in(written, one, b"".join(mixed))


@settings(max_examples=20)
@given(path=st.sampled_from(PATHS), changes=CHANGES)
def test_a_mutated_sample_crashes_nothing(path: Path, changes: list[tuple[int, bytes]], written: Path):
    data = bytearray(path.read_bytes())
    for mark, new in changes:
        at = mark % (len(data) + 1)
        data[at : at + 2] = new
    errors_in(written, path, bytes(data))
