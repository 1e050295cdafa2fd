"""Files that look like captures and are none: each is refused, and `FILE.toml` holds a part of why."""

import tomllib
from pathlib import Path

import pytest

from mcptap.captures.open import open_source
from mcptap.recording.format.model import RecordingError

EXPECTED = sorted((Path(__file__).parent / "near_misses").rglob("*.toml"))


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.stem)
def test_a_near_miss_is_refused_with_its_reason(path: Path):
    with pytest.raises(RecordingError) as refused:
        open_source(str(path.with_suffix("")))
    assert tomllib.loads(path.read_text())["refused"] in str(refused.value)
