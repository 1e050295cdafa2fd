"""What masking does to the findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.captures.open import open_source
from mcptap.export.copies import copy_of
from mcptap.export.rejudged import hanging_on_masks, judged
from mcptap.masking.masker import Masker
from tests.test_architecture import ROOT

RECORDINGS = sorted(
    path
    for folder in ("recordings", "tests/diagnosis/healthy", "tests/diagnosis/real")
    for path in (ROOT / folder).glob("*.jsonl")
)


def test_differences_are_named_by_rule_and_record():
    before = {("a", 1, 3), ("b", 2, None), ("c", 2, 5)}
    after = {("a", 1, 3), ("c", 1, 5), ("d", 1, 9)}
    assert list(hanging_on_masks(before, after)) == [
        {"rule": "b", "line": None},
        {"rule": "c", "line": 5},
        {"rule": "d", "line": 9},
    ]


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_is_found_is_the_same_before_and_after_masking(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "masked.jsonl"
    copy.write_bytes(b"".join(copy_of(str(path), Masker(b"key"))))
    before, after = open_source(str(path)), open_source(str(copy))
    hanging = set(after.header.not_judged_again)
    assert {found for found in judged(before) if (found[0], found[2]) not in hanging} == judged(after)
    assert hanging == set()
    before.close()
    after.close()
