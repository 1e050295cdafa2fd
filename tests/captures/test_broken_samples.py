"""Samples that break off somewhere: none crashes, and none accuses anybody anew."""

from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.captures.open import Source, open_sources, source_of
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.recording.format.model import RecordingError

SAMPLES = Path(__file__).parent / "samples"
FORMATS = (
    "cline", "codex", "csharp", "gemini_cli", "goose", "inspector", "java", "lm_studio", "lsp", "mcp_remote",
    "python", "server_log", "zed",
)  # fmt: skip


def errors(data: bytes) -> set[str]:
    """The rules that find errors in a capture with these bytes; none if it is refused."""
    try:
        source = source_of("capture", data)
    except RecordingError:
        return set()
    return errors_of(source)


def errors_of(source: Source) -> set[str]:
    """The rules that find errors in one session."""
    with closing(source):
        diagnosis = Diagnosis(source.header, timed=source.evidence.times, evidence=source.evidence)
        for item in source.items():
            diagnosis.feed(item)
        diagnosis.finish(source.state(), source.unfinished())
        assert diagnosis.verdict(source.lines, source.passed_over).words
        return {finding.rule for finding in diagnosis.findings() if finding.level.word == "error"}


@cache
def errors_of_whole(path: Path) -> set[str]:
    """What a sample shows that does not break off; the same for all examples."""
    return {rule for source in open_sources(str(path)) for rule in errors_of(source)}


def pieces(data: bytes, marks: list[int]) -> Iterator[bytes]:
    """The sample cut at some places, in bytes and in lines."""
    for mark in marks:
        yield data[: mark % (len(data) + 1)]
    lines = data.splitlines(keepends=True)
    for mark in marks:
        yield b"".join(lines[: mark % (len(lines) + 1)])


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=4)
@given(st.lists(st.integers(0, 1 << 20), min_size=1, max_size=2))
def test_a_sample_that_breaks_off_shows_no_error_that_the_whole_does_not(name: str, marks: list[int]):
    for path in sorted(p for p in (SAMPLES / name).iterdir() if p.suffix != ".toml" and p.is_file())[:3]:
        data = path.read_bytes()
        known = errors_of_whole(path)
        for piece in pieces(data, marks):
            found = errors(piece)
            assert found <= known, f"{path.name}: {found - known} in {piece[-200:]!r}"
